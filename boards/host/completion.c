/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Completion for bash, zsh and fish, made from the tables of commands and options. The values of an option follow from
 * its argument: words in small letters as they are, BOARD the built-in targets, TYPE the dtypes, FILE and OUT files. */
#include "commands.h"
#include "fit/target.h"

#include <string.h>

/* Returns 1 if the command's second argument is the name of a dataset, 2 if it is a dataset or a file, else 0. */
static int takes_dataset(const command *c)
{
    return (strstr(c->arguments, "DATASET") != NULL) + (strstr(c->arguments, "QUERY") != NULL);
}

static int takes_file(const option_row *o)
{
    return strstr(o->argument, "FILE") != NULL || strncmp(o->argument, "OUT", 3) == 0;
}

static void put_boards(void)
{
    size_t length;
    const char *name;
    size_t i;

    fputs("list", stdout);
    for (i = 0; (name = target_builtin(i, &length)) != NULL; i++)
        printf(" %.*s", (int)length, name);
}

static void put_dtypes(void)
{
    uint32_t tag;

    for (tag = UTET_F32; tag < UTET_DTYPE_END; tag++)
        printf("%s%s", tag > UTET_F32 ? " " : "", utet_show_dtype(tag));
}

/* Prints the values that an option accepts, separated by blanks. */
static void put_words(const option_row *o)
{
    const char *at = o->argument;
    int more = 0;

    while (*at != '\0') {
        const size_t length = strcspn(at, "|,");

        if (strncmp(at, "BOARD", 5) == 0) {
            put_boards();
            more = 1;
        } else if (strncmp(at, "TYPE", 4) == 0) {
            put_dtypes();
            more = 1;
        } else if (*at < 'A' || *at > 'Z') {
            printf("%s%.*s", more ? " " : "", (int)length, at);
            more = 1;
        }
        at += length + (at[length] != '\0');
    }
}

/* Prints a text for single quotes, with a backslash before each character in `escaped`. */
static void put_quoted(const char *text, const char *escaped)
{
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            fputs("'\\''", stdout);
        else if (strchr(escaped, *text) != NULL)
            printf("\\%c", *text);
        else
            putchar(*text);
    }
}

/* ---- bash ---- */

static void bash_command(const command *c)
{
    const option_row *o;
    size_t at = 0;

    printf("    %s)\n        options='", c->name);
    while ((o = option_row_next(c, &at)) != NULL)
        if (o->name != NULL)
            printf("--%s ", o->name);
    printf("' datasets=%d\n        case $before in\n", takes_dataset(c));
    for (at = 0; (o = option_row_next(c, &at)) != NULL;) {
        if (o->name == NULL || o->argument == NULL)
            continue;
        printf("        --%s", o->name);
        if (o->letter != 0)
            printf(" | -%c", o->letter);
        fputs(") values='", stdout);
        put_words(o);
        printf("' files=%d ;;\n", takes_file(o));
    }
    puts("        *) files=1 plain=1 ;;\n        esac ;;");
}

static void bash(void)
{
    const command *c;

    puts("# bash completion for utet: source <(utet help --completion bash)\n"
         "_utet_datasets() { # FILE\n"
         "    local name\n"
         "    while IFS= read -r name; do\n"
         "        [[ $name == \"$word\"* ]] && COMPREPLY+=(\"$name\")\n"
         "    done < <(\"${COMP_WORDS[0]}\" info -1 -- \"${1//\\\\/}\" 2>/dev/null)\n"
         "}\n"
         "_utet() {\n"
         "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
         "    local options= values= files=0 plain=0 datasets=0 i\n"
         "    COMPREPLY=()");
    fputs("    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        COMPREPLY=($(compgen -W '", stdout);
    for (c = commands; c->name != NULL; c++)
        printf("%s ", c->name);
    puts("help --help --version' -- \"$word\"))\n        return\n    fi\n"
         "    if [ \"$word\" = = ]; then # --option=\n        word=\n"
         "    elif [ \"$before\" = = ]; then # --option=value\n        before=${COMP_WORDS[COMP_CWORD - 2]}\n    fi\n"
         "    case ${COMP_WORDS[1]} in");
    for (c = commands; c->name != NULL; c++)
        bash_command(c);
    fputs("    help) options='--man --completion' values='", stdout);
    for (c = commands; c->name != NULL; c++)
        printf("%s ", c->name);
    puts("'\n        if [ \"$before\" = --completion ]; then values='bash zsh fish'; fi ;;\n    esac\n"
         "    if [ \"${word:0:1}\" = - ]; then\n"
         "        COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n        return\n    fi\n"
         "    if [ \"${COMP_WORDS[1]}:$before\" = pack:: ]; then # FILE:DATASET\n"
         "        _utet_datasets \"${COMP_WORDS[COMP_CWORD - 2]}\"\n        return\n    fi\n"
         "    if [ \"$plain$datasets\" = 11 ] || [ \"$plain$datasets\" = 12 ]; then\n"
         "        for ((i = 2; i < COMP_CWORD; i++)); do\n"
         "            if [ -f \"${COMP_WORDS[i]//\\\\/}\" ]; then\n"
         "                _utet_datasets \"${COMP_WORDS[i]}\"\n                [ \"$datasets\" = 2 ] || return\n"
         "                break\n            fi\n"
         "        done\n    fi\n"
         "    [ -z \"$values\" ] || COMPREPLY=($(compgen -W \"$values\" -- \"$word\"))\n"
         "    [ \"$files\" = 0 ] || while IFS= read -r i; do COMPREPLY+=(\"$i\"); done < <(compgen -f -- \"$word\")\n"
         "}\n"
         "complete -o filenames -F _utet utet");
}

/* ---- zsh ---- */

static void zsh_option(const option_row *o)
{
    if (o->letter != 0)
        printf(" \\\n            '(-%c --%s)'{-%c,--%s}'[", o->letter, o->name, o->letter, o->name);
    else
        printf(" \\\n            '--%s[", o->name);
    put_quoted(o->help, "[]:\\");
    putchar(']');
    if (o->argument != NULL) {
        fputs(o->id == OPTION_ASK ? "::" : ":", stdout);
        put_quoted(o->argument, "[]:\\");
        fputs(takes_file(o) ? ":{_files; compadd " : ":{compadd ", stdout);
        fputs("-- ", stdout);
        put_words(o);
        putchar('}');
    }
    putchar('\'');
}

static void zsh(void)
{
    const command *c;
    const option_row *o;
    size_t at;

    puts("#compdef utet\n# zsh completion for utet: a file _utet in a folder of fpath\n"
         "_utet_datasets() {\n    local word\n    local -a names\n"
         "    for word in ${words[2,CURRENT-1]}; do\n        if [[ -f ${(Q)word} ]]; then\n"
         "            names=(${(f)\"$(_call_program datasets utet info -1 -- $word)\"})\n"
         "            compadd -a names\n            return\n        fi\n    done\n}\n"
         "_utet() {\n    local -a list\n    if (( CURRENT == 2 )); then\n        list=(");
    for (c = commands; c->name != NULL; c++) {
        printf("            '%s:", c->name);
        put_quoted(c->about, "\\");
        puts("'");
    }
    puts("            'help:Describe the commands'\n        )\n        _describe command list\n        return\n    fi\n"
         "    shift words\n    (( CURRENT-- ))\n    case $words[1] in");
    for (c = commands; c->name != NULL; c++) {
        printf("    %s)\n        _arguments", c->name);
        for (at = 0; (o = option_row_next(c, &at)) != NULL;)
            if (o->name != NULL)
                zsh_option(o);
        puts(takes_dataset(c) == 2 ? " \\\n            '1:FILE:_files' '2:DATASET or QUERY:{_utet_datasets; _files}' ;;"
             : takes_dataset(c)    ? " \\\n            '1:FILE:_files' '2:DATASET:_utet_datasets' ;;"
                                   : " \\\n            '*:FILE:_files' ;;");
    }
    fputs("    help)\n        _arguments '--man[Print the man page]' "
          "'--completion[Print the completion for a shell]:SHELL:(bash zsh fish)' '1:COMMAND:(",
          stdout);
    for (c = commands; c->name != NULL; c++)
        printf("%s ", c->name);
    puts(")' ;;\n    esac\n}\n_utet \"$@\"");
}

/* ---- fish ---- */

static void fish_option(const command *c, const option_row *o)
{
    printf("complete -c utet -n '__fish_seen_subcommand_from %s' -l %s", c->name, o->name);
    if (o->letter != 0)
        printf(" -s %c", o->letter);
    if (o->argument != NULL) {
        fputs(takes_file(o) ? " -r -F -a '" : o->id == OPTION_ASK ? " -f -a '" : " -x -a '", stdout);
        put_words(o);
        putchar('\'');
    }
    fputs(" -d '", stdout);
    put_quoted(o->help, "\\");
    puts("'");
}

static void fish(void)
{
    const command *c;
    const option_row *o;
    size_t at;

    puts("# fish completion for utet: utet help --completion fish | source\n"
         "function __utet_datasets\n"
         "    for word in (commandline -opc)[3..-1]\n"
         "        if test -f $word\n            utet info -1 -- $word 2>/dev/null\n            return\n        end\n"
         "    end\nend");
    for (c = commands; c->name != NULL; c++) {
        printf("complete -c utet -n __fish_use_subcommand -f -a %s -d '", c->name);
        put_quoted(c->about, "\\");
        puts("'");
        for (at = 0; (o = option_row_next(c, &at)) != NULL;)
            if (o->name != NULL)
                fish_option(c, o);
        if (takes_dataset(c))
            printf("complete -c utet -n '__fish_seen_subcommand_from %s' -a '(__utet_datasets)' -d dataset\n", c->name);
    }
    puts("complete -c utet -n __fish_use_subcommand -f -a help -d 'Describe the commands'\n"
         "complete -c utet -n '__fish_seen_subcommand_from help' -l man -d 'Print the man page'\n"
         "complete -c utet -n '__fish_seen_subcommand_from help' -l completion -x -a 'bash zsh fish' "
         "-d 'Print the completion for a shell'");
    fputs("complete -c utet -n '__fish_seen_subcommand_from help' -f -a '", stdout);
    for (c = commands; c->name != NULL; c++)
        printf("%s ", c->name);
    puts("'");
}

int completion_print(const char *shell)
{
    if (strcmp(shell, "zsh") == 0)
        zsh();
    else if (strcmp(shell, "fish") == 0)
        fish();
    else
        bash();
    return finish_stdout(TOOL_OK);
}
