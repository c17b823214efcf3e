/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The commands and their options: one table for the command line, help, the man page and completion. */
#ifndef UTET_TOOL_COMMANDS_H
#define UTET_TOOL_COMMANDS_H

#include "shared/tool.h"

/* Sets of commands: the rows of options and notes say which commands have them. */
enum {
    IN_INFO = 1 << 0,
    IN_READ = 1 << 1,
    IN_SHOW = 1 << 2,
    IN_VERIFY = 1 << 3,
    IN_DIFF = 1 << 4,
    IN_QUERY = 1 << 5,
    IN_PACK = 1 << 6,
    IN_EXPORT = 1 << 7,
    IN_FIT = 1 << 8,
    IN_SCHEMA = 1 << 9,
    IN_MESSAGES = 1 << 10,
    IN_MESSAGE = 1 << 11,
    IN_STATS = 1 << 12,
    IN_SERVE = 1 << 13
};

typedef enum option_id {
    OPTION_HEADING, /* a heading row: help prints it above the options that follow */
    OPTION_JSON,
    OPTION_JSON_LINES,
    OPTION_NAMES,
    OPTION_ALL,
    OPTION_DEEP,
    OPTION_SLAB,
    OPTION_STATS,
    OPTION_PHYSICAL,
    OPTION_FORMAT,
    OPTION_OUTPUT,
    OPTION_BUDGET,
    OPTION_CODEC,
    OPTION_STRICT,
    OPTION_KIND,
    OPTION_AT,
    OPTION_TARGET, /* --for and the options that change the target: target.h */
    OPTION_C,
    OPTION_IMAGE,
    OPTION_NAME,
    OPTION_SECTION,
    OPTION_TOLERANCE,
    OPTION_RELATIVE,
    OPTION_FIRST,
    OPTION_WHERE,
    OPTION_KEYS,
    OPTION_COMMON,
    OPTION_DAMAGED,
    OPTION_OBJECT,
    OPTION_BARE,
    OPTION_LINES,
    OPTION_HIST,
    OPTION_METADATA,
    OPTION_DESCRIPTOR,
    OPTION_PLAN,
    OPTION_NPY,
    OPTION_TRUST_ZONES,
    OPTION_PREVIEW,
    OPTION_JOBS,
    OPTION_ASK, /* a reduction of query: the row has its key */
    OPTION_TEST,
    OPTION_GROUP,
    OPTION_BY,
    OPTION_WINDOW,
    OPTION_ROLLING,
    OPTION_CSV,
    OPTION_SPEED,
    /* pack only; its --output, --budget, --codec, --slab, --name, --metadata and --jobs have the numbers above */
    OPTION_ACCESS,
    OPTION_TILE,
    OPTION_LEVEL,
    OPTION_CHECKSUM,
    OPTION_VERIFY,
    OPTION_INDEX,
    OPTION_ALIGN,
    OPTION_DIMS,
    OPTION_LABELS,
    OPTION_ATTR,
    OPTION_META,
    OPTION_DTYPE,
    OPTION_SHAPE,
    OPTION_OFFSET,
    OPTION_SKIP,
    OPTION_NO_HEADER,
    OPTION_UNITS,
    OPTION_MISSING,
    OPTION_FILL,
    OPTION_THOUSANDS,
    OPTION_DECIMAL,
    OPTION_STRIP,
    OPTION_SEPARATOR,
    OPTION_COMMENT,
    OPTION_SKIP_AFTER,
    OPTION_TIMES,
    OPTION_TIME_FORMAT,
    OPTION_LABELS_FROM,
    OPTION_DROP,
    OPTION_DRY_RUN,
    OPTION_ELEMENTS,
    OPTION_SERIES,
    OPTION_SCALE,
    OPTION_ADD_OFFSET,
    OPTION_SAMPLE,
    OPTION_TABLE
} option_id;

typedef struct option_row {
    const char *name;     /* NULL: a heading */
    const char *argument; /* the argument as help shows it; NULL: the option has no argument */
    const char *help;
    unsigned commands; /* IN_ bits */
    option_id id;
    char letter; /* the short form; 0: the option has no short form */
} option_row;

typedef struct command {
    const char *name;
    unsigned bit; /* IN_ */
    const char *arguments;
    const char *about;    /* one line */
    const char *details;  /* sentences that help prints below the usage line; NULL: none */
    const char *examples; /* one command per line */
    const char *group;    /* heading above the command in the list of commands; NULL: no new heading */
    int least;            /* number of arguments: minimum and maximum */
    int most;
    int (*run)(const options *opt);
    int (*run_own)(int argc, char **argv); /* 1: the command parses its own command line */
} command;

/* A paragraph at the end of a command's help. */
typedef struct help_note {
    unsigned commands;
    const char *text;
} help_note;

/* ---- commands.c ---- */

extern const command commands[];       /* ends with a null name */
extern const option_row option_rows[]; /* ends with a null help */
extern const help_note help_notes[];   /* ends with a null text */

/* Returns the command with this name; NULL: no command has it. */
const command *command_find(const char *name);
/* Prints that no command has this name, and the nearest one; returns TOOL_USAGE. */
int command_unknown(const char *name);

/* ---- options.c ---- */

#define MOST_OPTIONS 192u /* rows of the table */

/* The command line of one command, option by option. */
typedef struct option_reader {
    const command *which;
    int argc;
    char **argv;
    const char *given[MOST_OPTIONS]; /* value of each row that has been read */
    int first;                       /* index of the first argument that is not an option, after the last option */
} option_reader;

/* argv[0] is the command. */
void option_reader_begin(option_reader *r, const command *which, int argc, char **argv);
/* Reads the next option and its value; *row NULL: no more options. Returns TOOL_USAGE after an error line, for example
 * if an option that takes one value is given twice. */
int option_next(option_reader *r, const option_row **row, const char **value);

/* Returns the index of the value among the choices in o->argument (raw|npy|csv); prints an error line if it is none. */
int option_choice(const option_row *o, const char *value, int *chosen);

/* Parses the command line of one command; argv[0] is the command. */
int options_parse(options *opt, int argc, char **argv, const command *which);
/* Frees what options_parse has allocated. Call it after options_parse, whatever that returned. */
void options_end(options *opt);

/* ---- help.c ---- */

/* Width of help screens and of the man page's examples, in columns. */
#define HELP_COLUMNS 80u
/* Returns the command's next row from *at on; NULL after the last row. Skips headings without options. */
const option_row *option_row_next(const command *c, size_t *at);
/* Writes "--slab SLAB" or "-o OUT" into a buffer of at least 80 bytes; returns the buffer. */
const char *option_form(const option_row *o, char *buffer);
/* Prints the help of a command; topic NULL: the list of commands. */
int help_print(const char *topic);
/* utet help [COMMAND|--man|--completion [SHELL]] */
int command_help(int argc, char **argv);

/* ---- man.c, completion.c: to standard output ---- */

int man_print(void);
/* shell: bash, zsh or fish. */
int completion_print(const char *shell);

#endif
