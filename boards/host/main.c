/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The program utet: finds the command and calls it. Exit status 0: done; 1: error; 2: wrong usage. */
#define _POSIX_C_SOURCE 200809L
#include "commands.h"

#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* If a standard stream is closed, the next opened file would replace it. Opens /dev/null instead, in the direction that
 * makes every use of the stream fail. */
static void keep_standard_streams(void)
{
    int fd;

    for (fd = 0; fd <= 2; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0)
            _exit(TOOL_ERROR);
    }
}

static int version(void)
{
    printf("utet " UTET_VERSION_TEXT "\n%s\n", utet_build_info());
    return finish_stdout(TOOL_OK);
}

static int run(const command *which, int argc, char **argv)
{
    options opt;
    int result;

    usage_of(which->name);
    if (which->run_own != NULL) {
        result = which->run_own(argc, argv);
    } else {
        result = options_parse(&opt, argc, argv, which);
        if (result == TOOL_OK)
            result = which->run(&opt);
        options_end(&opt);
    }
    return result == TOOL_USAGE ? result : finish_stdout(result);
}

int main(int argc, char **argv)
{
    int i;

    keep_standard_streams();
    (void)setlocale(LC_CTYPE, "");
    (void)signal(SIGPIPE, SIG_IGN); /* then writing fails with EPIPE: see finish_stdout */
    (void)signal(SIGXFSZ, SIG_IGN); /* then writing beyond the limit of `ulimit -f` fails with EFBIG */

    if (argc < 2)
        return usage("missing command");
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)
        return version();
    for (i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return help_print(i > 1 && command_find(argv[1]) != NULL ? argv[1] : NULL);
    if (strcmp(argv[1], "help") == 0)
        return command_help(argc - 1, argv + 1);
    if (command_find(argv[1]) == NULL)
        return command_unknown(argv[1]);
    return run(command_find(argv[1]), argc - 1, argv + 1);
}
