// SPDX-License-Identifier: MIT OR Apache-2.0
/*
 * What perf's parser refers to and formulas over events never ask: facts of
 * the machine, and whether there is an event. And messages, of which none is
 * printed unless perf is told to be verbose.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <linux/types.h>

#include "cpumap.h"
#include "cputopo.h"
#include "debug.h"
#include "evlist.h"
#include "header.h"
#include "parse-events.h"
#include "pmu.h"
#include "smt.h"
#include "tsc.h"
#include <api/fs/fs.h>

#define ABSENT(result, name, ...)						\
	result name(__VA_ARGS__)						\
	{									\
		fputs("peer: a formula asks for " #name "\n", stderr);		\
		abort();							\
	}

#if defined(__i386__) || defined(__x86_64__)
ABSENT(double, arch_get_tsc_freq, void)
#endif
ABSENT(bool, core_wide, bool system_wide, const char *cpus)
ABSENT(struct perf_cpu, cpu__max_present_cpu, void)
ABSENT(struct perf_cpu_map *, cpu_map__online, void)
ABSENT(void, evlist__delete, struct evlist *evlist)
ABSENT(struct evlist *, evlist__new, void)
ABSENT(const struct cpu_topology *, online_topology, void)
ABSENT(int, parse_event, struct evlist *evlist, const char *text)
ABSENT(int, perf_cpu_map__nr, const struct perf_cpu_map *map)
ABSENT(double, perf_pmu__cpu_slots_per_cycle, void)
ABSENT(char *, perf_pmu__getcpuid, struct perf_pmu *pmu)
ABSENT(struct perf_pmu *, perf_pmus__find_core_pmu, void)
ABSENT(bool, smt_on, void)
ABSENT(int, strcmp_cpuid_str, const char *pattern, const char *id)
ABSENT(const char *, sysfs__mountpoint, void)

int verbose;

int eprintf(int level, int var, const char *format, ...)
{
	va_list arguments;
	int printed = 0;

	if (var < level)
		return 0;
	va_start(arguments, format);
	printed = vfprintf(stderr, format, arguments);
	va_end(arguments);
	return printed;
}
