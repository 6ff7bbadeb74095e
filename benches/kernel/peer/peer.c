/*
 * The look-up functions that perf's jevents.py generates, measured.
 *
 *	peer CPUIDS [CPUID [SMALL_CPUID]]	measure; see README.md
 *	peer check CPUIDS MAPFILE		the n-th CPUID's first matching row is row n
 *
 * CPUIDS is a text file with one CPUID a line; lines starting with '#' are
 * comments.
 *
 * The order of the names, which the Rust side repeats: the (PMU, name) pairs
 * of the table, names in lower case and the core PMU called "default_core",
 * are sorted by the bytes of the PMU and then of the name, and shuffled:
 *
 *	x = 1
 *	for i from n - 1 down to 1:
 *		x = x * 6364136223846793005 + 1442695040888963407  (mod 2^64)
 *		swap pair i with pair (x >> 33) mod (i + 1)
 */
#include <regex.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "pmu-events/pmu-events.h"
#include "util/header.h"
#include "util/pmu.h"

#define ROUNDS 25
#define ROUND_NS 20e6

#define DEFAULT_CPUID "GenuineIntel-6-8F-4"
#define SMALL_CPUID "GenuineIntel-6-37-8"
#define SMALL_SUFFIX "_silvermont"
#define MISSING_CPUID "GenuineIntel-6-FE-1"
#define CORE "default_core"

static volatile uint64_t sink;

static void die(const char *what, const char *which)
{
	fprintf(stderr, "peer: %s: %s\n", what, which);
	exit(1);
}

static void *allocate(size_t count, size_t size)
{
	void *p = calloc(count ? count : 1, size);

	if (!p)
		die("out of memory", "calloc");
	return p;
}

static char *copy(const char *s)
{
	size_t size = strlen(s) + 1;

	return memcpy(allocate(size, 1), s, size);
}

/* What the generated code calls. */

/* VENDOR-FAMILY-MODEL-STEPPING, told by its dashes alone. */
static bool with_stepping(const char *s)
{
	int dashes = 0;

	for (; *s; s++)
		dashes += *s == '-';
	return dashes == 3;
}

/*
 * As on x86: the row is a POSIX extended pattern, compiled at every call,
 * whose match has to be as long as the CPUID. The CPUID's stepping counts only
 * for a row that has one, and such a row matches nothing without.
 */
int strcmp_cpuid_str(const char *pattern, const char *id)
{
	bool row_has_it = with_stepping(pattern), id_has_it = with_stepping(id);
	const char *end = id + strlen(id);
	regmatch_t found;
	regex_t regex;
	int failed;

	if (row_has_it && !id_has_it)
		return 1;
	if (regcomp(&regex, pattern, REG_EXTENDED))
		return 1;
	failed = regexec(&regex, id, 1, &found, 0);
	regfree(&regex);
	if (failed)
		return 1;
	if (id_has_it && !row_has_it)
		end = strrchr(id, '-');
	return found.rm_eo - found.rm_so != end - id;
}

/* The tables call every core PMU "default_core"; other PMUs go by their name. */
bool pmu__name_match(const struct perf_pmu *pmu, const char *table_name)
{
	return !strcmp(pmu->name, table_name) || (pmu->is_core && !strcmp(table_name, CORE));
}

/* Asked for only by functions that are not measured here. */
char *perf_pmu__getcpuid(struct perf_pmu *pmu)
{
	(void)pmu;
	return copy(DEFAULT_CPUID);
}

/* Time. */

static double now_ns(void)
{
	struct timespec t;

	if (clock_gettime(CLOCK_MONOTONIC, &t))
		die("no monotonic clock", "clock_gettime");
	return t.tv_sec * 1e9 + t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

struct model;
typedef uint64_t (*pass_fn)(const struct model *model);

static double passes_ns(pass_fn pass, const struct model *model, size_t passes)
{
	double start = now_ns();
	uint64_t sum = 0;

	for (size_t i = 0; i < passes; i++)
		sum += pass(model);
	sink += sum;
	return now_ns() - start;
}

/* Prints the minimum and the median over the rounds of the time of one of the `ops` of a pass. */
static void measure(const char *key, const char *suffix, pass_fn pass, const struct model *model,
		    size_t ops)
{
	double round_ns[ROUNDS];
	size_t passes = 1;

	if (!ops)
		die("nothing to measure", key);
	while (passes_ns(pass, model, passes) < ROUND_NS)
		passes *= 2;
	for (size_t i = 0; i < ROUNDS; i++)
		round_ns[i] = passes_ns(pass, model, passes) / passes / ops;
	qsort(round_ns, ROUNDS, sizeof(*round_ns), by_value);
	printf("%s_ns%s\t%.2f\n", key, suffix, round_ns[0]);
	printf("%s_median_ns%s\t%.2f\n", key, suffix, round_ns[ROUNDS / 2]);
	fflush(stdout);
}

/* A list of strings, as the CPUIDs of the text file. */

struct list {
	char **items;
	size_t count;
};

static void append(struct list *list, const char *s)
{
	char **items = realloc(list->items, (list->count + 1) * sizeof(*items));

	if (!items)
		die("out of memory", "realloc");
	items[list->count++] = copy(s);
	list->items = items;
}

/* The lines up to a comma, without empty ones, comments and the first `skip`. */
static struct list read_lines(const char *path, size_t skip)
{
	struct list list = { 0 };
	FILE *file = fopen(path, "r");
	char line[4096];

	if (!file)
		die("cannot be read", path);
	while (fgets(line, sizeof(line), file)) {
		line[strcspn(line, ",\r\n")] = '\0';
		if (skip)
			skip--;
		else if (*line && *line != '#')
			append(&list, line);
	}
	fclose(file);
	return list;
}

/* One model: its table, its PMUs, its names in the shuffled order. */

struct pair {
	struct perf_pmu *pmu;
	char *name;
	char *missing;
};

struct model {
	const char *cpuid;
	const struct pmu_events_table *table;
	struct perf_pmu *pmus;
	size_t pmu_count;
	struct pair *pairs;
	size_t pair_count;
	const struct list *cpuids;
};

struct gathered {
	struct list pmus;
	struct list names;
};

static int gather(const struct pmu_event *event, const struct pmu_events_table *table, void *data)
{
	struct gathered *g = data;

	(void)table;
	append(&g->pmus, event->pmu);
	append(&g->names, event->name);
	return 0;
}

static const char *table_name(const struct perf_pmu *pmu)
{
	return pmu->is_core ? CORE : pmu->name;
}

static int by_pair(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;
	int order = strcmp(table_name(x->pmu), table_name(y->pmu));

	return order ? order : strcmp(x->name, y->name);
}

static void shuffle(struct pair *pairs, size_t count)
{
	uint64_t x = 1;

	for (size_t i = count; i-- > 1;) {
		struct pair kept = pairs[i];
		size_t other;

		x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		other = (x >> 33) % (i + 1);
		pairs[i] = pairs[other];
		pairs[other] = kept;
	}
}

static struct model load(const char *cpuid, const struct list *cpuids)
{
	struct model m = { .cpuid = cpuid, .cpuids = cpuids };
	struct gathered g = { 0 };

	m.table = find_core_events_table("x86", cpuid);
	if (!m.table)
		die("no row matches", cpuid);
	pmu_events_table__for_each_event(m.table, NULL, gather, &g);
	m.pair_count = g.names.count;
	m.pairs = allocate(m.pair_count, sizeof(*m.pairs));
	m.pmus = allocate(m.pair_count, sizeof(*m.pmus)); /* more than enough */
	for (size_t i = 0; i < m.pair_count; i++) {
		struct pair *pair = &m.pairs[i];
		size_t p = 0;

		while (p < m.pmu_count && strcmp(table_name(&m.pmus[p]), g.pmus.items[i]))
			p++;
		if (p == m.pmu_count) {
			m.pmus[p].is_core = !strcmp(g.pmus.items[i], CORE);
			m.pmus[p].name = m.pmus[p].is_core ? "cpu" : g.pmus.items[i];
			m.pmu_count++;
		}
		pair->pmu = &m.pmus[p];
		pair->name = g.names.items[i];
		pair->missing = copy(pair->name);
		pair->missing[strlen(pair->missing) - 1] = '~';
	}
	qsort(m.pairs, m.pair_count, sizeof(*m.pairs), by_pair);
	shuffle(m.pairs, m.pair_count);
	return m;
}

/* The passes: what is measured. */

static uint64_t first(const char *s)
{
	return s ? (unsigned char)*s : 0;
}

static int found_one(const struct pmu_event *event, const struct pmu_events_table *table,
		     void *data)
{
	(void)table;
	*(uint64_t *)data += first(event->name) + first(event->event);
	return 0;
}

static int visited_one(const struct pmu_event *event, const struct pmu_events_table *table,
		       void *data)
{
	(void)table;
	*(uint64_t *)data += first(event->name) + first(event->event) + first(event->topic) +
			     first(event->desc) + first(event->pmu) + event->perpkg +
			     event->deprecated;
	return 0;
}

static uint64_t find_names(const struct model *m)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < m->pair_count; i++)
		pmu_events_table__find_event(m->table, m->pairs[i].pmu, m->pairs[i].name, found_one,
					     &sum);
	return sum;
}

/* As for a name without a PMU: every PMU is asked whether it has the event. */
static uint64_t miss_names(const struct model *m)
{
	uint64_t found = 0;

	for (size_t i = 0; i < m->pair_count; i++)
		for (size_t p = 0; p < m->pmu_count; p++)
			found += !pmu_events_table__find_event(m->table, &m->pmus[p],
							       m->pairs[i].missing, NULL, NULL);
	return found;
}

static uint64_t miss_names_core(const struct model *m)
{
	static struct perf_pmu core = { .name = "cpu", .is_core = true };
	uint64_t found = 0;

	for (size_t i = 0; i < m->pair_count; i++)
		found += !pmu_events_table__find_event(m->table, &core, m->pairs[i].missing, NULL,
						       NULL);
	return found;
}

static uint64_t visit_events(const struct model *m)
{
	uint64_t sum = 0;

	pmu_events_table__for_each_event(m->table, NULL, visited_one, &sum);
	return sum;
}

static uint64_t match_cpuids(const struct model *m)
{
	uint64_t found = 0;

	for (size_t i = 0; i < m->cpuids->count; i++)
		found += !!find_core_events_table("x86", m->cpuids->items[i]);
	return found;
}

static uint64_t match_own_cpuid(const struct model *m)
{
	return !!find_core_events_table("x86", m->cpuid);
}

static uint64_t miss_cpuid(const struct model *m)
{
	(void)m;
	return !!find_core_events_table("x86", MISSING_CPUID);
}

/* Nothing is measured that does not do what its name says. */
static void verify(const struct model *m)
{
	for (size_t i = 0; i < m->pair_count; i++) {
		uint64_t sum = 0;

		if (pmu_events_table__find_event(m->table, m->pairs[i].pmu, m->pairs[i].name,
						 found_one, &sum) || !sum)
			die("event not found", m->pairs[i].name);
	}
	if (miss_names(m) || miss_names_core(m))
		die("misspelt names found", m->cpuid);
	if (match_cpuids(m) != m->cpuids->count || !match_own_cpuid(m))
		die("a CPUID has no table", m->cpuid);
	if (miss_cpuid(m))
		die("has a table", MISSING_CPUID);
}

static void measure_model(const struct model *m, const char *suffix)
{
	verify(m);
	printf("pmus%s\t%zu\n", suffix, m->pmu_count);
	printf("events%s\t%zu\n", suffix, m->pair_count);
	printf("visit_sum%s\t%llu\n", suffix, (unsigned long long)visit_events(m));
	measure("name_found", suffix, find_names, m, m->pair_count);
	measure("name_missed", suffix, miss_names, m, m->pair_count);
	measure("name_missed_core", suffix, miss_names_core, m, m->pair_count);
	measure("event_visited", suffix, visit_events, m, m->pair_count);
	measure("cpuid_own", suffix, match_own_cpuid, m, 1);
}

static int check(const char *cpuids_path, const char *map_path)
{
	struct list cpuids = read_lines(cpuids_path, 0), rows = read_lines(map_path, 1);

	if (cpuids.count != rows.count)
		die("not one CPUID for each row", cpuids_path);
	for (size_t i = 0; i < rows.count; i++) {
		size_t row = 0;

		while (row < rows.count && strcmp_cpuid_str(rows.items[row], cpuids.items[i]))
			row++;
		if (row != i)
			die("another row matches first, or none", cpuids.items[i]);
	}
	printf("cpuids_checked\t%zu\n", rows.count);
	return 0;
}

int main(int argc, char **argv)
{
	struct model model, small;
	struct list cpuids;

	if (argc == 4 && !strcmp(argv[1], "check"))
		return check(argv[2], argv[3]);
	if (argc < 2 || argc > 4) {
		fputs("usage: peer CPUIDS [CPUID [SMALL_CPUID]]\n"
		      "       peer check CPUIDS MAPFILE\n", stderr);
		return 2;
	}
	cpuids = read_lines(argv[1], 0);
	model = load(argc > 2 ? argv[2] : DEFAULT_CPUID, &cpuids);
	small = load(argc > 3 ? argv[3] : SMALL_CPUID, &cpuids);

	measure_model(&model, "");
	printf("cpuids\t%zu\n", cpuids.count);
	measure("cpuid_matched", "", match_cpuids, &model, cpuids.count);
	measure("cpuid_missed", "", miss_cpuid, &model, 1);
	measure_model(&small, SMALL_SUFFIX);
	return 0;
}
