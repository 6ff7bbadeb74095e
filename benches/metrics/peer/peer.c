// SPDX-License-Identifier: MIT OR Apache-2.0
/*
 * What perf's expr__parse takes.
 *
 *	peer MILLISECONDS VALUE...
 *
 * Reads formulas, one a line, whose identifiers are e0, e1 and so on with those
 * values, and answers each at once with a line of three numbers: nanoseconds of
 * one expr__parse, nanoseconds of all that perf stat does with the parser for a
 * value that it prints, and the formula's value. Each time is the minimum over
 * rounds in MILLISECONDS.
 *
 * Behind a formula may stand metrics that it refers to: a name and a formula
 * each, everything separated by tabs. The first time is nan then, because
 * expr__parse leaves their values in the context.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "expr.h"
#include "hashmap.h"
#include "metricgroup.h"

/* A look at the clock is a thousandth of that. */
#define ROUND_NS 30e3

#define MOST_REFERENCES 16

struct formula {
	char *text;
	struct metric_ref references[MOST_REFERENCES];
	size_t reference_count;
	/* Of the identifiers. */
	char **names;
	double *values;
	size_t count;
	/* With their values. */
	struct expr_parse_ctx *ready;
};

static void die(const char *what, const char *which)
{
	fprintf(stderr, "peer: %s: %s\n", what, which);
	exit(2);
}

static void *checked(void *p)
{
	if (!p)
		die("out of memory", "malloc");
	return p;
}

static double number(const char *text)
{
	char *end;
	double value = strtod(text, &end);

	if (end == text || *end)
		die("not a number", text);
	return value;
}

static double value_of(const char *name, char **values, size_t count)
{
	char *end;
	unsigned long n = strtoul(name + 1, &end, 10);

	if (name[0] != 'e' || end == name + 1 || *end || n >= count)
		die("no value for", name);
	return number(values[n]);
}

/* As prepare_metric in stat-shadow.c: a name for each, which the context owns. */
static struct expr_parse_ctx *filled(const struct formula *formula)
{
	struct expr_parse_ctx *ctx = checked(expr__ctx_new());

	for (size_t i = 0; i < formula->count; i++)
		if (expr__add_id_val_source_count(ctx, checked(strdup(formula->names[i])),
						  formula->values[i], 1))
			die("cannot be added", formula->names[i]);
	for (size_t i = 0; i < formula->reference_count; i++)
		if (expr__add_ref(ctx, (struct metric_ref *)&formula->references[i]))
			die("cannot be added", formula->references[i].metric_name);
	return ctx;
}

static double parse(const struct formula *formula)
{
	double value;

	if (expr__parse(&value, formula->ready, formula->text))
		die("not parsed", formula->text);
	return value;
}

/* As generic_metric in stat-shadow.c, each time that a value is printed. */
static double fill_and_parse(const struct formula *formula)
{
	struct expr_parse_ctx *ctx = filled(formula);
	double value;

	if (expr__parse(&value, ctx, formula->text))
		die("not parsed", formula->text);
	expr__ctx_free(ctx);
	return value;
}

/* perf, too, has the parser tell which events a formula needs. */
static struct formula load(char *line, char **values, size_t value_count)
{
	struct formula formula = { .text = strsep(&line, "\t") };
	struct expr_parse_ctx *ctx = checked(expr__ctx_new());
	struct hashmap_entry *entry;
	size_t bucket;

	if (expr__find_ids(formula.text, NULL, ctx))
		die("not parsed", formula.text);
	while (line) {
		struct metric_ref *reference = &formula.references[formula.reference_count++];

		reference->metric_name = strsep(&line, "\t");
		reference->metric_expr = line ? strsep(&line, "\t") : "";
		if (formula.reference_count == MOST_REFERENCES)
			die("too many references", formula.text);
		if (expr__find_ids(reference->metric_expr, reference->metric_name, ctx))
			die("not parsed", reference->metric_expr);
	}
	formula.names = checked(calloc(hashmap__size(ctx->ids) + 1, sizeof(*formula.names)));
	formula.values = checked(calloc(hashmap__size(ctx->ids) + 1, sizeof(*formula.values)));
	hashmap__for_each_entry(ctx->ids, entry, bucket) {
		formula.names[formula.count] = checked(strdup(entry->pkey));
		formula.values[formula.count++] = value_of(entry->pkey, values, value_count);
	}
	expr__ctx_free(ctx);
	formula.ready = filled(&formula);
	return formula;
}

static void unload(struct formula *formula)
{
	for (size_t i = 0; i < formula->count; i++)
		free(formula->names[i]);
	free(formula->names);
	free(formula->values);
	expr__ctx_free(formula->ready);
}

static double now_ns(void)
{
	struct timespec t;

	if (clock_gettime(CLOCK_MONOTONIC, &t))
		die("no monotonic clock", "clock_gettime");
	return t.tv_sec * 1e9 + t.tv_nsec;
}

static volatile double sink;

static double round_ns(double (*work)(const struct formula *), const struct formula *formula,
		       size_t calls)
{
	double start = now_ns();

	for (size_t i = 0; i < calls; i++)
		sink = work(formula);
	return now_ns() - start;
}

static double fastest_ns(double (*work)(const struct formula *), const struct formula *formula,
			 double slice_ns)
{
	double fastest = INFINITY, end;
	size_t calls = 1;

	while (round_ns(work, formula, calls) < ROUND_NS)
		calls *= 2;
	end = now_ns() + slice_ns;
	do {
		fastest = fmin(fastest, round_ns(work, formula, calls) / calls);
	} while (now_ns() < end);
	return fastest;
}

int main(int argc, char **argv)
{
	char *line = NULL;
	size_t size = 0;
	double slice_ns;

	if (argc < 3) {
		fputs("usage: peer MILLISECONDS VALUE... <FORMULAS\n", stderr);
		return 2;
	}
	slice_ns = number(argv[1]) * 1e6;
	while (getline(&line, &size, stdin) > 0) {
		struct formula formula;
		double parse_ns = NAN, filled_ns;

		line[strcspn(line, "\n")] = '\0';
		formula = load(line, argv + 2, argc - 2);
		if (!formula.reference_count)
			parse_ns = fastest_ns(parse, &formula, slice_ns);
		filled_ns = fastest_ns(fill_and_parse, &formula, slice_ns);
		printf("%.2f\t%.2f\t%.17g\n", parse_ns, filled_ns, fill_and_parse(&formula));
		/* Who asks waits for the answer. */
		if (fflush(stdout))
			die("cannot be written", "standard output");
		unload(&formula);
	}
	free(line);
	return 0;
}
