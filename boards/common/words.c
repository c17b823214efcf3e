/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Words and lists of words; see words.h. */
#include "words.h"

#include "print.h"
#include "semihost.h"

static int each_line(const char *name, void (*each)(const char *word))
{
    const int32_t list = semihost_open(name, SEMIHOST_READ);
    char line[160];
    size_t used = 0;
    char c;

    if (list < 0)
        return -1;
    while (semihost_read(list, &c, 1) == 1) {
        if (c != '\n' && used < sizeof line - 1) {
            line[used++] = c;
        } else if (used > 0) {
            line[used] = '\0';
            used = 0;
            each(line);
        }
    }
    (void)semihost_close(list);
    return 0;
}

/* Cuts the next word off, or returns NULL. */
static const char *next_word(char **rest)
{
    char *word = *rest;
    char *end;

    while (*word == ' ')
        word++;
    for (end = word; *end != '\0' && *end != ' '; end++)
        ;
    *rest = *end == ' ' ? end + 1 : end;
    *end = '\0';
    return end == word ? NULL : word;
}

int words_each(void (*each)(const char *word))
{
    static char line[512];
    char *rest = line;
    const char *word;
    int result = semihost_command_line(line, sizeof line);

    if (result == 0)
        (void)next_word(&rest); /* the program's name */
    while (result == 0 && (word = next_word(&rest)) != NULL) {
        if (word[0] == '@')
            result = each_line(word + 1, each);
        else
            each(word);
    }
    return result;
}

int words_main(void (*each)(const char *word), const words_sums *sums)
{
    if (words_each(each) != 0) {
        print_text("no command line, or no such list\n");
        return 2;
    }
    print_text("done");
    print_field(sums->files);
    print_field(sums->read);
    print_field(sums->refused);
    print_field(0);
    print_field(sums->errors);
    print_char('\n');
    return sums->errors == 0 ? 0 : 1;
}
