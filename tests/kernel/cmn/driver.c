/*
 * The parts of drivers/perf/arm-cmn.c that say what is in sysfs and which events
 * are accepted, outside the kernel: what the driver of a made-up mesh would do.
 * `constants.inc` and `functions.inc` are cut out of the kernel tree by the test
 * that compiles this.
 *
 *   driver events PART REVISION PORTS RSP DAT SNP REQ TYPE...
 *   driver formats
 *   driver bits COLUMNS ROWS
 *   driver device ID PORT_BITS DEVICE_BITS
 *   driver groups PART REVISION DTCS TYPE ID DTM DTC... <GROUPS
 *
 * All numbers may be hexadecimal. `events` prints the name and the text of each
 * event's file on a mesh of that part number and revision, with those ports in
 * use (as bits), so many channels of each kind, and nodes of these types.
 *
 * `groups` reads groups of events, one on a line: config, config1 and config2 of
 * each. It prints how many events the driver accepts before it refuses one, on a
 * mesh with so many DTCs and these nodes, which come by type.
 */
#include <errno.h>
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
typedef uint32_t u32;
typedef uint8_t u8;
typedef int8_t s8;
typedef unsigned short umode_t;

#define BIT(n) (1UL << (n))
#define BIT_ULL(n) (1ULL << (n))
#define GENMASK_ULL(high, low) ((~0ULL >> (63 - (high))) & (~0ULL << (low)))
#define container_of(pointer, type, member) \
	((type *)((char *)(pointer) - offsetof(type, member)))

#define DIV_ROUND_UP(number, by) (((number) + (by) - 1) / (by))
#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define FIELD_GET(mask, word) (((word) & (mask)) >> __builtin_ctzll(mask))
#define DECLARE_BITMAP(name, bits) unsigned long name[DIV_ROUND_UP(bits, 64)]
#define static_assert _Static_assert
#define GFP_KERNEL 0
#define PERF_ATTACH_TASK 4
#define BITS_PER_LONG 64
#define kzalloc(size, flags) calloc(1, size)
#define kzalloc_obj(object) calloc(1, sizeof(object))
#define bitmap_zalloc(bits, flags) calloc(DIV_ROUND_UP(bits, 64), sizeof(u64))
#define bitmap_zero(map, bits) memset(map, 0, DIV_ROUND_UP(bits, 64) * sizeof(u64))
#define bitmap_free free
#define kfree free
#define dev_dbg(...)

static void set_bit(unsigned int bit, unsigned long *map)
{
	map[bit / 64] |= 1UL << bit % 64;
}
static bool test_bit(unsigned int bit, const unsigned long *map)
{
	return map[bit / 64] >> bit % 64 & 1;
}

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

#include "constants.inc"

struct arm_cmn_node {
	enum cmn_node_type type;
	u16 id;
	u8 dtm;
	s8 dtc;
	u8 portid_bits;
	u8 deviceid_bits;
};
struct pmu {
	u32 type;
};
struct arm_cmn {
	struct pmu pmu;
	struct device *dev;
	int part;
	int rev;
	int cpu;
	u8 mesh_x;
	u8 mesh_y;
	u8 ports_used;
	bool multi_dtm;
	unsigned int rsp_vc_num, dat_vc_num, snp_vc_num, req_vc_num;
	unsigned int num_dtcs;
	struct arm_cmn_node *dns;
};
struct hw_perf_event {
	char space[4096];
	int target;
};
struct perf_event {
	struct {
		u32 type;
		u64 config, config1, config2;
	} attr;
	struct hw_perf_event hw;
	struct pmu *pmu;
	int cpu;
	unsigned int attach_state;
	struct perf_event *group_leader;
	struct perf_event *next;
	void (*destroy)(struct perf_event *);
};
#define for_each_sibling_event(sibling, leader) \
	for (sibling = (leader)->next; sibling; sibling = sibling->next)
/* All events are the mesh's own, and counted. */
#define is_software_event(event) false
#define is_sampling_event(event) false

struct arm_cmn_nodeid {
	u8 port;
	u8 dev;
};

#include "functions.inc"

static unsigned long number(char **arguments)
{
	if (!*arguments) {
		fputs("an argument is missing\n", stderr);
		exit(2);
	}
	return strtoul(*arguments, NULL, 0);
}

static void groups(struct arm_cmn *cmn)
{
	static struct perf_event events[64];
	static char line[65536];

	while (fgets(line, sizeof(line), stdin)) {
		char *next = line;
		int accepted = 0;

		memset(events, 0, sizeof(events));
		for (int n = 0; n < 64; n++) {
			struct perf_event *event = &events[n];
			char *end;

			event->attr.config = strtoull(next, &end, 0);
			if (end == next)
				break;
			event->attr.config1 = strtoull(end, &end, 0);
			event->attr.config2 = strtoull(end, &next, 0);
			event->pmu = &cmn->pmu;
			event->group_leader = events;
			if (arm_cmn_event_init(event))
				break;
			accepted++;
			if (n > 0)
				events[n - 1].next = event;
		}
		printf("%d\n", accepted);
	}
}

int main(int count, char **arguments)
{
	static struct arm_cmn_node nodes[256];
	struct arm_cmn cmn = { .dns = nodes };
	struct device dev = { .driver_data = &cmn };
	int node_count = 0;
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
	if (strcmp(*arguments, "groups") == 0) {
		cmn.part = number(++arguments);
		cmn.rev = number(++arguments);
		cmn.num_dtcs = number(++arguments);
		while (arguments[1] && node_count < 255) {
			struct arm_cmn_node *node = &nodes[node_count++];

			node->type = number(++arguments);
			node->id = number(++arguments);
			node->dtm = number(++arguments);
			node->dtc = number(++arguments);
		}
		groups(&cmn);
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
	while (*++arguments && node_count < 255)
		nodes[node_count++].type = number(arguments);
	for (struct attribute **attr = arm_cmn_event_attrs; *attr; attr++) {
		struct device_attribute *file = container_of(*attr, struct device_attribute, attr);

		if (!arm_cmn_event_attr_is_visible(&dev.kobj, *attr, 0))
			continue;
		file->show(&dev, file, text);
		printf("%s\t%s", (*attr)->name, text);
	}
	return 0;
}
