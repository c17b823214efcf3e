/* Tables whose columns are as wide as their widest cell. Width is counted in characters, not bytes. */
#include "tool.h"

#include <stdlib.h>
#include <string.h>

void table_begin(table *t, unsigned columns)
{
    memset(t, 0, sizeof *t);
    t->columns = columns;
}

static int make_room(table *t)
{
    char **cells;

    if (t->count < t->size)
        return 1;
    cells = realloc(t->cells, (t->size * 2 + 64) * sizeof *cells);
    if (cells == 0) {
        t->failed = 1;
        return 0;
    }
    t->cells = cells;
    t->size = t->size * 2 + 64;
    return 1;
}

/* Control characters become \xNN; at most four bytes for one. */
static char *harmless(const char *text, size_t length)
{
    char *copy = malloc(length * 4 + 1);
    char *to = copy;

    for (; copy != 0 && length > 0; text++, length--) {
        const unsigned char c = (unsigned char)text[0];
        const unsigned char next = length > 1 ? (unsigned char)text[1] : 0;

        if (c == 0xC2 && next >= 0x80 && next <= 0x9F) {
            to += sprintf(to, "\\x%02x", next);
            text++;
            length--;
        } else if (c < 0x20 || c == 0x7F) {
            to += sprintf(to, "\\x%02x", c);
        } else {
            *to++ = (char)c;
        }
    }
    if (copy != 0)
        *to = '\0';
    return copy;
}

void table_text(table *t, const char *text, size_t length)
{
    char *copy;

    if (!make_room(t))
        return;
    copy = harmless(text, length);
    if (copy == 0)
        t->failed = 1;
    else
        t->cells[t->count++] = copy;
}

void table_cell(table *t, const char *text)
{
    table_text(t, text, strlen(text));
}

void table_number(table *t, uint64_t number)
{
    char digits[32];

    table_cell(t, grouped(digits, number));
}

static size_t width_of(const char *text)
{
    size_t width = 0;

    for (; *text != '\0'; text++)
        width += ((unsigned char)*text & 0xC0) != 0x80;
    return width;
}

/* *owed: blanks that are printed only when something follows them. */
static void put_padded(FILE *out, const char *text, size_t width, int right, size_t *owed)
{
    const size_t pad = width - width_of(text);

    if (right)
        *owed += pad;
    for (; *text != '\0' && *owed > 0; --*owed)
        putc(' ', out);
    fputs(text, out);
    *owed += right ? 2 : pad + 2;
}

void table_end(table *t, FILE *out, const char *alignment)
{
    size_t widths[16] = { 0 };
    size_t owed = 0;
    size_t i;

    for (i = 0; i < t->count; i++) {
        const size_t width = width_of(t->cells[i]);

        if (widths[i % t->columns] < width)
            widths[i % t->columns] = width;
    }
    for (i = 0; i < t->count; i++) {
        const unsigned column = (unsigned)(i % t->columns);

        put_padded(out, t->cells[i], widths[column], alignment[column] == 'r', &owed);
        free(t->cells[i]);
        if (column + 1 == t->columns) {
            putc('\n', out);
            owed = 0;
        }
    }
    if (t->failed)
        fputs("(not enough memory for the rest of this table)\n", out);
    free(t->cells);
    memset(t, 0, sizeof *t);
}
