/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The commands and their options: one table for the command line, -h, the man page and completion. */
#ifndef UTET_TOOL_COMMANDS_H
#define UTET_TOOL_COMMANDS_H

#include "shared/tool.h"

typedef struct option_text {
    const char *name;
    int letter;        /* in `command.options`; help.c says which are short options, too */
    const char *value; /* what it takes; null: nothing */
    const char *about;
} option_text;

typedef struct command {
    const char *name;
    const char *arguments; /* as help shows them */
    const char *about;
    const char *options; /* letters; null: own_options */
    int least;           /* arguments */
    int most;
    int (*run)(const options *opt);
    int (*run_own)(int argc, char **argv); /* parses its own command line */
    const option_text *own_options;
} command;

extern const command commands[];         /* ends with a null name */
extern const option_text option_texts[]; /* ends with a null name */
extern const option_text pack_option_texts[];

/* ---- options.c ---- */

#define MOST_OPTIONS 48u /* of a table, with the null name at its end */

/* The name of the option in its table; null: there is none. */
const char *option_name(const option_text *list, int letter);
/* Refuses another value of an option that has one. `given`: what each option of the table has got, null at first. */
int option_once(const option_text *list, int letter, const char *value, const char *given[MOST_OPTIONS]);

/* argv[0] is the command. */
int options_parse(options *opt, int argc, char **argv, const command *which);
/* After options_parse, whatever it returned. */
void options_end(options *opt);

/* ---- help.c ---- */

/* Help and messages say -o, not --output. */
int option_is_short(const option_text *o);
/* -h, with `topic` of one command; null: of all. */
int help_print(const char *topic);
/* utet help [COMMAND] [--man] [--completion] */
int command_help(int argc, char **argv);

#endif
