/* utet: looks into .tet files from a shell. Chooses the command; exit status 0 done, 1 error, 2 usage. */
#define _POSIX_C_SOURCE 200809L
#include "tool.h"

#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "Usage: utet COMMAND …\n"
    "\n"
    "  utet info FILE [--json] [--all] [--strict]\n"
    "                                         layout, datasets and chunks of a .tet file\n"
    "  utet read FILE DATASET [--slab SLAB] [--format raw|npy|csv|text] [-o OUT]\n"
    "            [--budget BYTES] [--codec small|upstream] [--strict]\n"
    "                                         values, dense and row-major; raw: little-endian\n"
    "  utet verify FILE [--json] [--deep] [--codec small|upstream]\n"
    "                                         checks a file; decodes the first 128 chunks, --deep: all\n"
    "  utet fit FILE --ram BYTES [--codec small|upstream]\n"
    "                                         which datasets a machine with so much memory can read\n"
    "  utet show FILE DATASET [--slab SLAB] [-o OUT.png]\n"
    "            [--budget BYTES] [--codec small|upstream] [--strict]\n"
    "                                         a picture of a 2-D selection, in the terminal or as PNG\n"
    "  utet --help, -h, --version\n"
    "\n"
    "DATASET is a name, or #N for record N of the directory, from 0.\n"
    "SLAB is start:stop:step for each axis, separated by commas; each part may be left out, and a\n"
    "single number is one index: --slab 0,10:20,::2. Or axes by name, start and stop by label (the\n"
    "stop is not included): --slab time=2024-01-01:2024-01-03,station=B. Digits are an index; a label\n"
    "in quotes may be anything: --slab 'time=\"00:30\",year=\"1990\"'\n"
    "BYTES may end in K, M or G (times 1024). --budget limits the library's workspace; the word\n"
    "\"file\" takes the budget that the file itself states. Without it, it gets what it needs.\n"
    "--strict refuses, before anything is delivered, a file whose footer or rows the reference refuses;\n"
    "without it a damaged footer costs history and metadata only.\n"
    "Without --format the end of OUT decides (.npy, .csv, .txt); a terminal gets text, all else raw.\n"
    "\n"
    "Exit status: 0 done, 1 an error (one line on standard error), 2 wrong usage.\n";

typedef struct command {
    const char *name;
    const char *options; /* letters, see options.c */
    int arguments;
    int (*run)(const options *opt);
} command;

static const command commands[] = {
    { "info", "jat", 1, command_info },      { "read", "sfobct", 2, command_read },
    { "verify", "jdc", 1, command_verify },  { "fit", "rc", 1, command_fit },
    { "show", "sobct", 2, command_show },
};

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
    printf("utet %d.%d.%d\n%s\n", UTET_VERSION / 10000, UTET_VERSION / 100 % 100, UTET_VERSION % 100,
           utet_build_info());
    return finish_stdout(TOOL_OK);
}

int main(int argc, char **argv)
{
    options opt;
    size_t i;

    keep_standard_streams();
    (void)setlocale(LC_CTYPE, "");
    (void)signal(SIGPIPE, SIG_IGN); /* writing then fails with EPIPE, and that is reported */

    if (argc < 2)
        return usage("no command");
    if (strcmp(argv[1], "--version") == 0)
        return version();
    for (i = 1; i < (size_t)argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            fputs(help, stdout);
            return finish_stdout(TOOL_OK);
        }
    }
    for (i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (strcmp(argv[1], commands[i].name) == 0) {
            int result = options_parse(&opt, argc - 1, argv + 1, commands[i].options, commands[i].arguments);

            if (result == TOOL_OK)
                result = commands[i].run(&opt);
            return result == TOOL_USAGE ? result : finish_stdout(result);
        }
    }
    return usage("no command called %s", argv[1]);
}
