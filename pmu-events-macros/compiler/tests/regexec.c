// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Answers which patterns match which CPUIDs, by glibc's regexec and perf's
// rules (strcmp_cpuid_str). Each line of the input is `rule TAB pattern TAB
// text`; each line of the output is 1, 0, or ? where regcomp refuses the
// pattern. A match must begin at the first byte, which perf does not ask for.

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t dashes(const char *text)
{
    size_t count = 0;
    for (; *text; text++)
        count += *text == '-';
    return count;
}

static int matches(const char *rule, const regex_t *regex, int full, const char *text)
{
    regmatch_t match;
    size_t length = strlen(text);
    int stepping = dashes(text) == 3;
    if (!strcmp(rule, "x86")) {
        if (full && !stepping)
            return 0;
        if (!full && stepping)
            length = (size_t)(strrchr(text, '-') - text);
    }
    return !regexec(regex, text, 1, &match, 0) && match.rm_so == 0 &&
           (size_t)match.rm_eo == length;
}

int main(void)
{
    char *line = NULL, known[4096] = "";
    size_t room = 0;
    ssize_t length;
    regex_t regex;
    int compiled = -1;
    while ((length = getline(&line, &room, stdin)) > 0) {
        line[length - 1] = 0;
        char *pattern = strchr(line, '\t');
        char *text = pattern ? strchr(pattern + 1, '\t') : NULL;
        if (!text || text - pattern >= (long)sizeof known)
            return 2;
        *pattern++ = 0;
        *text++ = 0;
        // Texts of one pattern follow each other.
        if (compiled < 0 || strcmp(pattern, known)) {
            if (compiled == 0)
                regfree(&regex);
            compiled = regcomp(&regex, pattern, REG_EXTENDED) ? 1 : 0;
            strcpy(known, pattern);
        }
        if (compiled)
            puts("?");
        else
            puts(matches(line, &regex, dashes(pattern) == 3, text) ? "1" : "0");
    }
    return 0;
}
