/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* utet: looks into .tet files from a shell. Chooses the command; exit status 0 done, 1 error, 2 usage. */
#define _POSIX_C_SOURCE 200809L
#include "commands.h"
#include "shared/near.h"

#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* Missing standard streams would be replaced by the next files opened: fills the gaps with something that fails. */
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

static int no_command(const char *word)
{
    near_name n;
    char words[96];
    size_t i;

    near_begin(&n, word, strlen(word));
    for (i = 0; commands[i].name != NULL; i++)
        near_add(&n, commands[i].name, strlen(commands[i].name));
    return usage("no command called %s%s", word, near_words(&n, words));
}

static int is_command(const char *word)
{
    size_t i = 0;

    while (commands[i].name != NULL && strcmp(commands[i].name, word) != 0)
        i++;
    return commands[i].name != NULL;
}

int main(int argc, char **argv)
{
    options opt;
    size_t i;

    keep_standard_streams();
    (void)setlocale(LC_CTYPE, "");
    (void)signal(SIGPIPE, SIG_IGN); /* writing then fails with EPIPE: see finish_stdout */
    (void)signal(SIGXFSZ, SIG_IGN); /* … and with EFBIG beyond the limit of `ulimit -f`, which has an error line */

    if (argc < 2)
        return usage("no command");
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)
        return version();
    for (i = 1; i < (size_t)argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return help_print(i > 1 && is_command(argv[1]) ? argv[1] : NULL);
    if (strcmp(argv[1], "help") == 0)
        return command_help(argc - 1, argv + 1);
    for (i = 0; commands[i].name != NULL; i++) {
        int result;

        if (strcmp(argv[1], commands[i].name) != 0)
            continue;
        usage_of(commands[i].name);
        if (commands[i].run_own != NULL) {
            result = commands[i].run_own(argc - 1, argv + 1);
        } else {
            result = options_parse(&opt, argc - 1, argv + 1, &commands[i]);
            if (result == TOOL_OK)
                result = commands[i].run(&opt);
            options_end(&opt);
        }
        return result == TOOL_USAGE ? result : finish_stdout(result);
    }
    return no_command(argv[1]);
}
