/* Stands in for perf's header of this name: what the generated file uses of it. */
#ifndef PEER_UTIL_PMU_H
#define PEER_UTIL_PMU_H

#include <stdbool.h>

struct perf_pmu {
	const char *name;
	bool is_core;
};

bool pmu__name_match(const struct perf_pmu *pmu, const char *table_name);
char *perf_pmu__getcpuid(struct perf_pmu *pmu);

#endif
