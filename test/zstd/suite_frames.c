/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * zstd frames that once got different results from our decoders and from libzstd: golden files with single bytes
 * changed, read by every codec and compared with the second reader. suite_damage found them; they are here by name so
 * that the quick tier has them.
 */
#include "golden_list.h"
#include "reader.h"
#include "tetref.h"

#include <stdlib.h>
#include <string.h>

typedef struct change {
    const char *file;
    size_t at;
    uint8_t value;
} change;

static void judged(const change *c, utet_status wanted)
{
    golden_list list = golden_load();
    char why[300];
    uint8_t *bytes = NULL;
    size_t size = 0;
    for (size_t i = 0; i < list.count && bytes == NULL; i++)
        if (strcmp(list.files[i].name, c->file) == 0) {
            bytes = golden_bytes(&list.files[i], why);
            size = (size_t)list.files[i].size;
        }
    assert_non_null(bytes);
    bytes[c->at] = c->value;
    tetref t;
    uint8_t *dense = NULL;
    size_t dense_size;
    assert_int_equal(tetref_open(&t, bytes, size), TETREF_OK);
    tetref_verdict verdict = tetref_read(&t, 0, 0, 1 << 20, &dense, &dense_size);
    suite_check((verdict == TETREF_OK) == (wanted == UTET_OK), "%s: libzstd disagrees with this test", c->file);
    for (int codec = 0; codec < (int)rig_codecs(); codec++) {
        rig r;
        rig_make(&r, bytes, size, codec);
        assert_int_equal(rig_open(&r, 4 << 20, (size_t)-1), UTET_OK);
        utet_status status = reader_whole_status(&r, 0, c->file);
        if (status == UTET_END)
            status = UTET_OK;
        suite_check(status == wanted, "%s, byte %zu = %u, %s: %s", c->file, c->at, c->value,
                    rig_codec_name((unsigned)codec), rig_status(status));
        rig_end(&r, c->file);
    }
    free(dense);
    tetref_free(&t);
    free(bytes);
    golden_free(&list);
}

/* Window descriptor: 2^27 is the largest; the mantissa counts (§5, windowLog <= 27). */
static void window_of_2_27_is_read(void **state)
{
    (void)state;
    judged(&(change){"V10_two_frames.tet", 221, 0x88}, UTET_OK);
}
static void window_just_over_2_27_is_refused(void **state)
{
    (void)state;
    judged(&(change){"V10_two_frames.tet", 221, 0x89}, UTET_E_ZSTD_WINDOW);
}
static void window_nearly_2_28_is_refused(void **state)
{
    (void)state;
    judged(&(change){"V10_two_frames.tet", 221, 0x8F}, UTET_E_ZSTD_WINDOW);
}

/* An empty frame whose header states one byte. libzstd, fed block by block, would not compare the size if the last
 * block is plain and empty (1.5.7; its streaming calls compare it). */
static void content_size_of_an_empty_frame(void **state)
{
    (void)state;
    judged(&(change){"V10_three_frames_one_empty.tet", 240, 1}, UTET_E_PAYLOAD);
}

/* The same frame with a block of the type "compressed", whose content is only the headers of its sections. */
static void compressed_block_of_no_bytes(void **state)
{
    (void)state;
    judged(&(change){"V10_three_frames_one_empty.tet", 241, 5}, UTET_E_PAYLOAD);
}

int main(void)
{
    const struct CMUnitTest cases[] = {
        cmocka_unit_test(window_of_2_27_is_read),        cmocka_unit_test(window_just_over_2_27_is_refused),
        cmocka_unit_test(window_nearly_2_28_is_refused), cmocka_unit_test(content_size_of_an_empty_frame),
        cmocka_unit_test(compressed_block_of_no_bytes),
    };
    return SUITE("frames", cases);
}
