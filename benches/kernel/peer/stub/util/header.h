/* Stands in for perf's header of this name: what the generated file uses of it. */
#ifndef PEER_UTIL_HEADER_H
#define PEER_UTIL_HEADER_H

#include <stdint.h>
#include <stdlib.h>

#ifndef ARRAY_SIZE
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#endif

/* 0 if `id` is a CPUID of the map file's row `pattern`. */
int strcmp_cpuid_str(const char *pattern, const char *id);

#endif
