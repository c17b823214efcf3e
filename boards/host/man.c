/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The man page, made from the tables of commands, options and notes. */
#include "commands.h"

#include <string.h>

/* Writes text for troff, up to the end of its line. A hyphen becomes a minus, and no line begins with a control
 * character. */
static void put_troff(const char *text)
{
    if (*text == '.' || *text == '\'')
        fputs("\\&", stdout);
    for (; *text != '\0' && *text != '\n'; text++) {
        if (*text == '-')
            fputs("\\-", stdout);
        else if (*text == '\\')
            fputs("\\e", stdout);
        else
            putchar(*text);
    }
}

static void put_line(const char *text)
{
    put_troff(text);
    putchar('\n');
}

static void put_command(const command *c)
{
    const option_row *o;
    const help_note *note;
    const char *example;
    char form[80];
    size_t at = 0;

    printf(".SS utet %s ", c->name);
    put_line(c->arguments);
    put_troff(c->about);
    puts(".");
    if (c->details != NULL)
        put_line(c->details);
    puts(".PP\nExamples:\n.PP\n.nf\n.RS");
    for (example = c->examples; *example != '\0'; example += strcspn(example, "\n") + 1)
        put_line(example);
    puts(".RE\n.fi");
    while ((o = option_row_next(c, &at)) != NULL) {
        fputs(o->name != NULL ? ".TP\n.B " : ".PP\n", stdout);
        put_line(o->name != NULL ? option_form(o, form) : o->help);
        if (o->name != NULL)
            put_line(o->help);
    }
    for (note = help_notes; note->text != NULL; note++)
        if ((note->commands & c->bit) != 0) {
            puts(".PP");
            put_line(note->text);
        }
}

int man_print(void)
{
    const command *c;

    printf(".TH UTET 1 \"\" \"utet %s\" \"User Commands\"\n.SH NAME\n"
           "utet \\- read, check and create Tetration .tet tensor files\n",
           UTET_VERSION_TEXT);
    puts(".SH SYNOPSIS\n.B utet\n.I COMMAND\n[OPTION...] [ARGUMENT...]\n.PP\n.B utet help\n[COMMAND]\n.SH COMMANDS");
    for (c = commands; c->name != NULL; c++)
        put_command(c);
    puts(".SS utet help [COMMAND]\nDescribe a command.\n.TP\n.B \\-\\-man\nPrint this page\n.TP\n"
         ".B \\-\\-completion bash|zsh|fish\nPrint the completion for a shell");
    puts(".SH EXIT STATUS\n0 success; 1 error, or a negative result of verify, fit or diff; 2 incorrect usage.\n"
         "An error prints one line on standard error.");
    return finish_stdout(TOOL_OK);
}
