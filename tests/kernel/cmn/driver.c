/*
 * The parts of drivers/perf/arm-cmn.c that say what is in sysfs, outside the
 * kernel: what a driver of a made-up mesh would export. `driver.inc` is cut out
 * of the kernel tree by the test that compiles this.
 *
 *   driver events PART REVISION PORTS RSP DAT SNP REQ TYPE...
 *   driver formats
 *   driver bits COLUMNS ROWS
 *   driver device ID PORT_BITS DEVICE_BITS
 *
 * All numbers may be hexadecimal. `events` prints the name and the text of each
 * event's file on a mesh of that part number and revision, with those ports in
 * use (as bits), so many channels of each kind, and nodes of these types.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

typedef uint64_t u64;
typedef uint16_t u16;
typedef uint8_t u8;
typedef unsigned short umode_t;

#define BIT(n) (1UL << (n))
#define BIT_ULL(n) (1ULL << (n))
#define GENMASK_ULL(high, low) ((~0ULL >> (63 - (high))) & (~0ULL << (low)))
#define container_of(pointer, type, member) \
	((type *)((char *)(pointer) - offsetof(type, member)))

struct attribute {
	const char *name;
	umode_t mode;
};
struct kobject {
	int unused;
};
struct device {
	struct kobject kobj;
	void *driver_data;
};
struct device_attribute {
	struct attribute attr;
	ssize_t (*show)(struct device *, struct device_attribute *, char *);
	ssize_t (*store)(struct device *, struct device_attribute *, const char *, size_t);
};
#define STRING(name) #name
#define __ATTR(_name, _mode, _show, _store) \
	{ .attr = { .name = STRING(_name), .mode = _mode }, .show = _show, .store = _store }

static struct device *kobj_to_dev(struct kobject *kobj)
{
	return container_of(kobj, struct device, kobj);
}
static void *dev_get_drvdata(struct device *dev)
{
	return dev->driver_data;
}
#define to_cmn(pointer) ((struct arm_cmn *)(pointer))

/* The highest bit, from 1. */
static int fls(unsigned int value)
{
	return value ? 32 - __builtin_clz(value) : 0;
}

/* Bits as the kernel prints them for %*pbl: 0-7,32. */
static int print_bits(char *to, u64 bits)
{
	char *start = to;

	for (int low = 0; low < 64; low++) {
		int high = low;

		if (!(bits >> low & 1))
			continue;
		while (high < 63 && bits >> (high + 1) & 1)
			high++;
		to += sprintf(to, "%s%d", to == start ? "" : ",", low);
		if (high > low)
			to += sprintf(to, "-%d", high);
		low = high;
	}
	return to - start;
}

static int sysfs_emit(char *buf, const char *format, ...)
{
	const char *bits = strstr(format, "%*pbl");
	va_list arguments;
	int length;

	va_start(arguments, format);
	if (bits) {
		length = strncmp(format, "config%d:", 9) == 0
				 ? sprintf(buf, "config%d:", va_arg(arguments, int))
				 : sprintf(buf, "config:");
		(void)va_arg(arguments, int);
		length += print_bits(buf + length, *va_arg(arguments, u64 *));
		length += sprintf(buf + length, "\n");
	} else {
		length = vsprintf(buf, format, arguments);
	}
	va_end(arguments);
	return length;
}

enum cmn_node_type;
struct arm_cmn_node {
	u16 id;
	u8 portid_bits;
	u8 deviceid_bits;
};
struct arm_cmn {
	int part;
	int rev;
	u8 mesh_x;
	u8 mesh_y;
	u8 ports_used;
	unsigned int rsp_vc_num, dat_vc_num, snp_vc_num, req_vc_num;
	unsigned int types[64];
	int type_count;
};
struct arm_cmn_nodeid {
	u8 port;
	u8 dev;
};

/* Whether the mesh has nodes of a type is all that is asked. */
static struct arm_cmn_node *arm_cmn_node(const struct arm_cmn *cmn, unsigned int type)
{
	static struct arm_cmn_node some;

	for (int n = 0; n < cmn->type_count; n++)
		if (cmn->types[n] == type)
			return &some;
	return NULL;
}

#include "driver.inc"

static unsigned long number(char **arguments)
{
	if (!*arguments) {
		fputs("an argument is missing\n", stderr);
		exit(2);
	}
	return strtoul(*arguments, NULL, 0);
}

int main(int count, char **arguments)
{
	struct arm_cmn cmn = { 0 };
	struct device dev = { .driver_data = &cmn };
	char text[4096];

	if (count < 2)
		return 2;
	arguments++;
	if (strcmp(*arguments, "formats") == 0) {
		for (struct attribute **attr = arm_cmn_format_attrs; *attr; attr++) {
			struct device_attribute *file =
				container_of(*attr, struct device_attribute, attr);

			file->show(&dev, file, text);
			printf("%s\t%s", (*attr)->name, text);
		}
		return 0;
	}
	if (strcmp(*arguments, "bits") == 0) {
		cmn.mesh_x = number(++arguments);
		cmn.mesh_y = number(++arguments);
		printf("%d\n", arm_cmn_xyidbits(&cmn));
		return 0;
	}
	if (strcmp(*arguments, "device") == 0) {
		struct arm_cmn_node node;
		struct arm_cmn_nodeid nid;

		node.id = number(++arguments);
		node.portid_bits = number(++arguments);
		node.deviceid_bits = number(++arguments);
		nid = arm_cmn_nid(&node);
		printf("%d %d\n", nid.port, nid.dev);
		return 0;
	}
	if (strcmp(*arguments, "events") != 0)
		return 2;
	cmn.part = number(++arguments);
	cmn.rev = number(++arguments);
	cmn.ports_used = number(++arguments);
	cmn.rsp_vc_num = number(++arguments);
	cmn.dat_vc_num = number(++arguments);
	cmn.snp_vc_num = number(++arguments);
	cmn.req_vc_num = number(++arguments);
	while (*++arguments && cmn.type_count < 64)
		cmn.types[cmn.type_count++] = number(arguments);
	for (struct attribute **attr = arm_cmn_event_attrs; *attr; attr++) {
		struct device_attribute *file = container_of(*attr, struct device_attribute, attr);

		if (!arm_cmn_event_attr_is_visible(&dev.kobj, *attr, 0))
			continue;
		file->show(&dev, file, text);
		printf("%s\t%s", (*attr)->name, text);
	}
	return 0;
}
