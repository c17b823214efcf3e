/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Texts of the footer that are longer than the part of a text that is kept (32 bytes), over a port that delivers one
 * byte at a time and says "not yet" before each: they are compared to their last byte, and only once. */
#include "metaworld.h"

#include <stdio.h>
#include <string.h>

enum { SHORTEST = 100, LONGEST = 117, TAIL = 18 }; /* longer than the smallest window, and than a fragment of 16 */

static void make(metaworld *w, const char *metadata)
{
    metagen g = metagen_bare;

    g.metadata = metadata;
    metaworld_make(w, &g, 1, 1);
    metaworld_open(w);
    assert_int_equal(w->opened, UTET_OK);
}

/* A text of `length` bytes; *other differs only at `place`. */
static void long_texts(char *text, char *other, size_t length, size_t place)
{
    size_t i;

    for (i = 0; i < length; i++)
        text[i] = (char)('a' + i % 26);
    text[length] = '\0';
    memcpy(other, text, length + 1);
    other[place] = '!';
}

/* The wanted text is in memory: a label is found after one that differs in a single late byte. */
static void long_labels_differ_late(void **state)
{
    static metaworld w;
    char text[LONGEST + 1], other[LONGEST + 1], metadata[500];
    size_t length, back;

    (void)state;
    for (length = SHORTEST; length <= LONGEST; length++)
        for (back = 1; back <= TAIL; back++) {
            utet_value labels;
            uint64_t index = 99;

            long_texts(text, other, length, length - back);
            snprintf(metadata, sizeof metadata,
                     "{\"datasets\":{\"d\":{\"coords\":{\"0\":{\"labels\":[\"%s\",\"%s\"]}}}}}", other, text);
            make(&w, metadata);
            DRIVE_OK(utet_meta_labels(&w.meta, &w.described, 0, &labels));
            DRIVE_OK(utet_list_find(&w.meta, &labels, text, length, &index));
            suite_check(index == 1, "length %zu, %zu from the end: found at %u", length, back, (unsigned)index);
            metaworld_end(&w);
        }
}

/* Both texts are in the file: the coordinates with the name of the axis. */
static void long_names_of_axes(void **state)
{
    static metaworld w;
    char text[LONGEST + 1], other[LONGEST + 1], metadata[700];
    size_t length, back;

    (void)state;
    for (length = SHORTEST; length <= LONGEST; length++)
        for (back = 1; back <= TAIL; back += 4) {
            utet_value labels;

            long_texts(text, other, length, length - back);
            snprintf(metadata, sizeof metadata,
                     "{\"datasets\":{\"d\":{\"dim_names\":[\"%s\"],\"coords\":{\"%s\":{\"labels\":[\"a\",\"b\",\"c\"]},"
                     "\"%s\":{\"labels\":[]}}}}}",
                     text, text, other);
            make(&w, metadata);
            DRIVE_OK(utet_meta_labels(&w.meta, &w.described, 0, &labels));
            suite_check(labels.size == 3, "length %zu, %zu from the end: %u labels", length, back,
                        (unsigned)labels.size);
            metaworld_end(&w);
        }
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(long_labels_differ_late),
        cmocka_unit_test(long_names_of_axes),
    };

    return suite_run("metatexts", cases, sizeof cases / sizeof cases[0]);
}
