// SPDX-License-Identifier: MIT OR Apache-2.0
//
// `perf list` alone, on top of perf's own files: what they need of the rest of perf, and
// what would be different on each machine. SYSFS_PATH and PERF_CPUID say which machine is
// meant.
#include <stdbool.h>
#include <stddef.h>

#include "builtin.h"
#include "util/strlist.h"
#include <subcmd/exec-cmd.h>
#include <subcmd/pager.h>

// There is no cache of static probes.
struct strlist;
struct strlist *build_id_cache__list_all(bool validonly);
struct strlist *build_id_cache__list_all(bool validonly)
{
	(void)validonly;
	return strlist__new(NULL, NULL);
}

void print_libpfm_events(const void *callbacks, void *state);
void print_libpfm_events(const void *callbacks, void *state)
{
	(void)callbacks;
	(void)state;
}

int main(int argc, const char **argv)
{
	exec_cmd_init("perf", "", "", "");
	pager_init("PAGER");
	return cmd_list(argc, argv) & 0xff;
}
