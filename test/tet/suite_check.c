/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The whole-file check, against the reference's own reports and against a check that keeps everything in memory and
 * compares all pairs, over files whose rows are damaged at random. */
#include "checkworld.h"

/* ---- the reference's verdicts ---- */

/* What the reference reports instead: "parse" for everything that keeps its file from opening. */
static int ours(const char *name)
{
    for (unsigned id = 0; id < UTET_CHECKS; id++)
        if (strcmp(name, utet_check_name(id)) == 0)
            return 1;
    return 0;
}

/* The first failing check of each golden file, among those about rows and records. */
static void golden_verdicts(void **state)
{
    static report p;
    golden_list list = golden_load();
    unsigned asked = 0, bad = 0, decode = 0, waiting = 0, unopened = 0;
    (void)state;
    for (size_t i = 0; i < list.count; i++) {
        const golden_file *f = &list.files[i];
        const golden_line *verify = golden_line_of(f, "verify");
        char why[300], first[64] = "ok";
        uint8_t *bytes = golden_bytes(f, why);
        rig r;
        if (bytes == NULL || verify == NULL || strcmp(verify->word[1], "-") == 0) {
            free(bytes);
            continue;
        }
        rig_make(&r, bytes, f->size, -1);
        utet_status status = check_file(&r, 1 << 16, &p);
        if (status != UTET_END) {
            suite_check(strcmp(verify->word[1], "parse") == 0 || strcmp(verify->word[1], "ANY") == 0,
                        "%s: %s, the reference says %s", f->name, rig_status(status), verify->word[1]);
            unopened++;
        } else {
            const char *line = strstr(p.text, " error 0");
            if (line != NULL) {
                const char *begin = line;
                while (begin > p.text && begin[-1] != '\n')
                    begin--;
                snprintf(first, sizeof first, "%.*s", (int)(line - begin), begin);
            }
            suite_check((line == NULL) == (p.ok != 0), "%s: ok %d with\n%s", f->name, p.ok, p.text);
            if (strcmp(verify->word[1], "ANY") == 0) {
                suite_check(line != NULL, "%s: any failure was expected", f->name);
            } else if (golden_footer_fault(f) || golden_line_of(f, "deviates") != NULL) {
                waiting++;
            } else if (!ours(verify->word[1])) { /* chunk_decode, footer_metadata, ok */
                suite_check(line == NULL, "%s: %s, the reference says %s", f->name, first, verify->word[1]);
                decode += strcmp(verify->word[1], "ok") != 0;
            } else {
                suite_check(strcmp(first, verify->word[1]) == 0, "%s: %s, the reference says %s", f->name, first,
                            verify->word[1]);
                bad++;
            }
        }
        asked++;
        rig_end(&r, f->name);
        free(bytes);
    }
    suite_figure(
        "verdicts equal to the reference's: %u files; %u fail here, %u fail to open, %u in decoding or metadata "
        "(not asked here), %u in what only utet_meta.h reads, or they deviate on purpose",
        asked, bad, unopened, decode, waiting);
    assert_true(asked > 200 && bad > 20 && unopened > 20);
    golden_free(&list);
}

/* Copies the value of a key in one finding of a report, without quotes. */
static void json_value(const char *from, const char *key, char *to, size_t room)
{
    const char *at = strstr(from, key);
    size_t n = 0;
    suite_check(at != NULL, "no %s in a report", key);
    for (at += strlen(key); *at == ':' || *at == '"'; at++)
        ;
    while (strchr("\",}", at[n]) == NULL && n + 1 < room) {
        to[n] = at[n];
        n++;
    }
    to[n] = 0;
}

/* The complete list of findings of the reference's reports (shared vectors), without the checks that are not made
 * here. */
static void reference_reports(void **state)
{
    static report p;
    static char expected[60000];
    const char *shared = getenv("TEST_SHARED");
    char path[1000];
    golden_list list = golden_load();
    unsigned compared = 0;
    (void)state;
    for (size_t i = 0; i < list.count; i++) {
        const golden_file *f = &list.files[i];
        char why[300], *json = NULL;
        long size = 0;
        size_t length = 0;
        rig r;
        if (golden_footer_fault(f) || golden_line_of(f, "deviates") != NULL)
            continue;
        snprintf(path, sizeof path, "%s/vectors/tet/%.*s.verify.json", shared ? shared : "", (int)strlen(f->name) - 4,
                 f->name);
        FILE *in = shared ? fopen(path, "rb") : NULL;
        if (in == NULL)
            continue;
        fseek(in, 0, SEEK_END);
        size = ftell(in);
        rewind(in);
        json = calloc(1, (size_t)size + 1);
        suite_check(json != NULL && fread(json, 1, (size_t)size, in) == (size_t)size, "%s", path);
        fclose(in);
        uint8_t *bytes = golden_bytes(f, why);
        if (bytes == NULL) {
            free(json);
            continue;
        }
        expected[0] = 0;
        for (const char *at = strstr(json, "\"findings\""); (at = strstr(at + 1, "{\"check\"")) != NULL;) {
            char name[64], severity[16], ok[8];
            json_value(at, "\"check\"", name, sizeof name);
            json_value(at, "\"severity\"", severity, sizeof severity);
            json_value(at, "\"ok\"", ok, sizeof ok);
            if (ours(name))
                length += (size_t)snprintf(expected + length, sizeof expected - length, "%s %s %d\n", name, severity,
                                           strcmp(ok, "true") == 0);
        }
        rig_make(&r, bytes, f->size, -1);
        utet_status status = check_file(&r, 4096, &p);
        if (status == UTET_END) {
            char *to = p.text; /* each line is truncated after its third word; lines only of microtet are removed */
            for (char *line = p.text; *line != 0;) {
                char *end = strchr(line, '\n'), *cut = line;
                for (int words = 0; cut < end && words < 3; cut++)
                    words += *cut == ' ' && words < 3;
                if (cut < end)
                    cut--;
                if (strncmp(line, "payload_overlap", 15) != 0 && strncmp(line, "chunk_coords_unused", 19) != 0) {
                    memmove(to, line, (size_t)(cut - line));
                    to += cut - line;
                    *to++ = '\n';
                }
                line = end + 1;
            }
            *to = 0;
            suite_check(strcmp(p.text, expected) == 0, "%s: ours\n%sthe reference's\n%s", f->name, p.text, expected);
        } else {
            suite_check(strcmp(expected, "parse error 0\n") == 0, "%s: %s, the reference's\n%s", f->name,
                        rig_status(status), expected);
        }
        compared++;
        rig_end(&r, f->name);
        free(bytes);
        free(json);
    }
    golden_free(&list);
    suite_figure("reports of the reference compared finding by finding: %u", compared);
    if (compared == 0)
        suite_skip("suite_check reference_reports: the shared vectors are not there");
}

/* With any amount of memory and any behaviour of the port, the check gives the same report. */
static void expect_plain(uint8_t *bytes, size_t size, const record *records, unsigned count, unsigned long number)
{
    static const size_t extra[] = {0, 8, 48, 56, 104, 400, 3000, 100000};
    static report plain, p;
    rig r;
    plain_report(bytes, size, records, count, &plain);
    drop_taste(&plain);
    rig_make(&r, bytes, size, -1);
    for (size_t e = 0; e < sizeof extra / sizeof extra[0]; e++) {
        /* up to the best window, the window takes all of it */
        size_t work = extra[e] == 0 ? LEAST : UTET_WINDOW_BEST(1) + extra[e];
        r.port.slice = e == 1 ? 1 : e == 3 ? 61 : SLICE_ALL;
        r.port.blocks = e == 1 || e == 4;
        utet_status status = check_file(&r, work, &p);
        drop_taste(&p);
        suite_check(status == UTET_END && strcmp(p.text, plain.text) == 0,
                    "file %lu, %zu bytes beyond: %s\n%sexpected\n%s", number, extra[e], rig_status(status), p.text,
                    plain.text);
        if (p.coords_row != UTET_CHECK_NO_ROW) {
            const uint8_t *index = bytes + tetgen_get(bytes + 16, 8);
            row x = get_row(index, (size_t)p.coords_row);
            int found = 0;
            for (size_t j = 0; j < p.coords_row; j++) {
                row y = get_row(index, j);
                found |= same_chunk(&x, &y, records) == 2;
            }
            suite_check(found, "file %lu: row %llu repeats none", number, (unsigned long long)p.coords_row);
        }
    }
    faultport_map(&r.port);
    suite_check(check_file(&r, 0, &p) == UTET_END, "mapped");
    drop_taste(&p);
    suite_check(strcmp(p.text, plain.text) == 0, "file %lu, mapped:\n%sexpected\n%s", number, p.text, plain.text);
    rig_end(&r, "plain");
}

/* One change to the rows; most leave the file readable and its numbers plausible. */
static void damage(uint8_t *index, size_t rows, uint64_t size, uint64_t *random)
{
    uint8_t copy[104];
    uint8_t *a = index + 32 + 104 * (size_t)(tetgen_random(random) % rows);
    uint8_t *b = index + 32 + 104 * (size_t)(tetgen_random(random) % rows);
    uint64_t dice = tetgen_random(random);
    switch (dice % 15) {
    case 0:
    case 1: /* rows are exchanged */
        memcpy(copy, a, 104);
        memcpy(a, b, 104);
        memcpy(b, copy, 104);
        break;
    case 2: /* the same chunk twice, each with its own payload */
        if (tetgen_get(a + 80, 8) == tetgen_get(b + 80, 8))
            memcpy(a, b, 72);
        break;
    case 3: memcpy(a, b, 104); break;
    case 4: memcpy(a + 72, b + 72, 8); break; /* the same offset */
    case 5: tetgen_put(a + 72, tetgen_get(a + 72, 8) - (dice >> 8) % 4, 8); break;
    case 6: tetgen_put(a + 72, tetgen_get(a + 72, 8) + (dice >> 8) % 3, 8); break;
    case 7: tetgen_put(a + 64, (dice >> 8) % 3, 8); break; /* the eighth coordinate, which is not used */
    case 8:                                                /* twice, with different unused coordinates */
        if (tetgen_get(a + 80, 8) == tetgen_get(b + 80, 8)) {
            memcpy(a, b, 72);
            tetgen_put(a + 64, 1 + (dice >> 8) % 5, 8);
        }
        break;
    case 9: tetgen_put(a + 8 + 8 * ((dice >> 8) % 3), (dice >> 16) % 4, 8); break;
    case 10: tetgen_put(a, (dice >> 8) % (SETS + 1), 8); break;
    case 11: tetgen_put(a + 80, tetgen_get(a + 80, 8) + (dice >> 8) % 2, 8); break;
    case 12: /* payloads are exchanged */
        memcpy(copy, a + 72, 8);
        memcpy(a + 72, b + 72, 8);
        memcpy(b + 72, copy, 8);
        break;
    case 13: /* no payload at all, at any offset */
        tetgen_put(a + 96, UTET_CODEC_ZSTD, 4);
        tetgen_put(a + 88, 0, 8);
        tetgen_put(a + 72, (dice >> 8) % 2 ? 0 : tetgen_get(b + 72, 8) + 1, 8);
        break;
    default:
        if ((dice >> 8) % 16 == 0)
            tetgen_put(a + 72, size - (dice >> 16) % 300, 8);
        break;
    }
}

static void random_damage(void **state)
{
    unsigned long files = suite_full() ? 20000 : suite_light() ? 150 : 700;
    record records[SETS];
    uint64_t random = 4711;
    (void)state;
    copy_records(records);
    for (unsigned long n = 0; n < files; n++) {
        tetgen g = {.datasets = sets, .count = SETS, .seed = n + 1, .shuffle = n % 3 == 1, .gaps = n % 5 == 2};
        tetgen_build(&g);
        for (uint64_t changes = tetgen_random(&random) % 4; changes > 0; changes--)
            damage(g.bytes + g.index_offset, g.row_count, g.size, &random);
        expect_plain(g.bytes, g.size, records, SETS, n);
        tetgen_free(&g);
    }
    suite_figure("files with damaged rows held against a plain check: %lu, each in 9 ways", files);
}

/* More chunks and datasets than a little memory covers in one pass: one chunk twice, one offset twice or more often,
 * anywhere. */
static void doubles_anywhere(void **state)
{
    static const tetgen_dataset many[] = {
        {"a", 1, UTET_U8, 1, {150}, {1}, TETGEN_RAW},     {"b", 1, UTET_U8, 1, {7}, {1}, TETGEN_RAW},
        {"c", 1, UTET_U8, 2, {0, 3}, {1, 1}, TETGEN_RAW}, {"d", 1, UTET_U8, 2, {20, 10}, {1, 1}, TETGEN_RAW},
        {"e", 1, UTET_U8, 1, {1}, {1}, TETGEN_RAW},       {"f", 1, UTET_U8, 3, {4, 4, 4}, {1, 1, 1}, TETGEN_RAW},
    };
    record records[6];
    uint64_t random = 99;
    (void)state;
    for (unsigned d = 0; d < 6; d++) {
        records[d] = (record){many[d].dtype, many[d].ndim, {0}, {0}};
        memcpy(records[d].shape, many[d].shape, sizeof many[d].shape);
        memcpy(records[d].chunk, many[d].chunk, sizeof many[d].chunk);
    }
    for (unsigned long n = 0; n < (suite_full() ? 300ul : suite_light() ? 3ul : 12ul); n++) {
        tetgen g = {.datasets = many, .count = 6, .seed = n + 1, .shuffle = 1, .gaps = n % 2 == 0};
        tetgen_build(&g);
        uint8_t *rows = g.bytes + g.index_offset + 32;
        size_t a = (size_t)(tetgen_random(&random) % g.row_count), b = a;
        if (n % 3 == 0) { /* the same chunk, in one dataset */
            while (b == a || tetgen_get(rows + 104 * b, 8) != tetgen_get(rows + 104 * a, 8) ||
                   tetgen_get(rows + 104 * b, 8) == 4)
                b = (b + 1) % g.row_count, a = b == a ? (a + 1) % g.row_count : a;
            memcpy(rows + 104 * b, rows + 104 * a, 72);
        } else {
            for (uint64_t i = n % 3 == 1 ? 1 : 40; i > 0; i--) {
                a = (size_t)(tetgen_random(&random) % g.row_count);
                b = (size_t)(tetgen_random(&random) % g.row_count);
                memcpy(rows + 104 * b + 72, rows + 104 * a + 72, 8);
            }
        }
        expect_plain(g.bytes, g.size, records, 6, 800000 + n);
        tetgen_free(&g);
    }
}

/* A dataset that the bits of a pass do not cover, followed by another one for which the table has room. */
static void bits_end_within_a_dataset(void **state)
{
    static const tetgen_dataset two[] = {{"a", 1, UTET_U8, 1, {2000}, {1}, TETGEN_RAW},
                                         {"b", 1, UTET_U8, 1, {3}, {1}, TETGEN_RAW}};
    static report p;
    uint64_t random = 5;
    (void)state;
    for (unsigned n = 0; n < 20; n++) {
        tetgen g = {.datasets = two, .count = 2, .seed = n + 1, .shuffle = 1};
        rig r;
        tetgen_build(&g);
        uint8_t *rows = g.bytes + g.index_offset + 32;
        size_t a = (size_t)(tetgen_random(&random) % g.row_count), b = (a + 1) % g.row_count;
        while (tetgen_get(rows + 104 * b, 8) != tetgen_get(rows + 104 * a, 8) || a == b)
            b = (b + 1) % g.row_count;
        memcpy(rows + 104 * b, rows + 104 * a, 72);
        rig_make(&r, g.bytes, g.size, -1);
        assert_int_equal(check_file(&r, UTET_WINDOW_BEST(1) + 160, &p), UTET_END);
        suite_check(p.coords_row == (a > b ? a : b), "rows %zu and %zu are equal, the walk says %llu", a, b,
                    (unsigned long long)p.coords_row);
        rig_end(&r, "bits");
        tetgen_free(&g);
    }
}

/* Records that make a dataset unusable; the rows stay the same. */
static void bad_records(void **state)
{
    static const struct {
        unsigned dataset, at; /* an extent of the record: the axis, + 8 for chunk_shape; 99: the dtype */
        uint64_t value;
    } changes[] = {{0, 99, 0}, {3, 99, 11}, {1, 8, 0},   {0, 9, 0}, {0, 1, 0},
                   {0, 1, 8},  {3, 0, 5},   {2, 99, 77}, {2, 9, 0}, {2, 0, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        tetgen g = {.datasets = sets, .count = SETS, .seed = 3};
        record records[SETS];
        size_t at = 40;
        tetgen_build(&g);
        copy_records(records);
        for (unsigned d = 0; d < changes[i].dataset; d++)
            at += ((16 + sets[d].name_length + 7) & ~(size_t)7) + 16 * sets[d].ndim;
        record *x = &records[changes[i].dataset];
        size_t extents = at + ((16 + sets[changes[i].dataset].name_length + 7) & ~(size_t)7);
        if (changes[i].at == 99) {
            tetgen_put(g.bytes + at + 4, changes[i].value, 4);
            x->dtype = (uint32_t)changes[i].value;
        } else if (changes[i].at < 8) {
            tetgen_put(g.bytes + extents + 8 * changes[i].at, changes[i].value, 8);
            x->shape[changes[i].at] = changes[i].value;
        } else {
            tetgen_put(g.bytes + extents + 8 * x->ndim + 8 * (changes[i].at - 8), changes[i].value, 8);
            x->chunk[changes[i].at - 8] = changes[i].value;
        }
        expect_plain(g.bytes, g.size, records, SETS, 900000 + i);
        tetgen_free(&g);
    }
}

/* More bytes than 2^64, with a row that has just what saturating arithmetic would give. */
static void overflowing_tensor(void **state)
{
    static const tetgen_dataset one[] = {{"a", 1, UTET_F64, 2, {1, 1}, {1, 1}, TETGEN_RAW}};
    static report p;
    tetgen g = {.datasets = one, .count = 1, .seed = 1};
    rig r;
    (void)state;
    tetgen_build(&g);
    for (unsigned i = 0; i < 4; i++)
        tetgen_put(g.bytes + 64 + 8 * i, UINT64_C(1) << 40, 8);
    tetgen_put(g.bytes + g.index_offset + 32 + 80, UINT64_MAX, 8);
    tetgen_put(g.bytes + g.index_offset + 32 + 96, UTET_CODEC_ZSTD, 4);
    rig_make(&r, g.bytes, g.size, -1);
    assert_int_equal(check_file(&r, 4096, &p), UTET_END);
    suite_check(strstr(p.text, "dataset_tensor_bytes error 0 dataset 0 E_DATASET") != NULL, "%s", p.text);
    rig_end(&r, "overflow");
    tetgen_free(&g);
}

/* Extents are multiplied in their order, as the reference does (../shared/field/tet/cmp-3101235): a 0 after a product
 * that does not fit in 64 bits comes too late, a 0 before it does not. The size of an element is multiplied last. */
static void zero_beside_an_overflow(void **state)
{
    static const tetgen_dataset one[] = {{"a", 1, UTET_F64, 3, {0, 1, 1}, {1, 1, 1}, TETGEN_RAW}};
    static const struct {
        uint64_t shape[3];
        int good;
    } cases[] = {{{UINT64_C(1) << 40, UINT64_C(1) << 40, 0}, 0},
                 {{0, UINT64_C(1) << 40, UINT64_C(1) << 40}, 1},
                 {{UINT64_C(1) << 40, 0, UINT64_C(1) << 40}, 1},
                 {{UINT64_C(1) << 62, 1, 0}, 1},
                 {{256, 0xFFFFFFFFFFFFFFF8, 0}, 0},
                 {{0, 1, 1}, 1}};
    static report p;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tetgen g = {.datasets = one, .count = 1, .seed = 1};
        rig r;

        tetgen_build(&g);
        for (unsigned d = 0; d < 3; d++)
            tetgen_put(g.bytes + 64 + 8 * d, cases[i].shape[d], 8);
        rig_make(&r, g.bytes, g.size, -1);
        assert_int_equal(check_file(&r, 4096, &p), UTET_END);
        suite_check((strstr(p.text, "dataset_tensor_bytes error 0 dataset 0 E_DATASET") == NULL) == cases[i].good,
                    "case %u: %s", (unsigned)i, p.text);
        rig_end(&r, "zero");
        tetgen_free(&g);
    }
}

/* The same chunk many times, always with different unused coordinates: the search for an exact double stops, and the
 * result is that there is one. */
static void many_twins(void **state)
{
    static const tetgen_dataset line[] = {{"a", 1, UTET_U8, 1, {100}, {1}, TETGEN_RAW}};
    static report p;
    (void)state;
    for (unsigned twins = 1; twins < 20; twins++) {
        tetgen g = {.datasets = line, .count = 1, .seed = 1};
        rig r;
        tetgen_build(&g);
        for (unsigned i = 1; i <= twins; i++) {
            tetgen_put(g.bytes + g.index_offset + 32 + 104 * i + 8, 0, 8);
            tetgen_put(g.bytes + g.index_offset + 32 + 104 * i + 16, i, 8);
        }
        rig_make(&r, g.bytes, g.size, -1);
        for (size_t work = LEAST; work < 10000; work += 4500) {
            assert_int_equal(check_file(&r, work, &p), UTET_END);
            assert_int_equal(p.ok, twins < 16);
            suite_check(strstr(p.text, twins < 16 ? "chunk_coords info" : "chunk_coords error") != NULL, "%s", p.text);
            assert_non_null(strstr(p.text, "chunk_coords_unused warning 1"));
            assert_in_range(p.unused_row, 1, twins);
        }
        rig_end(&r, "twins");
        tetgen_free(&g);
    }
}

/* One dataset of 3 x 3 in tiles of 2 x 2 (of 4, 2, 2 and 1 bytes), with the given rows: all have a length that fits,
 * and together they have the dataset's 9 bytes. */
static void rows_of_the_right_size_in_all(void **state)
{
    static const tetgen_dataset square[] = {{"a", 1, UTET_U8, 2, {3, 3}, {2, 2}, TETGEN_RAW}};
    static const struct {
        uint64_t at[4][3], length[4]; /* three coordinates of each row */
    } files[] = {
        {{{0, 0}, {0, 0}, {1, 1}, {9, 0}}, {4, 4, 1, 0}},    /* one twice, one outside the grid */
        {{{9, 0}, {0, 0, 1}, {1, 1}, {0, 0}}, {0, 4, 1, 4}}, /* distinguished by a coordinate that is not used */
        {{{9, 0}, {0, 0}, {1, 1}, {9, 0}}, {0, 4, 1, 0}},    /* too few bytes */
        {{{1, 1}, {1, 0}, {0, 1}, {0, 0}}, {1, 2, 2, 4}},    /* a permutation */
    };
    record records[1] = {{UTET_U8, 2, {3, 3}, {2, 2}}};
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        tetgen g = {.datasets = square, .count = 1, .seed = 1};
        tetgen_build(&g);
        uint8_t *at = g.bytes + g.index_offset + 32;
        uint64_t payload = tetgen_get(at + 72, 8);
        for (unsigned n = 0; n < 4; n++, at += 104) {
            for (unsigned d = 0; d < 3; d++)
                tetgen_put(at + 8 + 8 * d, files[i].at[n][d], 8);
            tetgen_put(at + 72, payload, 8);
            tetgen_put(at + 80, files[i].length[n], 8);
            tetgen_put(at + 88, files[i].length[n], 8);
            payload += files[i].length[n];
        }
        expect_plain(g.bytes, g.size, records, 1, 950000 + i);
        tetgen_free(&g);
    }
}

/* If several rows belong to no dataset, the first one is named. */
static void the_first_stray_row_is_named(void **state)
{
    static report p;
    tetgen g = {.datasets = sets, .count = SETS, .seed = 3};
    rig r;
    (void)state;
    tetgen_build(&g);
    for (unsigned n = 5; n < 9; n++)
        tetgen_put(g.bytes + g.index_offset + 32 + 104 * n, SETS + n % 3, 8);
    rig_make(&r, g.bytes, g.size, -1);
    assert_int_equal(check_file(&r, 4096, &p), UTET_END);
    suite_check(strstr(p.text, "chunk_dataset_ids error 0 row 5 E_ROW") != NULL, "%s", p.text);
    rig_end(&r, "strays");
    tetgen_free(&g);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(golden_verdicts),
        cmocka_unit_test(reference_reports),
        cmocka_unit_test(random_damage),
        cmocka_unit_test(bad_records),
        cmocka_unit_test(overflowing_tensor),
        cmocka_unit_test(zero_beside_an_overflow),
        cmocka_unit_test(many_twins),
        cmocka_unit_test(doubles_anywhere),
        cmocka_unit_test(bits_end_within_a_dataset),
        cmocka_unit_test(rows_of_the_right_size_in_all),
        cmocka_unit_test(the_first_stray_row_is_named),
    };
    return SUITE("check", cases);
}
