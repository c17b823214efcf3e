/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Promises of the calls on Tensogram messages: files that grow, streams, rules, misuse. */
#include "tensogramworld.h"

/* ---- promises ---- */

/* A file that grows: END, and then more when it has arrived. */
static void append_while_reading(void **state)
{
    utet_message message;
    utet_status status;
    tgm_file f;
    rig r;

    (void)state;
    suite_check(tgm_named("good", "multi_reset.tgm", &f), "multi_reset.tgm");
    rig_make(&r, f.bytes, 608, -1);
    suite_check(tgm_open(&r, LEAST_WORK) == UTET_OK, "open");
    DRIVE_OK(utet_message_first(&r.file, &message));
    DRIVE(status, utet_message_next(&r.file, &message));
    suite_check(status == UTET_END, "%s", rig_status(status));
    r.port.io.size = 1000; /* half of the next one */
    DRIVE(status, utet_message_next(&r.file, &message));
    suite_check(status == UTET_E_SHORT && message.offset == 608, "%s", rig_status(status));
    r.port.io.size = 1216;
    DRIVE(status, utet_message_at(&r.file, 608, &message));
    suite_check(status == UTET_OK && message.length == 608 && message.skipped == 0, "%s", rig_status(status));
    DRIVE(status, utet_message_next(&r.file, &message));
    suite_check(status == UTET_END, "%s", rig_status(status));
    r.port.io.size = 1824;
    DRIVE_OK(utet_message_next(&r.file, &message));
    suite_check(message.offset == 1216 && message.length == 608, "offset %lu", (unsigned long)message.offset);
    rig_end(&r, "append");
    tgm_forget(&f);
}

/* A port that cannot seek backwards. */
typedef struct radio {
    const uint8_t *bytes;
    uint64_t passed;
    int slow;  /* one byte at a time, after nothing at first */
    int asked; /* "not yet" has been returned */
} radio;

static utet_status radio_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got)
{
    radio *port = ctx;

    if (offset < port->passed)
        return UTET_E_PORT - 1;
    port->asked = port->slow && !port->asked;
    if (port->asked)
        return UTET_WOULD_BLOCK;
    if (port->slow)
        len = 1;
    memcpy(buf, port->bytes + offset, len);
    port->passed = offset + len;
    *got = len;
    return UTET_OK;
}

static void forwards_only(void **state)
{
    static uint64_t work[LEAST_WORK / 8];
    tgm_file f;
    size_t i, tokens = 0;

    (void)state;
    for (i = 0; tgm_vector("good", i, &f); i++, tgm_forget(&f)) {
        radio port = {f.bytes, 0, 0, 0};
        utet_io io = {0};
        utet_file file;
        utet_message message;
        utet_frame frame;
        utet_status status;

        if (strstr(f.name, "multi") != NULL || strstr(f.name, "nest") != NULL)
            continue;
        io.ctx = &port;
        io.read = radio_read;
        io.size = f.size;
        io.unit = 1;
        io.align = 1;
        suite_check(utet_init(&file, &io, work, sizeof work, NULL) == UTET_OK, "init");
        suite_check(utet_messages_open(&file, NULL) == UTET_OK, "open");
        status = utet_message_forward(&file, 0, &message);
        suite_check(status == UTET_OK, "%s: begin: %s", f.name, rig_status(status));
        for (status = utet_frame_first(&file, &message, &frame); status == UTET_OK;
             status = utet_frame_next(&file, &message, &frame)) {
            utet_cbor reader;

            if (frame.type == UTET_FRAME_TENSOR)
                continue;
            status = utet_cbor_open(&reader, &file, frame.content_offset, frame.content_length, NULL, 0);
            for (; status == UTET_OK && reader.token != UTET_CBOR_END; tokens++)
                status = utet_cbor_next(&reader);
            suite_check(status == UTET_OK, "%s: frame at %lu: %s", f.name, (unsigned long)frame.offset,
                        rig_status(status));
        }
        suite_check(status == UTET_END && message.length == f.size, "%s: %s", f.name, rig_status(status));
    }
    suite_check(tokens > 1000, "%zu tokens", tokens);
}

/* Searches for a message in `bytes` from `from` on, and iterates over its frames. Returns its offset; UINT64_MAX if
 * there is none. slow: one byte at a time, "not yet" before each. */
static uint64_t joined(const uint8_t *bytes, size_t size, uint64_t from, int slow, unsigned *frames)
{
    static uint64_t work[LEAST_WORK / 8];
    radio port = {bytes, 0, slow, 0};
    utet_io io = {0};
    utet_file file;
    utet_message message;
    utet_frame frame;
    utet_status status;

    io.ctx = &port;
    io.read = radio_read;
    io.size = size;
    io.unit = 1;
    io.align = 1;
    suite_check(utet_init(&file, &io, work, sizeof work, NULL) == UTET_OK, "init");
    suite_check(utet_messages_open(&file, NULL) == UTET_OK, "open");
    for (;;) {
        DRIVE(status, utet_message_seek(&file, from, &message));
        if (status == UTET_END || status == UTET_E_SHORT)
            return UINT64_MAX;
        suite_check(status == UTET_OK && message.skipped == message.offset - from, "seek: %s", rig_status(status));
        *frames = 0;
        DRIVE(status, utet_frame_first(&file, &message, &frame));
        while (status == UTET_OK) {
            ++*frames;
            DRIVE(status, utet_frame_next(&file, &message, &frame));
        }
        if (status == UTET_END)
            return message.offset;
        suite_check(status == UTET_E_DIRECTORY || status == UTET_E_SUPERBLOCK || status == UTET_E_METADATA ||
                        status == UTET_E_SHORT,
                    "frames: %s", rig_status(status));
        from = port.passed < size ? port.passed : size;
    }
}

/* A stream of two messages that is joined at each of its bytes, on a port that cannot seek backwards: up to the
 * beginning of the first message it finds the first one, after it the second one, or none. */
static void streams_are_joined(void **state)
{
    static uint8_t stream[3000];
    unsigned frames, slow;
    uint64_t from;
    size_t half;
    tgm_file f;

    (void)state;
    suite_check(tgm_named("good", "m_preceder_merge.tgm", &f) && f.size < 1400, "the vector");
    memset(stream, 'T', sizeof stream); /* each byte may begin a magic */
    memcpy(stream + 50, f.bytes, f.size);
    half = 50 + f.size + 7;
    memcpy(stream + half, f.bytes, f.size);
    for (slow = 0; slow < 2; slow++)
        for (from = 0; from < half + f.size + 60; from += slow ? 13 : 1) {
            const uint64_t at = joined(stream, half + f.size + 40, from <= half + f.size + 40 ? from : half, (int)slow,
                                       &frames);
            const uint64_t must = from <= 50 ? 50 : from <= half || from > half + f.size + 40 ? half : UINT64_MAX;

            suite_check(at == must, "from %lu: %ld", (unsigned long)from, (long)at);
            suite_check(at == UINT64_MAX || frames > 2, "%u frames", frames);
        }
    tgm_forget(&f);
}

/* Start magics without a message: in a payload, and one with each field of its beginning wrong. */
static void false_magics_are_passed(void **state)
{
    static uint8_t stream[3000];
    static const struct {
        unsigned place, byte; /* in the copy of a beginning */
    } wrong[] = {{0, 'X'}, {7, 'X'}, {9, 2}, {16, 0x80}, {24, 'X'}, {25, 'X'}, {27, 4}, {27, 10}, {26, 1}, {32, 0x80}};
    size_t i;
    tgm_file f;
    unsigned frames;

    (void)state;
    suite_check(tgm_named("good", "m_preceder_merge.tgm", &f) && f.size < 1400, "the vector");
    for (i = 0; i < sizeof wrong / sizeof wrong[0] + 2; i++) {
        memset(stream, 0, sizeof stream);
        memcpy(stream + 10, f.bytes, 40);
        memcpy(stream + 60, f.bytes, f.size);
        if (i < sizeof wrong / sizeof wrong[0]) {
            stream[10 + wrong[i].place] = (uint8_t)wrong[i].byte;
        } else { /* the message's length, or a frame's, is too small */
            memset(stream + 10 + (i % 2 == 0 ? 16 : 32), 0, 8);
            stream[10 + (i % 2 == 0 ? 23 : 39)] = i % 2 == 0 ? 47 : 27;
        }
        suite_check(joined(stream, 60 + f.size, 0, (int)(i & 1), &frames) == 60, "row %lu", (unsigned long)i);
    }
    tgm_forget(&f);
}

/* A stream that is still arriving: the search continues where it has ended. */
static void streams_that_grow(void **state)
{
    utet_message message;
    utet_status status;
    uint64_t from = 0;
    size_t size;
    tgm_file f;
    rig r;

    (void)state;
    suite_check(tgm_named("good", "m_preceder_merge.tgm", &f), "the vector");
    for (size = 0; size <= 40; size++) {
        rig_make(&r, f.bytes, f.size, -1);
        suite_check(tgm_open(&r, LEAST_WORK) == UTET_OK, "open");
        r.port.io.size = size;
        DRIVE(status, utet_message_seek(&r.file, from, &message));
        suite_check(status == (size < 40 ? UTET_END : UTET_E_SHORT) && message.offset == 0, "%lu bytes: %s, %lu",
                    (unsigned long)size, rig_status(status), (unsigned long)message.offset);
        if (size == 40) {
            r.port.io.size = f.size;
            DRIVE(status, utet_message_seek(&r.file, message.offset, &message));
            suite_check(status == UTET_OK && message.total_length == f.size, "%s", rig_status(status));
            suite_check(utet_message_seek(&r.file, f.size + 1, &message) == UTET_E_RANGE, "range");
        }
        rig_end(&r, "grows");
    }
    tgm_forget(&f);
}

/* Opens the metadata of the first message of a vector. */
static void open_metadata(rig *r, tgm_file *f, const char *folder, const char *name, utet_message *message,
                          utet_metadata *metadata)
{
    suite_check(tgm_named(folder, name, f), "%s is not there", name);
    rig_make(r, f->bytes, f->size, -1);
    r->port.slice = 5;
    r->port.blocks = 1;
    suite_check(tgm_open(r, LEAST_WORK) == UTET_OK, "open");
    DRIVE_OK(utet_message_first(&r->file, message));
    DRIVE_OK(utet_metadata_open(metadata, &r->file, message, NULL, 0));
}

static void preceders_win(void **state)
{
    utet_message message;
    utet_metadata metadata;
    utet_item item, over;
    utet_status status;
    tgm_file f;
    rig r;
    char text[8];

    (void)state;
    open_metadata(&r, &f, "good", "m_preceder_merge.tgm", &message, &metadata);
    suite_check(metadata.objects == 1 && metadata.preceders == 1 && metadata.document.entries == 1, "counts");
    DRIVE_OK(utet_metadata_find_dotted(&metadata, "u", 1, &item));
    suite_check(item.kind == UTET_CBOR_TEXT && item.length == 1, "kind %u", (unsigned)item.kind);
    DRIVE_OK(utet_item_text(&metadata.reader, &item, 0, text, 1));
    suite_check(text[0] == 'K', "%c", text[0]);
    DRIVE_OK(utet_metadata_find_dotted(&metadata, "k", 1, &item));
    suite_check(item.kind == UTET_CBOR_UNSIGNED && item.number == 1, "k");
    DRIVE(status, utet_metadata_find_dotted(&metadata, "u.v", 3, &item));
    suite_check(status == UTET_E_NOT_FOUND, "%s", rig_status(status));
    DRIVE_OK(utet_metadata_entry(&metadata, 0, &item, &over));
    suite_check(item.kind == UTET_CBOR_MAP && over.kind == UTET_CBOR_MAP && over.length == 1, "entry");
    DRIVE(status, utet_metadata_entry(&metadata, 1, &item, &over));
    suite_check(status == UTET_E_RANGE, "%s", rig_status(status));
    rig_end(&r, "preceders");
    tgm_forget(&f);
}

static void legacy_keys_are_extra(void **state)
{
    utet_message message;
    utet_metadata metadata;
    utet_item item;
    utet_status status;
    tgm_file f;
    rig r;

    (void)state;
    open_metadata(&r, &f, "good", "m_cbor_toplevel.tgm", &message, &metadata);
    suite_check(metadata.document.others == 2 && metadata.document.extra.kind == UTET_CBOR_NULL, "others %u",
                (unsigned)metadata.document.others);
    DRIVE_OK(utet_metadata_find_dotted(&metadata, "v", 1, &item));
    suite_check(item.number == 2, "v");
    DRIVE(status, utet_metadata_find_dotted(&metadata, "base", 4, &item));
    suite_check(status == UTET_E_NOT_FOUND, "%s", rig_status(status));
    rig_end(&r, "legacy");
    tgm_forget(&f);
}

static void too_deep_is_said(void **state)
{
    static uint32_t levels[200];
    utet_message message;
    utet_metadata metadata;
    utet_status status;
    tgm_file f;
    rig r;

    (void)state;
    suite_check(tgm_named("good", "meta_nest_100.tgm", &f), "meta_nest_100.tgm");
    rig_make(&r, f.bytes, f.size, -1);
    suite_check(tgm_open(&r, LEAST_WORK) == UTET_OK, "open");
    DRIVE_OK(utet_message_first(&r.file, &message));
    DRIVE(status, utet_metadata_open(&metadata, &r.file, &message, NULL, 0));
    suite_check(status == UTET_E_SPACE, "%s", rig_status(status));
    DRIVE(status, utet_metadata_open(&metadata, &r.file, &message, levels, 101));
    suite_check(status == UTET_E_SPACE, "%s", rig_status(status));
    DRIVE_OK(utet_metadata_open(&metadata, &r.file, &message, levels, 102));
    rig_end(&r, "deep");
    tgm_forget(&f);
}

/* Strict mode and deterministic encoding, and what each refuses. */
static void rules(void **state)
{
    static const struct {
        const char *folder, *name;
        utet_status types, canonical;
    } rows[] = {
        {"good", "m_preceder_merge.tgm", UTET_OK, UTET_OK},
        {"good", "meta_values.tgm", UTET_OK, UTET_OK},
        {"good", "meta_intkeys.tgm", UTET_E_METADATA, UTET_OK},
        {"good", "m_cbor_f64nonshort.tgm", UTET_OK, UTET_E_METADATA},
        {"bad", "cbor_bytes.tgm", UTET_E_METADATA, UTET_OK},
        {"bad", "cbor_tag.tgm", UTET_E_METADATA, UTET_E_METADATA},
        {"bad", "cbor_undef.tgm", UTET_E_METADATA, UTET_OK},
        {"bad", "cbor_dup.tgm", UTET_OK, UTET_E_METADATA},
        {"bad", "cbor_indef_arr.tgm", UTET_OK, UTET_E_METADATA},
        {"bad", "cbor_nonshort_len.tgm", UTET_OK, UTET_E_METADATA},
        {"bad", "cbor_nonshort8.tgm", UTET_OK, UTET_E_METADATA},
    };
    size_t i;

    (void)state;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        utet_message message;
        utet_metadata metadata;
        utet_metadata_checking checking;
        utet_status status;
        tgm_file f;
        rig r;

        open_metadata(&r, &f, rows[i].folder, rows[i].name, &message, &metadata);
        DRIVE(status, utet_metadata_check(&metadata, UTET_METADATA_TYPES, &checking));
        suite_check(status == rows[i].types, "%s: types: %s", rows[i].name, rig_status(status));
        DRIVE(status, utet_metadata_check(&metadata, UTET_METADATA_CANONICAL, &checking));
        suite_check(status == rows[i].canonical, "%s: deterministic: %s", rows[i].name, rig_status(status));
        rig_end(&r, rows[i].name);
        tgm_forget(&f);
    }
}

static void frames_are_compared(void **state)
{
    static const struct {
        const char *folder, *name;
        utet_status status;
    } rows[] = {
        {"good", "scalar.tgm", UTET_OK},
        {"good", "multi_reset.tgm", UTET_OK},
        {"bad", "index_lie.tgm", UTET_E_INDEX},
        {"bad", "index_count.tgm", UTET_E_INDEX},
        {"bad", "index_text.tgm", UTET_E_INDEX},
        {"bad", "hashframe_count.tgm", UTET_E_CHECKSUM},
        {"bad", "hashframe_nohex.tgm", UTET_E_CHECKSUM},
        {"bad", "hashframe_array.tgm", UTET_E_CHECKSUM},
        {"bad", "hashframe_alg.tgm", UTET_OK},
    };
    size_t i;

    (void)state;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        utet_message message;
        utet_metadata metadata;
        utet_metadata_comparing comparing;
        utet_status status;
        tgm_file f;
        rig r;

        open_metadata(&r, &f, rows[i].folder, rows[i].name, &message, &metadata);
        DRIVE(status, utet_metadata_compare(&metadata, &comparing));
        suite_check(status == rows[i].status, "%s: %s", rows[i].name, rig_status(status));
        rig_end(&r, rows[i].name);
        tgm_forget(&f);
    }
}

static void misuse(void **state)
{
    utet_message message;
    utet_metadata metadata;
    utet_frame frame;
    utet_object object;
    utet_cbor reader;
    utet_item item;
    utet_status status;
    char text[4];
    tgm_file f;
    rig r;

    (void)state;
    open_metadata(&r, &f, "good", "scalar.tgm", &message, &metadata);
    suite_check(utet_messages_open(&r.file, NULL) == UTET_E_STATE, "open twice");
    DRIVE(status, utet_message_at(&r.file, 1, &message));
    suite_check(status == UTET_E_MAGIC && r.file.error_offset == 1, "%s", rig_status(status));
    DRIVE(status, utet_message_at(&r.file, f.size + 1, &message));
    suite_check(status == UTET_E_RANGE, "%s", rig_status(status));
    DRIVE_OK(utet_message_first(&r.file, &message));
    DRIVE_OK(utet_frame_first(&r.file, &message, &frame));
    DRIVE(status, utet_object_open(&object, &r.file, &frame, &reader));
    suite_check(status == UTET_E_ARGUMENT, "%s", rig_status(status));
    DRIVE_OK(utet_object_find(&object, &r.file, &message, 0, &frame, &reader));
    suite_check(object.ndim == 0 && object.elements == 1, "ndim %u", (unsigned)object.ndim);
    DRIVE(status, utet_object_find(&object, &r.file, &message, 1, &frame, &reader));
    suite_check(status == UTET_E_NOT_FOUND, "%s", rig_status(status));
    DRIVE(status, utet_metadata_find(&metadata, NULL, 0, &item));
    suite_check(status == UTET_E_NOT_FOUND || status == UTET_E_ARGUMENT, "%s", rig_status(status));
    suite_check(utet_cbor_open(NULL, &r.file, 0, 1, NULL, 0) == UTET_E_ARGUMENT, "null");
    suite_check(utet_cbor_open(&reader, &r.file, 1, f.size, NULL, 0) == UTET_E_RANGE, "range");
    item.kind = UTET_CBOR_TEXT;
    item.length = 3;
    item.place = 0;
    DRIVE(status, utet_item_text(&metadata.reader, &item, 1, text, 3));
    suite_check(status == UTET_E_RANGE, "%s", rig_status(status));
    memset(&metadata, 0, sizeof metadata);
    DRIVE(status, utet_metadata_in(&metadata, &item, "a", 1, &item));
    suite_check(status == UTET_E_STATE, "%s", rig_status(status));
    r.port.blocks = 1000; /* one call is suspended: another must not begin */
    faultport_rewind(&r.port);
    status = utet_message_first(&r.file, &message);
    while (status == UTET_OK) /* the bytes that the window still holds */
        status = utet_message_next(&r.file, &message);
    suite_check(status == UTET_WOULD_BLOCK || status == UTET_END, "%s", rig_status(status));
    if (status == UTET_WOULD_BLOCK)
        suite_check(utet_cbor_next(&reader) == UTET_E_STATE, "suspended");
    suite_check(utet_cancel(&r.file) == UTET_OK, "cancel");
    rig_end(&r, "misuse");
    tgm_forget(&f);

    rig_make(&r, "", 0, -1);
    suite_check(tgm_open(&r, LEAST_WORK - 1) == UTET_E_BUDGET && r.file.needed == LEAST_WORK, "budget");
    rig_end(&r, "budget");
}

/* Integers as doubles, against the machine's conversion. */
static void integers_are_doubles(void **state)
{
    static const uint64_t edges[] = {0,
                                     1,
                                     2,
                                     3,
                                     ((uint64_t)1 << 53) - 1,
                                     (uint64_t)1 << 53,
                                     ((uint64_t)1 << 53) + 1,
                                     ((uint64_t)1 << 54) + 2,
                                     ((uint64_t)1 << 54) + 6,
                                     UINT64_MAX,
                                     UINT64_MAX - 1023,
                                     UINT64_MAX - 1024,
                                     UINT64_MAX - 1025,
                                     (uint64_t)1 << 63};
    uint64_t random = 12345;
    unsigned i;

    (void)state;
    for (i = 0; i < 20000; i++) {
        utet_item item = {0};
        double expected, got;

        random = random * 6364136223846793005u + 1442695040888963407u;
        item.number = i < 14 ? edges[i] : random >> (i % 64);
        item.kind = UTET_CBOR_UNSIGNED;
        expected = (double)item.number;
        got = utet_item_double(&item);
        suite_check(memcmp(&expected, &got, sizeof got) == 0, "%lu: %a", (unsigned long)item.number, got);
        item.kind = UTET_CBOR_NEGATIVE;
        expected = item.number == UINT64_MAX ? -18446744073709551616.0 : -(double)(item.number + 1);
        got = utet_item_double(&item);
        suite_check(memcmp(&expected, &got, sizeof got) == 0, "-1 - %lu: %a", (unsigned long)item.number, got);
    }
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(append_while_reading),
        cmocka_unit_test(forwards_only),
        cmocka_unit_test(streams_are_joined),
        cmocka_unit_test(false_magics_are_passed),
        cmocka_unit_test(streams_that_grow),
        cmocka_unit_test(preceders_win),
        cmocka_unit_test(legacy_keys_are_extra),
        cmocka_unit_test(too_deep_is_said),
        cmocka_unit_test(rules),
        cmocka_unit_test(frames_are_compared),
        cmocka_unit_test(misuse),
        cmocka_unit_test(integers_are_doubles),
    };
    return SUITE("tensogramcalls", cases);
}
