/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* What -h says, the man page and the completion for bash, all from the table of commands. */
#include "commands.h"

#include <string.h>

#define LINE 100u /* columns of help */
#define ABOUT 28u /* columns of an option's form, before what it is */

static const char head[] = "Usage: utet COMMAND …\n"
                           "\n"
                           "Reads, checks and makes .tet tensor files, with the same core as the firmware.\n"
                           "\n";

#define HELP_FORM                                                                                             \
    "  utet help [COMMAND|--man|--completion], utet --help, utet COMMAND --help\n"                            \
    "                                         what utet, or one command, takes; --man prints the man page,\n" \
    "                                         --completion the completion for bash\n"

static const char notes[] =
    "DATASET is a name, or #N for record N of the directory, from 0; a file with one dataset needs none.\n"
    "IN is a file, or FILE:DATASET for one array of it.\n"
    "SLAB is start:stop:step for each axis, separated by commas; each part may be left out, and a\n"
    "single number is one index: --slab 0,10:20,::2. Or axes by name, start and stop by label (the\n"
    "stop is not included): --slab time=2024-01-01:2024-01-03,station=B. Digits are an index; a label\n"
    "in quotes may be anything, two quotes in it are one: --slab 'time=\"00:30\",year=\"1990\"'\n"
    "BYTES may end in K, M or G (times 1024). --budget limits the library's workspace; the word\n"
    "\"file\" takes the budget that the file itself states. Without it, it gets what it needs.\n"
    "--strict refuses, before anything is delivered, a file whose footer or rows the reference refuses;\n"
    "without it a damaged footer costs history and metadata only.\n"
    "Without --format the end of OUT decides (.npy, .csv, .txt); a terminal gets text, all else raw.\n"
    "\n"
    "Exit status: 0 done, 1 an error (one line on standard error), 2 wrong usage.\n";

/* Options of a command, one after the other; null after the last. */
static const option_text *next_option(const command *c, size_t *at)
{
    const option_text *const list = c->own_options != NULL ? c->own_options : option_texts;

    while (list[*at].name != NULL) {
        const option_text *const one = &list[(*at)++];

        if (c->own_options != NULL || strchr(c->options, one->letter) != NULL)
            return one;
    }
    return NULL;
}

int option_is_short(const option_text *o)
{
    return o->letter == 'o' || o->letter == 'w' || o->letter == 'p' || o->letter == '1' || o->letter == 'J';
}

/* " [--slab SLAB]"; returns its length. */
static size_t option_words(const option_text *o, char *buffer)
{
    const int is_short = option_is_short(o);
    const char letter[2] = {(char)(o->letter == 'J' ? 'j' : o->letter), '\0'};

    return (size_t)sprintf(buffer, " [%s%s%s%s]", is_short ? "-" : "--", is_short ? letter : o->name,
                           o->value != NULL ? " " : "", o->value != NULL ? o->value : "");
}

static void print_command(const command *c)
{
    size_t width = (size_t)printf("  utet %s %s", c->name, c->arguments);
    size_t at = 0;
    const option_text *o;
    char text[160];

    while ((o = next_option(c, &at)) != NULL) {
        const size_t length = option_words(o, text);

        text[length - 1] = '\0';
        if (strstr(c->arguments, text + 2) != NULL) /* it must be given, and stands there without brackets */
            continue;
        text[length - 1] = ']';
        if (width + length > LINE)
            width = (size_t)printf("\n           ") - 1;
        fputs(text, stdout);
        width += length;
    }
    printf("\n%41s%s\n", "", c->about);
}

static const command *command_called(const char *name)
{
    size_t i;

    for (i = 0; commands[i].name != NULL; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

int help_print(const char *topic)
{
    const command *const one = topic != NULL ? command_called(topic) : NULL;
    const option_text *o;
    size_t at = 0;

    if (topic != NULL && strcmp(topic, "help") == 0) {
        fputs("Usage:\n" HELP_FORM "\n", stdout);
        return finish_stdout(TOOL_OK);
    }
    if (topic != NULL && one == NULL)
        return usage("no command called %s", topic);
    fputs(one != NULL ? "Usage:\n" : head, stdout);
    for (at = 0; commands[at].name != NULL; at++)
        if (one == NULL || one == &commands[at])
            print_command(&commands[at]);
    putchar('\n');
    for (at = 0; one != NULL && (o = next_option(one, &at)) != NULL;) {
        char text[160];

        text[option_words(o, text) - 1] = '\0'; /* without brackets */
        if (strlen(text + 2) > ABOUT)           /* what it is stands on a line of its own */
            printf("  %s\n  %*s %s\n", text + 2, (int)ABOUT, "", o->about);
        else
            printf("  %-*s %s\n", (int)ABOUT, text + 2, o->about);
    }
    if (one != NULL)
        putchar('\n');
    else
        fputs(HELP_FORM "  utet --version\n\n", stdout);
    fputs(notes, stdout);
    return finish_stdout(TOOL_OK);
}

/* ---- man page ---- */

/* Text for troff: a dash is a minus, a line does not begin with a dot. */
static void put_troff(const char *text)
{
    if (*text == '.' || *text == '\'')
        fputs("\\&", stdout);
    for (; *text != '\0'; text++) {
        if (*text == '-')
            fputs("\\-", stdout);
        else if (*text == '\\')
            fputs("\\e", stdout);
        else
            putchar(*text);
    }
}

static int print_man(void)
{
    size_t i;
    size_t at;
    const option_text *o;
    char text[160];

    printf(".TH UTET 1 \"\" \"utet %s\" \"User Commands\"\n.SH NAME\n"
           "utet \\- reads, checks and makes .tet tensor files\n",
           UTET_VERSION_TEXT);
    puts(".SH SYNOPSIS\n.B utet\n.I COMMAND\n\\&...\n.SH COMMANDS");
    for (i = 0; commands[i].name != NULL; i++) {
        printf(".SS utet %s ", commands[i].name);
        put_troff(commands[i].arguments);
        putchar('\n');
        put_troff(commands[i].about);
        putchar('\n');
        for (at = 0; (o = next_option(&commands[i], &at)) != NULL;) {
            text[option_words(o, text) - 1] = '\0';
            fputs(".TP\n.B ", stdout);
            put_troff(text + 2);
            putchar('\n');
            put_troff(o->about);
            putchar('\n');
        }
    }
    puts(".SH NOTES\n.nf");
    put_troff(notes);
    puts(".fi");
    return finish_stdout(TOOL_OK);
}

/* ---- completion ---- */

static int print_completion(void)
{
    const option_text *o;
    size_t i;
    size_t at;

    puts("# bash completion for utet: source <(utet help --completion)\n_utet() {\n"
         "    local word=${COMP_WORDS[COMP_CWORD]} options=\n    case ${COMP_WORDS[1]} in");
    for (i = 0; commands[i].name != NULL; i++) {
        printf("    %s) options=\"", commands[i].name);
        for (at = 0; (o = next_option(&commands[i], &at)) != NULL;)
            printf("--%s ", o->name);
        puts("\" ;;");
    }
    puts("    esac\n    if [ \"$COMP_CWORD\" -eq 1 ]; then");
    fputs("        COMPREPLY=($(compgen -W \"", stdout);
    for (i = 0; commands[i].name != NULL; i++)
        printf("%s ", commands[i].name);
    puts("help\" -- \"$word\"))\n    elif [ \"${word:0:1}\" = - ]; then\n"
         "        COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n    else\n"
         "        COMPREPLY=($(compgen -f -- \"$word\"))\n    fi\n}\ncomplete -o filenames -F _utet utet");
    return finish_stdout(TOOL_OK);
}

int command_help(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--man") == 0)
        return print_man();
    if (argc == 2 && strcmp(argv[1], "--completion") == 0)
        return print_completion();
    usage_of("help");
    if (argc > 2)
        return usage("help takes one COMMAND, --man or --completion");
    if (argc == 2 && argv[1][0] == '-')
        return usage("unknown option %s", argv[1]);
    return help_print(argc > 1 ? argv[1] : NULL);
}
