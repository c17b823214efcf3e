/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Help screens, made from the tables of commands, options and notes. */
#include "commands.h"

#include <string.h>

#define FORM_COLUMNS 24u /* width of the column of options, before their help */

#define HELP_COMMAND "help [COMMAND|--man|--completion SHELL]"

const option_row *option_row_next(const command *c, size_t *at)
{
    while (option_rows[*at].help != NULL) {
        const option_row *const o = &option_rows[(*at)++];

        if ((o->commands & c->bit) != 0)
            return o;
    }
    return NULL;
}

const char *option_form(const option_row *o, char *buffer)
{
    const char letter[2] = {o->letter, '\0'};
    const char *const argument = o->argument != NULL ? o->argument : "";

    (void)sprintf(buffer, "%s%s%s%s%s", o->letter != 0 ? "-" : "--", o->letter != 0 ? letter : o->name,
                  o->id == OPTION_ASK ? " ["
                  : *argument != '\0' ? " "
                                      : "",
                  argument, o->id == OPTION_ASK ? "]" : "");
    return buffer;
}

/* Prints words from column `at` on, and continues in column `indent`. */
static void put_words(const char *text, size_t at, size_t indent)
{
    int first = 1;

    for (; *text != '\0'; first = 0) {
        const size_t length = strcspn(text, " ");

        if (!first && at + 1 + length > HELP_COLUMNS - 1) {
            printf("\n%*s", (int)indent, "");
            at = indent;
        } else if (!first) {
            putchar(' ');
            at++;
        }
        printf("%.*s", (int)length, text);
        at += length;
        text += length + (text[length] == ' ');
    }
    putchar('\n');
}

static void put_option(const char *form, const char *help)
{
    const size_t indent = FORM_COLUMNS + 4;

    if (strlen(form) > FORM_COLUMNS)
        printf("  %s\n%*s", form, (int)indent, "");
    else
        printf("  %-*s  ", (int)FORM_COLUMNS, form);
    put_words(help, indent, indent);
}

static void put_examples(const char *examples)
{
    puts("\nExamples:");
    for (; *examples != '\0'; examples += strcspn(examples, "\n") + 1)
        printf("  %.*s\n", (int)strcspn(examples, "\n"), examples);
}

static void print_command(const command *c)
{
    const option_row *o;
    const help_note *note;
    char form[80];
    size_t at = 0;

    printf("utet %s - ", c->name);
    put_words(c->about, strlen(c->name) + 8, 2);
    printf("\nUsage: utet %s %s [OPTION...]\n", c->name, c->arguments);
    if (c->details != NULL) {
        putchar('\n');
        put_words(c->details, 0, 0);
    }
    put_examples(c->examples);
    o = option_row_next(c, &at);
    puts(o != NULL && o->name == NULL ? "" : "\nOptions:");
    if (o != NULL && o->name == NULL)
        printf("%s:\n", o->help);
    while (o != NULL) {
        if (o->name != NULL)
            put_option(option_form(o, form), o->help);
        o = option_row_next(c, &at);
        if (o != NULL && o->name == NULL)
            printf("\n%s:\n", o->help);
    }
    for (note = help_notes; note->text != NULL; note++)
        if ((note->commands & c->bit) != 0) {
            putchar('\n');
            put_words(note->text, 0, 0);
        }
}

static void print_list(void)
{
    const command *c;

    fputs("utet - read, check and create Tetration .tet tensor files\n\n"
          "Usage: utet COMMAND [OPTION...] [ARGUMENT...]\n"
          "       utet help COMMAND\n",
          stdout);
    for (c = commands; c->name != NULL; c++) {
        if (c->group != NULL)
            printf("\n%s:\n", c->group);
        printf("  %-9s ", c->name);
        put_words(c->about, 12, 12);
    }
    fputs("\nOptions:\n"
          "  -h, --help     Print this help\n"
          "  -V, --version  Print the version and how utet was built\n"
          "\nExamples:\n"
          "  utet info data.tet\n"
          "  utet read data.tet temperature --slab 10:20,::2 -o part.npy\n"
          "  utet pack field.npy -o field.tet --for stm32vldiscovery\n"
          "  utet fit field.tet --for stm32vldiscovery\n"
          "\n'utet help COMMAND' describes a command; 'utet help --man' prints the man page.\n"
          "\nExit status: 0 success; 1 error, or a negative result of verify, fit or diff;\n"
          "2 incorrect usage. An error prints one line on standard error.\n",
          stdout);
}

static void print_help_of_help(void)
{
    fputs("utet help - Describe the commands\n\n"
          "Usage: utet " HELP_COMMAND "\n\n"
          "Without arguments, lists the commands. COMMAND is one of them.\n"
          "\nExamples:\n"
          "  utet help read\n"
          "  utet help --man > utet.1\n"
          "  source <(utet help --completion bash)\n"
          "\nOptions:\n",
          stdout);
    put_option("--man", "Print the man page, for man(1)");
    put_option("--completion SHELL", "Print the completion for bash (default), zsh or fish");
    puts("\nExit status: 0 success, 1 error, 2 incorrect usage.");
}

int help_print(const char *topic)
{
    if (topic == NULL)
        print_list();
    else if (strcmp(topic, "help") == 0)
        print_help_of_help();
    else if (command_find(topic) != NULL)
        print_command(command_find(topic));
    else
        return command_unknown(topic);
    return finish_stdout(TOOL_OK);
}

int command_help(int argc, char **argv)
{
    static const char *const shells[] = {"bash", "zsh", "fish"};
    size_t i;

    if (argc == 2 && strcmp(argv[1], "--man") == 0)
        return man_print();
    if (argc == 2 && strcmp(argv[1], "--completion") == 0)
        return completion_print(shells[0]);
    if (argc > 1 && argv[1][0] != '-' && command_find(argv[1]) == NULL && strcmp(argv[1], "help") != 0)
        return command_unknown(argv[1]);
    usage_of("help");
    if (argc == 3 && strcmp(argv[1], "--completion") == 0) {
        for (i = 0; i < sizeof shells / sizeof shells[0]; i++)
            if (strcmp(argv[2], shells[i]) == 0)
                return completion_print(shells[i]);
        return usage("--completion: invalid value \"%s\"; use bash, zsh or fish", argv[2]);
    }
    if (argc > 2)
        return usage("too many arguments; give one COMMAND, --man or --completion");
    if (argc == 2 && argv[1][0] == '-')
        return usage("unknown option %s", argv[1]);
    return help_print(argc > 1 ? argv[1] : NULL);
}
