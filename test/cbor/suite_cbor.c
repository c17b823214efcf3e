/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The CBOR reader, case by case, in the metadata of messages that are written here. */
#include "messageworld.h"

static utet_message message;
static utet_metadata metadata;
static utet_cbor reader;
static utet_item value;

/* ---- CBOR ---- */

/* Byte ranges, and the status after all their tokens have been read. */
static const struct stretch {
    const char *text;
    utet_status status;
} stretches[] = {
    {"[1,-2,\"a\",#40,{},true,null,undefined,1.5]", UTET_OK},
    {"_[1,_{2:3}]", UTET_OK},
    {"#c1c201", UTET_OK}, /* tags */
    {"#c1", UTET_E_METADATA},
    {"#c1ff", UTET_E_METADATA},
    {"#9fc1ff", UTET_E_METADATA}, /* a break after a tag */
    {"#dfff", UTET_E_METADATA},   /* a tag of indefinite length */
    {"#1c", UTET_E_METADATA},
    {"#1e", UTET_E_METADATA},
    {"#19", UTET_E_METADATA}, /* two bytes that are missing */
    {"#1f", UTET_E_METADATA},
    {"#3f", UTET_E_METADATA},
    {"#5f", UTET_E_METADATA},
    {"#7f", UTET_E_METADATA},
    {"#e0", UTET_E_METADATA}, /* other simple values */
    {"#f818", UTET_E_METADATA},
    {"#fc", UTET_E_METADATA},
    {"#ff", UTET_E_METADATA},
    {"#81ff", UTET_E_METADATA},   /* a break in a list with a count */
    {"#bf01ff", UTET_E_METADATA}, /* after a key */
    {"#bfff", UTET_OK},
    {"#a18001", UTET_E_METADATA}, /* a list as a key */
    {"#82", UTET_E_METADATA},
    {"#a2", UTET_E_METADATA},
    {"#8201", UTET_E_METADATA},
    {"#9f01", UTET_E_METADATA},
    {"#62c3a9", UTET_OK},
    {"#62c328", UTET_E_METADATA},
    {"#61c3", UTET_E_METADATA},
    {"#6261", UTET_E_METADATA},
    {"#4261", UTET_E_METADATA},
};

static void each_stretch(void **state)
{
    size_t i;
    int slow;

    (void)state;
    for (i = 0; i < sizeof stretches / sizeof stretches[0]; i++)
        for (slow = 0; slow < 2; slow++) {
            utet_status status;

            made.size = tgmgen_cbor(made.bytes, stretches[i].text);
            open_made(slow);
            assert_int_equal(utet_cbor_open(&reader, &r.file, 0, made.size, NULL, 0), UTET_OK);
            do
                DRIVE(status, utet_cbor_next(&reader));
            while (status == UTET_OK && reader.token != UTET_CBOR_END);
            suite_check(status == stretches[i].status, "%s: %s", stretches[i].text, rig_status(status));
            suite_check(status == UTET_OK || r.file.error_offset <= made.size, "%s: error at %lu", stretches[i].text,
                        (unsigned long)r.file.error_offset);
            rig_end(&r, stretches[i].text);
        }
}

/* Texts in fragments, and calls that are not permitted. */
static void texts_and_misuse_of_a_reader(void **state)
{
    char text[8] = "";
    utet_item list, key;

    (void)state;
    made.size = tgmgen_cbor(made.bytes, "[\"tensor\",#4401020304,7,{\"k\":\"v\"}]");
    open_made(1);
    assert_int_equal(utet_cbor_open(&reader, &r.file, 0, made.size, NULL, 0), UTET_OK);
    DRIVE_OK(utet_cbor_next(&reader));
    DRIVE_OK(utet_cbor_next(&reader));
    DRIVE_OK(utet_cbor_text(&reader, 2, text, 3));
    assert_string_equal(text, "nso");
    DRIVE_OK(utet_cbor_text(&reader, 6, text, 0));
    assert_int_equal(utet_cbor_text(&reader, 7, text, 0), UTET_E_RANGE);
    assert_int_equal(utet_cbor_text(&reader, 5, text, 2), UTET_E_RANGE);
    DRIVE_OK(utet_cbor_next(&reader));
    DRIVE_OK(utet_cbor_text(&reader, 1, text, 2));
    assert_memory_equal(text, "\2\3", 2);
    DRIVE_OK(utet_cbor_next(&reader));
    assert_int_equal(utet_cbor_text(&reader, 0, text, 1), UTET_E_RANGE); /* a number has no text */

    assert_int_equal(utet_cbor_open(NULL, &r.file, 0, 1, NULL, 0), UTET_E_ARGUMENT);
    assert_int_equal(utet_cbor_open(&reader, NULL, 0, 1, NULL, 0), UTET_E_ARGUMENT);
    {
        static utet_file none;

        assert_int_equal(utet_cbor_open(&reader, &none, 0, 1, NULL, 0), UTET_E_ARGUMENT);
    }
    assert_int_equal(utet_cbor_open(&reader, &r.file, 1, made.size, NULL, 0), UTET_E_RANGE);
    assert_int_equal(utet_cbor_open(&reader, &r.file, UINT64_MAX, 2, NULL, 0), UTET_E_RANGE);

    /* what the object held before does not matter */
    memset(&reader, 0xff, sizeof reader);
    assert_int_equal(utet_cbor_open(&reader, &r.file, 0, made.size, NULL, 0), UTET_OK);
    memset(&list, 0, sizeof list);
    list.kind = UTET_CBOR_LIST;
    list.length = 1;
    list.place = 1;
    list.end = made.size;
    DRIVE_OK(utet_item_next(&reader, &list, &key, &value));
    assert_int_equal(value.kind, UTET_CBOR_TEXT);
    assert_int_equal(value.length, 6);

    /* entries of an item that has none, and of something that is not an item */
    assert_int_equal(utet_cbor_open(&reader, &r.file, 0, made.size, NULL, 0), UTET_OK);
    memset(&list, 0, sizeof list);
    list.kind = UTET_CBOR_TEXT;
    DRIVE(r.file.priv.status, utet_item_next(&reader, &list, &key, &value));
    assert_int_equal(r.file.priv.status, UTET_END);
    r.file.priv.status = UTET_OK;
    memset(&key, 0, sizeof key);
    key.kind = UTET_CBOR_LIST;
    assert_int_equal(utet_item_text(&reader, &key, 0, text, 1), UTET_E_RANGE);
    rig_end(&r, "texts");
}

/* An open list has no length, whatever came before it. */
static void lengths_of_open_lists(void **state)
{
    (void)state;
    made.size = tgmgen_cbor(made.bytes, "[\"tensor\",_[7],{1:_{}}]");
    open_made(0);
    assert_int_equal(utet_cbor_open(&reader, &r.file, 0, made.size, NULL, 0), UTET_OK);
    while (reader.token != UTET_CBOR_END) {
        DRIVE_OK(utet_cbor_next(&reader));
        if ((reader.flags & UTET_CBOR_INDEFINITE) != 0)
            assert_int_equal(reader.length, 0);
        else if (reader.token == UTET_CBOR_LIST)
            assert_int_equal(reader.length, 3);
        else if (reader.token == UTET_CBOR_MAP)
            assert_int_equal(reader.length, 1);
    }
    rig_end(&r, "open lists");
}

/* If more entries are announced than bytes follow, or the levels are too deep, the error is at that list, not where it
 * ends. */
static void lists_that_cannot_be(void **state)
{
    static const char *const texts[] = {"[1,#9a0000000401020304]",   "[1,#ba000000020102030405]",
                                        "[1,#9b000000010000000001]", "[1,#9affffffff01]",
                                        "[1,#bacfffffff0102]",       "[1,#9a8000000001]"};
    static uint32_t level;
    size_t i;

    (void)state;
    for (i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const int good = i < 2;
        utet_status status;

        made.size = tgmgen_cbor(made.bytes, texts[i]);
        open_made(0);
        assert_int_equal(utet_cbor_open(&reader, &r.file, 0, made.size, NULL, 0), UTET_OK);
        DRIVE_OK(utet_cbor_next(&reader));
        DRIVE_OK(utet_cbor_next(&reader));
        DRIVE(status, utet_cbor_next(&reader));
        suite_check(status == (good ? UTET_OK : UTET_E_METADATA), "%s: %s", texts[i], rig_status(status));
        suite_check(good || r.file.error_offset == 2, "%s: at %lu", texts[i], (unsigned long)r.file.error_offset);
        rig_end(&r, texts[i]);
    }
    made.size = tgmgen_cbor(made.bytes, "[1,[2]]");
    open_made(0);
    assert_int_equal(utet_cbor_open(&reader, &r.file, 0, made.size, &level, 1), UTET_OK);
    DRIVE_OK(utet_cbor_next(&reader));
    DRIVE_OK(utet_cbor_next(&reader));
    r.file.error_offset = 77;
    assert_int_equal(utet_cbor_next(&reader), UTET_E_SPACE);
    assert_int_equal(r.file.error_offset, 2);
    rig_end(&r, "levels");
}

/* The hash of a text is FNV-1a, checked with published test values: of the text in one call and in several. */
static void hashes_of_texts(void **state)
{
    static const struct {
        const char *text;
        uint32_t hash;
    } rows[] = {{"\"\"", 0x811c9dc5}, {"\"a\"", 0xe40c292c}, {"\"foobar\"", 0xbf9cf968}, {"_[\"foobar\"]", 0xbf9cf968}};
    size_t i;
    int slow;

    (void)state;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (slow = 0; slow < 2; slow++) {
            made.size = tgmgen_cbor(made.bytes, rows[i].text);
            open_made(slow);
            assert_int_equal(utet_cbor_open(&reader, &r.file, 0, made.size, NULL, 0), UTET_OK);
            do
                DRIVE_OK(utet_cbor_next(&reader));
            while (reader.token != UTET_CBOR_TEXT);
            suite_check(reader.hash == rows[i].hash, "%s: %08lx", rows[i].text, (unsigned long)reader.hash);
            rig_end(&r, rows[i].text);
        }
}

/* Entries of lists and maps that are followed by more data: it is not theirs, however often they are requested. */
static void entries_that_end(void **state)
{
    static const struct {
        const char *text;
        unsigned entries;
        uint8_t flags; /* the bytes of the list, and how many of them must remain */
    } rows[] = {{"_[]7", 0, 0},    {"_[1,2]7", 2, 0},       {"_{}7", 0, 0},
                {"_{1:2}7", 1, 0}, {"_{1:2,3:[4]}7", 2, 0}, {"[1,_[2]]7", 2, 0},
                {"[]7", 0, 0},     {"{1:{},2:_{}}7", 2, 0}, {"#c69f01ff7", 1, UTET_CBOR_TAGGED}};
    size_t i;
    int slow;

    (void)state;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (slow = 0; slow < 2; slow++) {
            utet_item list, key;
            unsigned entries = 0, again;

            made.size = tgmgen_cbor(made.bytes, rows[i].text);
            open_made(slow);
            assert_int_equal(utet_cbor_open(&reader, &r.file, 0, made.size, NULL, 0), UTET_OK);
            DRIVE_OK(utet_cbor_next(&reader));
            memset(&list, 0, sizeof list);
            list.kind = reader.token;
            list.flags = reader.flags;
            list.length = reader.length;
            list.place = reader.next;
            list.end = made.size;
            for (again = 0; again < 3;) {
                utet_status status;

                DRIVE(status, utet_item_next(&reader, &list, &key, &value));
                if (status == UTET_END)
                    again++;
                else
                    entries++;
                suite_check(status == UTET_END || (status == UTET_OK && again == 0), "%s: %s", rows[i].text,
                            rig_status(status));
            }
            suite_check(entries == rows[i].entries, "%s: %u entries", rows[i].text, entries);
            suite_check(list.length == 0 && list.flags == rows[i].flags, "%s: flags %u", rows[i].text, list.flags);
            rig_end(&r, rows[i].text);
        }
}

/* Entries of lists and maps that end wrongly. */
static void entries_that_end_wrongly(void **state)
{
    static const struct {
        const char *text;
        unsigned entries; /* before the error */
    } rows[] = {{"#bf01ff", 0}, {"#bf0102", 1}, {"#9f01", 1}, {"#bf8001ff", 0}};
    size_t i;

    (void)state;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        utet_status status;
        utet_item list, key;
        unsigned entries = 0;

        made.size = tgmgen_cbor(made.bytes, rows[i].text);
        open_made(1);
        assert_int_equal(utet_cbor_open(&reader, &r.file, 0, made.size, NULL, 0), UTET_OK);
        memset(&list, 0, sizeof list);
        list.kind = made.bytes[0] == 0xbf ? UTET_CBOR_MAP : UTET_CBOR_LIST;
        list.flags = UTET_CBOR_INDEFINITE;
        list.place = 1;
        list.end = made.size;
        for (;;) {
            DRIVE(status, utet_item_next(&reader, &list, &key, &value));
            if (status != UTET_OK)
                break;
            entries++;
        }
        suite_check(status == UTET_E_METADATA && entries == rows[i].entries, "%s: %s after %u", rows[i].text,
                    rig_status(status), entries);
        rig_end(&r, rows[i].text);
    }
}

/* Strict mode. */
static void each_rule(void **state)
{
    static const struct {
        const char *text;
        unsigned rules;
        utet_status status;
    } rows[] = {
        {"{\"a\":{\"b\":1,\"c\":#f93e00}}", UTET_METADATA_TYPES | UTET_METADATA_CANONICAL, UTET_OK},
        {"{\"a\":{\"c\":1,\"b\":2}}", UTET_METADATA_TYPES, UTET_OK},
        {"{\"a\":{\"c\":1,\"b\":2}}", UTET_METADATA_CANONICAL, UTET_E_METADATA},
        {"{\"a\":{\"b\":1,\"b\":2}}", UTET_METADATA_CANONICAL, UTET_E_METADATA},
        {"{\"a\":{1:1,-1:2}}", UTET_METADATA_CANONICAL, UTET_OK},
        {"{\"a\":{1:1,-1:2}}", UTET_METADATA_TYPES, UTET_E_METADATA},
        {"{\"a\":{\"bb\":1,\"c\":2}}", UTET_METADATA_CANONICAL, UTET_E_METADATA}, /* the shorter one comes first */
        {"{\"a key of forty bytes, longer than a head\":1,\"a key of forty bytes, longer than a tail\":2}",
         UTET_METADATA_CANONICAL, UTET_OK},
        {"{\"a key of forty bytes, longer than a tail\":1,\"a key of forty bytes, longer than a head\":2}",
         UTET_METADATA_CANONICAL, UTET_E_METADATA},
        {"{\"a\":#40}", UTET_METADATA_TYPES, UTET_E_METADATA},
        {"{\"a\":#c100}", UTET_METADATA_TYPES, UTET_E_METADATA},
        {"{\"a\":undefined}", UTET_METADATA_TYPES, UTET_E_METADATA},
        {"{\"a\":#1817}", UTET_METADATA_CANONICAL, UTET_E_METADATA},
        {"{\"a\":#1818}", UTET_METADATA_CANONICAL, UTET_OK},
        {"{\"a\":#1900ff}", UTET_METADATA_CANONICAL, UTET_E_METADATA},
        {"{\"a\":#190100}", UTET_METADATA_CANONICAL, UTET_OK},
        {"{\"a\":#1a0000ffff}", UTET_METADATA_CANONICAL, UTET_E_METADATA},
        {"{\"a\":#1a00010000}", UTET_METADATA_CANONICAL, UTET_OK},
        {"{\"a\":#1b00000000ffffffff}", UTET_METADATA_CANONICAL, UTET_E_METADATA},
        {"{\"a\":#1b0000000100000000}", UTET_METADATA_CANONICAL, UTET_OK},
        {"{\"a\":#3b0000000100000000}", UTET_METADATA_CANONICAL, UTET_OK},
        {"{\"a\":#fb3ff0000000000001}", UTET_METADATA_CANONICAL, UTET_OK}, /* the last bit counts */
        {"{\"a\":_[1]}", UTET_METADATA_CANONICAL, UTET_E_METADATA},
        {"{\"a\":1.5}", UTET_METADATA_CANONICAL, UTET_E_METADATA},
        {"{\"a\":0.0}", UTET_METADATA_CANONICAL, UTET_E_METADATA},
        {"{\"a\":#f90000}", UTET_METADATA_CANONICAL, UTET_OK},
        {"{\"a\":1.1}", UTET_METADATA_CANONICAL, UTET_OK},
        {"{\"a\":#fa7f800000}", UTET_METADATA_CANONICAL, UTET_E_METADATA}, /* infinity */
        {"{\"a\":#f97c00}", UTET_METADATA_CANONICAL, UTET_OK},
        {"{\"a\":#fa47800000}", UTET_METADATA_CANONICAL, UTET_OK},         /* 65536 */
        {"{\"a\":#fa33000000}", UTET_METADATA_CANONICAL, UTET_OK},         /* 2^-25: below the smallest half */
        {"{\"a\":#fa33800000}", UTET_METADATA_CANONICAL, UTET_E_METADATA}, /* 2^-24: the smallest half */
    };
    static utet_metadata_checking checking;
    size_t i;
    int slow;

    (void)state;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (slow = 0; slow < 2; slow++) {
            utet_status status;

            make_message(rows[i].text, NULL);
            open_made(slow);
            DRIVE_OK(utet_message_first(&r.file, &message));
            DRIVE_OK(utet_metadata_open(&metadata, &r.file, &message, NULL, 0));
            DRIVE(status, utet_metadata_check(&metadata, rows[i].rules, &checking));
            suite_check(status == rows[i].status, "%s: %s", rows[i].text, rig_status(status));
            rig_end(&r, rows[i].text);
        }
}

static utet_status check_canonical(const char *text, utet_metadata_checking *checking)
{
    utet_status status;

    make_message(text, NULL);
    open_made(0);
    DRIVE_OK(utet_message_first(&r.file, &message));
    DRIVE_OK(utet_metadata_open(&metadata, &r.file, &message, NULL, 0));
    DRIVE(status, utet_metadata_check(&metadata, UTET_METADATA_CANONICAL, checking));
    rig_end(&r, text);
    return status;
}

/* Which floats have a shorter form: compared with the machine's own conversion to float32 and, with a scale, to
 * float16. */
static void floats_with_a_shorter_form(void **state)
{
    static const uint64_t mantissas[] = {0,
                                         1,
                                         (uint64_t)1 << 28,
                                         (uint64_t)1 << 29,
                                         (uint64_t)3 << 28,
                                         (uint64_t)1 << 30,
                                         (uint64_t)1 << 41,
                                         (uint64_t)1 << 42,
                                         (uint64_t)3 << 41,
                                         (uint64_t)1 << 43,
                                         (uint64_t)1 << 51,
                                         ((uint64_t)1 << 52) - 1};
    static const int exponents[] = {-1023, -1022, -151, -150, -149, -148, -147, -128, -127, -126, -125, -27,
                                    -26,   -25,   -24,  -23,  -22,  -16,  -15,  -14,  -13,  -1,   0,    1,
                                    14,    15,    16,   17,   126,  127,  128,  129,  1023, 1024};
    static utet_metadata_checking checking;
    size_t i, k;

    (void)state;
    for (i = 0; i < sizeof exponents / sizeof exponents[0]; i++)
        for (k = 0; k < sizeof mantissas / sizeof mantissas[0]; k++) {
            uint64_t bits = (uint64_t)(exponents[i] + 1023) << 52 | mantissas[k];
            const int special = exponents[i] == 1024;
            double wide;
            float narrow;
            uint32_t word;
            utet_status status, wanted;
            char text[40];

            memcpy(&wide, &bits, 8);
            narrow = (float)wide;
            memcpy(&word, &narrow, 4);
            if (special ? (mantissas[k] & (((uint64_t)1 << 29) - 1)) == 0 : (double)narrow == wide) {
                if (special)
                    word = 0x7f800000u | (uint32_t)(mantissas[k] >> 29);
                snprintf(text, sizeof text, "{\"a\":#fb%016llx}", (unsigned long long)bits);
                assert_int_equal(check_canonical(text, &checking), UTET_E_METADATA);
                /* a half: 11 bits, the last one at least 2^-24, the first one at most 2^15 */
                wanted = special ? ((word & 0x1fffu) == 0 ? UTET_E_METADATA : UTET_OK)
                         : (wide < 65536 && wide * 16777216 == (double)(uint64_t)(wide * 16777216) &&
                            (word & 0x1fffu) == 0)
                             ? UTET_E_METADATA
                             : UTET_OK;
                snprintf(text, sizeof text, "{\"a\":#fa%08lx}", (unsigned long)word);
                status = check_canonical(text, &checking);
                suite_check(status == wanted, "%s: %s", text, rig_status(status));
            } else {
                snprintf(text, sizeof text, "{\"a\":#fb%016llx}", (unsigned long long)bits);
                assert_int_equal(check_canonical(text, &checking), UTET_OK);
            }
        }
}

/* Maps that are deeper than the levels whose keys a check remembers: the check refuses them, and the caller's further
 * levels read them. */
static void deeper_than_a_check(void **state)
{
    static utet_metadata_checking checking;
    static uint32_t levels[64];
    char text[400];
    unsigned depth;

    (void)state;
    for (depth = UTET_CBOR_DEPTH; depth <= UTET_CBOR_DEPTH + 1; depth++) {
        utet_status status;
        unsigned i;

        text[0] = '\0';
        for (i = 0; i < depth; i++)
            strcat(text, i + 1 < depth ? "{\"a\":" : "{}");
        for (i = 1; i < depth; i++)
            strcat(text, "}");
        make_message(text, NULL);
        open_made(1);
        DRIVE_OK(utet_message_first(&r.file, &message));
        DRIVE_OK(utet_metadata_open(&metadata, &r.file, &message, levels, 64));
        DRIVE(status, utet_metadata_check(&metadata, UTET_METADATA_CANONICAL, &checking));
        assert_int_equal(status, depth == UTET_CBOR_DEPTH ? UTET_OK : UTET_E_SPACE);
        DRIVE_OK(utet_metadata_check(&metadata, UTET_METADATA_TYPES, &checking));
        rig_end(&r, "deep");
    }
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(each_stretch),
        cmocka_unit_test(texts_and_misuse_of_a_reader),
        cmocka_unit_test(lengths_of_open_lists),
        cmocka_unit_test(lists_that_cannot_be),
        cmocka_unit_test(hashes_of_texts),
        cmocka_unit_test(entries_that_end),
        cmocka_unit_test(entries_that_end_wrongly),
        cmocka_unit_test(each_rule),
        cmocka_unit_test(floats_with_a_shorter_form),
        cmocka_unit_test(deeper_than_a_check),
    };
    return SUITE("cbor", cases);
}
