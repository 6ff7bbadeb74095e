// SPDX-License-Identifier: MIT OR Apache-2.0
//
// What perf answers: a program of our own on top of perf's own files. Each line
// of standard input is a question, its fields separated by tabs:
//
//   pmu NAME                  reads a PMU now: perf lists them in this order
//   event STRING              what `-e STRING` would open, a line for each
//                             attribute that begins with a tab; or `refused`
//                             and perf's reason
//   pattern RULE PATTERN ID   whether a row of the map file matches a CPUID, by
//                             the rule of RULE: x86, arm64 or generic
//   formula TEXT NAME=VALUE…  the value of a metric expression, or `refused`
//
// An answer ends with a line that is a full stop. SYSFS_PATH and PERF_CPUID say
// on which machine; `build` says how this is linked. LATER is defined where perf's
// interfaces are those of Linux 7.3 rather than of 6.12.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <api/fs/fs.h>
#include <linux/err.h>
#include <perf/cpumap.h>
#include <subcmd/exec-cmd.h>
#include "util/debug.h"
#include "util/evlist.h"
#include "util/evsel.h"
#include "util/evsel_config.h"
#include "util/expr.h"
#include "util/header.h"
#include "util/parse-events.h"
#include "util/pmu.h"
#include "util/pmus.h"
#ifdef LATER
#include "util/tool_pmu.h"
#endif

// `strcmp_cpuid_str` of architectures other than the one that perf is built for.
int strcmp_cpuid_str_arm64(const char *pattern, const char *id);
int strcmp_cpuid_str_generic(const char *pattern, const char *id);

// `perf_pmus__supports_extended_type` asks the running kernel by this.
bool is_event_supported(u8 type, u64 config);
bool is_event_supported(u8 type, u64 config)
{
	(void)type;
	(void)config;
	return true;
}

// It stumbles over the newline of the file, and asks the C library instead.
struct perf_cpu_map *perf_cpu_map__new_online_cpus(void)
{
	struct perf_cpu_map *online = NULL;
	char *list;
	size_t size;

	if (sysfs__read_str("devices/system/cpu/online", &list, &size) == 0) {
		list[strcspn(list, "\n")] = '\0';
		online = perf_cpu_map__new(list);
		free(list);
	}
	return online;
}

// An answer that takes longer is none: the program dies, and whoever asked
// starts another.
enum { SECONDS = 10 };

static FILE *answers;

static void flag(const char *name, bool is_set)
{
	if (is_set)
		fprintf(answers, "\t%s", name);
}

static void number(const char *name, uint64_t value)
{
	if (value)
		fprintf(answers, "\t%s=%" PRIu64, name, value);
}

static const char *setting(struct evsel_config_term *term, char *buffer, size_t size)
{
#define NUMBER(type, name, field) \
	case EVSEL__CONFIG_TERM_##type: \
		snprintf(buffer, size, name "=%llu", (unsigned long long)term->val.field); \
		break
#define TEXT(type, name) \
	case EVSEL__CONFIG_TERM_##type: \
		snprintf(buffer, size, name "%s", term->val.str); \
		break
	switch (term->type) {
	NUMBER(PERIOD, "period", period);
	NUMBER(FREQ, "freq", freq);
	NUMBER(TIME, "time", time);
	NUMBER(STACK_USER, "stack-size", stack_user);
	NUMBER(INHERIT, "inherit", inherit);
	NUMBER(MAX_STACK, "max-stack", max_stack);
	NUMBER(MAX_EVENTS, "nr", max_events);
	NUMBER(OVERWRITE, "overwrite", overwrite);
	NUMBER(PERCORE, "percore", percore);
	NUMBER(AUX_OUTPUT, "aux-output", aux_output);
	NUMBER(AUX_SAMPLE_SIZE, "aux-sample-size", aux_sample_size);
	TEXT(CALLGRAPH, "call-graph=");
	TEXT(BRANCH, "branch_type=");
	TEXT(DRV_CFG, "@");
#ifdef LATER
	TEXT(AUX_ACTION, "aux-action=");
	TEXT(RATIO_TO_PREV, "ratio-to-prev=");
#endif
	default:
		return NULL;
	}
#undef NUMBER
#undef TEXT
	return buffer;
}

static void settings(struct evsel *evsel)
{
	struct evsel_config_term *term;
	const char *separator = "\tterms=";
	char buffer[4096];

	list_for_each_entry(term, &evsel->config_terms, list) {
		if (!setting(term, buffer, sizeof(buffer)))
			continue;
		fprintf(answers, "%s%s%s", separator, term->weak ? "*" : "", buffer);
		separator = ",";
	}
}

static void words(const struct perf_event_attr *attr)
{
	const uint64_t all[] = {
		attr->config, attr->config1, attr->config2, attr->config3,
#ifdef LATER
		attr->config4,
#endif
	};
	int used = sizeof(all) / sizeof(all[0]) - 1;

	while (used > 0 && !all[used])
		used--;
	fprintf(answers, "\tconfig=%" PRIx64, all[0]);
	for (int i = 1; i <= used; i++)
		fprintf(answers, ",%" PRIx64, all[i]);
}

// As `evsel__apply_config_terms` has it when the event is opened.
static void sampling(const struct evsel *evsel)
{
	const struct evsel_config_term *term;
	const char *name = "period";
	uint64_t value = evsel->core.attr.sample_period;

	list_for_each_entry(term, &evsel->config_terms, list) {
		if (term->type == EVSEL__CONFIG_TERM_PERIOD) {
			name = "period";
			value = term->val.period;
		} else if (term->type == EVSEL__CONFIG_TERM_FREQ) {
			name = "freq";
			value = term->val.freq;
		}
	}
	number(name, value);
}

// Later versions find a PMU for every type; where the kernel numbers the type itself,
// that is all there is to know.
static const char *pmu_of(const struct evsel *evsel)
{
#ifdef LATER
	if (evsel->core.attr.type < PERF_TYPE_MAX || !evsel->pmu)
		return "-";
	return evsel->pmu->name;
#else
	return evsel->pmu_name ? evsel->pmu_name : "-";
#endif
}

static const char *tool_of(const struct evsel *evsel)
{
#ifdef LATER
	return evsel__is_tool(evsel) ? evsel__tool_pmu_event_name(evsel) : NULL;
#else
	return evsel->tool_event ? perf_tool_event__to_str(evsel->tool_event) : NULL;
#endif
}

static void attribute(struct evsel *evsel, const struct evsel *first)
{
	struct perf_event_attr *attr = &evsel->core.attr;
	const struct evsel *leader = evsel__leader(evsel);
	const char *tool = tool_of(evsel);

#ifdef LATER
	// Such an event is never opened; 6.12 has the dummy event here.
	if (tool) {
		attr->type = PERF_TYPE_SOFTWARE;
		attr->config = PERF_COUNT_SW_DUMMY;
	}
#endif
	// `pmu` itself is looked for later on, by what there is of other fields.
	fprintf(answers, "\tpmu=%s\ttype=%u", pmu_of(evsel), attr->type);
	words(attr);
	number("bp_type", attr->bp_type);
	number("precise_ip", attr->precise_ip);
	number("percore", evsel->percore);
	flag("exclude_user", attr->exclude_user);
	flag("exclude_kernel", attr->exclude_kernel);
	flag("exclude_hv", attr->exclude_hv);
	flag("exclude_host", attr->exclude_host);
	flag("exclude_guest", attr->exclude_guest);
	flag("exclude_idle", attr->exclude_idle);
	flag("pinned", attr->pinned);
	flag("exclusive", attr->exclusive);
	flag("sample_read", evsel->sample_read);
	flag("precise_max", evsel->precise_max);
	flag("weak_group", evsel->weak_group);
	flag("bpf_counter", evsel->bpf_counter);
	flag("retire_lat", evsel->retire_lat);
	flag("per_pkg", evsel->per_pkg);
	flag("snapshot", evsel->snapshot);
	if (tool)
		fprintf(answers, "\ttool=%s", tool);
	sampling(evsel);
	if (evsel->scale != 1.0 || (evsel->unit && evsel->unit[0]))
		fprintf(answers, "\tscale=%g%s", evsel->scale, evsel->unit ? evsel->unit : "");
	number("leader", leader->core.idx - first->core.idx);
	if (leader == evsel && evsel->core.nr_members > 1)
		number("members", evsel->core.nr_members);
	settings(evsel);
	fprintf(answers, "\tname=%s", evsel->name ? evsel->name : "-");
	if (evsel->metric_id)
		fprintf(answers, "\tmetric_id=%s", evsel->metric_id);
	putc('\n', answers);
}

static void event(const char *text)
{
	struct evlist *evlist = evlist__new();
	struct parse_events_error error;
	int refused;

	parse_events_error__init(&error);
#ifdef LATER
	// Without a warning of reordered events, for which it renames them.
	refused = __parse_events(evlist, text, NULL, false, &error, false, false, false);
#else
	refused = parse_events(evlist, text, &error);
#endif
	if (refused) {
		// Its text goes to standard error, as nothing else gives it.
		parse_events_error__print(&error, text);
		fprintf(answers, "refused\n");
	} else {
		struct evsel *evsel;

		evlist__for_each_entry(evlist, evsel)
			attribute(evsel, evlist__first(evlist));
	}
	parse_events_error__exit(&error);
#ifdef LATER
	evlist__put(evlist);
#else
	evlist__delete(evlist);
#endif
}

static void pattern(char *fields)
{
	const char *rule = strsep(&fields, "\t");
	const char *pattern = strsep(&fields, "\t");
	const char *id = fields;
	int differs;

	if (!strcmp(rule, "x86"))
		differs = strcmp_cpuid_str(pattern, id);
	else if (!strcmp(rule, "arm64"))
		differs = strcmp_cpuid_str_arm64(pattern, id);
	else
		differs = strcmp_cpuid_str_generic(pattern, id);
	fprintf(answers, "%s\n", differs ? "no" : "yes");
}

static void formula(char *fields)
{
	const char *text = strsep(&fields, "\t");
	struct expr_parse_ctx *context = expr__ctx_new();
	double value;
	char *field;

	while ((field = strsep(&fields, "\t"))) {
		// Names have `=`, and numbers do not. The context frees its names.
		char *value = strrchr(field, '=');

		*value++ = '\0';
		expr__add_id_val(context, strdup(field), strtod(value, NULL));
	}
	if (expr__parse(&value, context, text))
		fprintf(answers, "refused\n");
	else
		fprintf(answers, "%.17g\n", value);
	expr__ctx_free(context);
}

int main(void)
{
	char *line = NULL;
	size_t size = 0;

	// perf's lexers print what they skip.
	answers = fdopen(dup(STDOUT_FILENO), "w");
	if (!answers || !freopen("/dev/null", "w", stdout))
		return 1;
	// Warnings once for each PMU tell us nothing.
	verbose = 0;
	while (getline(&line, &size, stdin) > 0) {
		char *fields = line;
		const char *what;

		line[strcspn(line, "\n")] = '\0';
		what = strsep(&fields, "\t");
		if (!fields)
			return 2;
		alarm(SECONDS);
		if (!strcmp(what, "pmu"))
			perf_pmus__find(fields);
		else if (!strcmp(what, "event"))
			event(fields);
		else if (!strcmp(what, "pattern"))
			pattern(fields);
		else if (!strcmp(what, "formula"))
			formula(fields);
		else
			return 2;
		alarm(0);
		fputs(".\n", answers);
		fflush(answers);
	}
	return 0;
}
