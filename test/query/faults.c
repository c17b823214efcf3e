/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * faults FILE: a document and test/golden/tet/R6_station_log.tet on media that fail at each of their reads, or change.
 * After a temporary fault, the repeated call must succeed and give the same result. Then the other statuses that each
 * call may return. skipfaults has chunks that are skipped.
 */
#include "faultsworld.h"

#define FOOTER_BLANKS 1000

static utet_status message(void)
{
    static char piece[64];
    size_t got;

    return utet_query_message(&query, 0, piece, sizeof piece, &got);
}

static utet_status name_of_dataset(void)
{
    static char piece[24]; /* a suspended call is repeated with the same memory */
    static size_t got;

    return utet_query_text(&query, &query.dataset, 0, piece, sizeof piece, &got);
}

static utet_status call_open(void)
{
    return utet_query_open(&query, &document, utet_query_options);
}

static utet_status call_bind(void)
{
    return bind(places[1]);
}

static const char *const answered[] = {
    "{\"dataset\":\"temperature\",\"sum\":[],\"group_by\":{\"by\":\"labels\",\"axes\":[\"station\"]},"
    "\"label_filter\":{\"axis\":\"station\",\"eq\":\"ST03\"},\"filter\":{\"gt\":2.5,\"is_not_null\":true}}",
    "{\"dataset\":\"temperature\",\"null_count\":[],\"selection\":[{},{\"start_label\":\"ST01\",\"stop_label\":\"ST05\"}]}",
    "{\"dataset\":\"temperature\",\"align\":{\"with\":\"flags\",\"axes\":[\"time\",\"station\"]}}"};

/* Each read fails once while a document is refused: because of its syntax, on its second line, or because of what it
 * requests. */
static void sweep_refused(void)
{
    static const char *const words[] = {
        "{\"dataset\":\n\"temperature\",\"sum\":}",
        "{\"dataset\":\"temperature\",\"align\":{\"with\":\"temperature\",\"axes\":[\"time\"]}}",
        "{\"dataset\":\"temperature\",\"sum\":[],\"unknown\":1,\"unknowm\":2}"};
    unsigned i;

    for (i = 0; i < sizeof words / sizeof *words; i++) {
        unsigned long n;
        int met = 1;

        for (n = 1; met; n++) {
            begin_document(words[i]);
            met = one(words[i], &text, call_open, n, UTET_E_METADATA);
        }
        check(n > 2 && query.fault.reason != 0, "it reads: open, refused", i);
    }
}

/* Each read of each call fails once. */
static void sweep(const char *words)
{
    static utet_query_plan clean;
    unsigned long n;
    int met = 1;

    for (n = 1; met; n++) {
        begin_document(words);
        met = one("open", &text, call_open, n, UTET_OK);
    }
    check(n > 2, "it reads: open", 0);
    open_file();
    open_document(words);
    check(bind(places[0]) == UTET_OK && plan.matched, words, 0);
    clean = plan;
    for (n = 1, met = 1; met; n++) {
        open_file();
        open_document(words);
        met = one("bind, the file", &tet, call_bind, n, UTET_OK);
        check(plan.request.axes == clean.request.axes && plan.grouped == clean.grouped &&
                  plan.request.fill == clean.request.fill &&
                  (!query.has_align ||
                   (plan.by.align.count == clean.by.align.count &&
                    memcmp(plan.by.align.reason, clean.by.align.reason, sizeof plan.by.align.reason) == 0)) &&
                  memcmp(plan.ranges, clean.ranges, sizeof plan.ranges) == 0 &&
                  memcmp(places[0], places[1], sizeof places[0]) == 0,
              "the same plan", n);
    }
    check(n > 2, "it reads: bind, the file", 0);
    for (n = 1, met = 1; met; n++) {
        open_file();
        open_document(words);
        met = one("bind, the document", &text, call_bind, n, UTET_OK);
    }
    check(n > 2, "it reads: bind, the document", 0);
    for (n = 1, met = 1; met; n++) {
        open_document(words);
        met = one("text", &text, name_of_dataset, n, UTET_OK);
    }
    check(n > 2, "it reads: text", 0);
}

/* The messages for refused documents. */
static const char *refusal(void)
{
    static char words[128];
    size_t got = 0;

    (void)utet_query_message(&query, 0, words, sizeof words - 1, &got);
    words[got] = '\0';
    return words;
}

/* Each optional key in a list of its own is read; without it in the list, at the top or in a step of a pipeline, it is
 * an unknown field. */
static void optional_keys(void)
{
    static const struct {
        const char *key;
        const char *words;
        const utet_query_option *option;
        const char *step;              /* of a pipeline */
        const utet_query_option *also; /* the rest of the message */
    } keys[] = {
        {"execution", "{\"dataset\":\"temperature\",\"execution\":{\"device\":\"cpu\"}}", &utet_query_option_execution,
         NULL, NULL},
        {"pipeline", "{\"dataset\":\"temperature\",\"pipeline\":[{\"sum\":[]}]}", &utet_query_option_pipeline, NULL,
         NULL},
        {"label_filter", "{\"dataset\":\"temperature\",\"label_filter\":{\"axis\":1,\"eq\":\"ST03\"}}",
         &utet_query_option_label_filter, NULL, NULL},
        {"group_by", "{\"dataset\":\"temperature\",\"sum\":[],\"group_by\":[1]}", &utet_query_option_group_by,
         "{\"dataset\":\"temperature\",\"pipeline\":[{\"sum\":[],\"group_by\":[1]}]}", NULL},
        {"window", "{\"dataset\":\"temperature\",\"sum\":[],\"window\":{\"axis\":0,\"size\":2,\"mode\":\"bins\"}}",
         &utet_query_option_window,
         "{\"dataset\":\"temperature\",\"pipeline\":[{\"sum\":[],\"window\":{\"axis\":0,\"size\":2,\"mode\":"
         "\"bins\"}}]}",
         NULL},
        {"align", "{\"dataset\":\"temperature\",\"align\":{\"with\":\"flags\",\"axes\":[0]}}", &utet_query_option_align,
         NULL, NULL},
        {"spill", "{\"dataset\":\"temperature\",\"spill\":\"x\"}", &utet_query_option_spill,
         "{\"dataset\":\"temperature\",\"pipeline\":[{\"spill\":\"x\"}]}", NULL},
        {"write", "{\"dataset\":\"temperature\",\"transform\":{\"method\":\"l1\"},\"write\":\"ram\"}",
         &utet_query_option_write, "{\"dataset\":\"temperature\",\"pipeline\":[{\"write\":\"ram\"}]}",
         &utet_query_option_transform},
        {"covariance", "{\"dataset\":\"temperature\",\"covariance\":0}", &utet_query_option_covariance,
         "{\"dataset\":\"temperature\",\"pipeline\":[{\"covariance\":0}]}", NULL},
        {"correlation", "{\"dataset\":\"temperature\",\"correlation\":0}", &utet_query_option_correlation,
         "{\"dataset\":\"temperature\",\"pipeline\":[{\"correlation\":0}]}", NULL},
        {"transform", "{\"dataset\":\"temperature\",\"transform\":{\"method\":\"l1\"}}", &utet_query_option_transform,
         "{\"dataset\":\"temperature\",\"pipeline\":[{\"transform\":{\"method\":\"l1\"}}]}", NULL},
    };
    enum { KEYS = sizeof keys / sizeof *keys };
    const utet_query_option *list[KEYS + 1];
    char expected[64];
    unsigned i;
    unsigned k;

    for (i = 0; i < KEYS; i++) {
        list[0] = keys[i].option;
        list[1] = keys[i].also;
        list[2] = NULL;
        begin_document(keys[i].words);
        check(utet_query_open(&query, &document, list) == UTET_OK, keys[i].words, 1);
        for (k = 0; k < KEYS && utet_query_options[(i + k) % KEYS] != NULL; k++)
            list[k] = utet_query_options[(i + k) % KEYS]; /* of all keys, the first is keys[i].option */
        check(k == KEYS && utet_query_options[k] == NULL && list[0] == keys[i].option, "the list of all", i);
        list[KEYS] = NULL;
        snprintf(expected, sizeof expected, "validation: unknown field `%s`", keys[i].key);
        begin_document(keys[i].words);
        check(utet_query_open(&query, &document, list + 1) == UTET_E_METADATA && strcmp(refusal(), expected) == 0,
              keys[i].words, 2);
        if (keys[i].step != NULL) {
            begin_document(keys[i].step);
            check(utet_query_open(&query, &document, list + 1) == UTET_E_METADATA &&
                      strstr(refusal(), "unknown ") != NULL && strstr(refusal(), keys[i].key) != NULL,
                  keys[i].step, 4);
        }
        list[0] = keys[i].also;
        list[1] = NULL;
        begin_document(keys[i].words);
        check(utet_query_open(&query, &document, keys[i].also != NULL ? list : NULL) == UTET_E_METADATA &&
                  strcmp(refusal(), expected) == 0,
              keys[i].words, 3);
    }
    begin_document("{\"dataset\":\"temperature\",\"selection\":[{},{}],\"filter\":{\"gt\":1},\"mean\":[]}");
    check(utet_query_open(&query, &document, NULL) == UTET_OK, "keys that are always read", 0);
}

static void sweep_message(void)
{
    unsigned long n;
    int met = 1;

    for (n = 1; met; n++) {
        begin_document("{\"dataset\":\"temperature\",\"unknown\":1}");
        check(utet_query_open(&query, &document, utet_query_options) == UTET_E_METADATA, "refused", 0);
        met = one("message", &text, message, n, UTET_OK);
    }
    check(n > 2, "it reads: message", 0);
}

/* Binds the document with 8 places. Returns nonzero if that succeeds and the number after them is unchanged. */
static int groups_leave(uint32_t behind)
{
    utet_status status;

    places[0][8] = behind;
    open_document("{\"dataset\":\"temperature\",\"sum\":[],\"group_by\":{\"by\":\"labels\",\"axes\":[\"station\"]}}");
    status = utet_query_bind(&plan, &query, &meta, places[0], 8);
    return status == UTET_OK && places[0][8] == behind;
}

/* What each call returns at a wrong moment, with too little memory, and with media that have changed. */
static void others(void)
{
    static utet_query other;
    char piece[24];
    size_t got;

    check(bind(places[0]) == UTET_E_STATE && message() == UTET_OK, "bind, refused", 0);
    memset(&query, 0, sizeof query);
    got = 1;
    check(utet_query_message(&query, 0, piece, sizeof piece, &got) == UTET_E_STATE && got == 0, "no words of it", 0);
    got = 1;
    check(utet_query_text(&query, &query.dataset, 0, piece, sizeof piece, &got) == UTET_E_STATE && got == 0, "no text",
          0);
    check(bind(places[0]) == UTET_E_STATE && name_of_dataset() == UTET_E_STATE && message() == UTET_E_STATE,
          "a query that is not open", 0);
    open_document("{\"dataset\":\"temperature\",\"sum\":\"altitude\"}");
    check(bind(places[0]) == UTET_E_METADATA && query.fault.reason != 0 && message() == UTET_OK, "no such axis", 0);
    utet_init(&file, &tet.io, tet_work, sizeof tet_work, NULL);
    check(message() == UTET_E_STATE, "the words of a file that is no longer open", 0);
    check(utet_open(&file, &(utet_options){.budget = SIZE_MAX}) == UTET_OK && utet_meta_open(&meta, &file) == UTET_OK &&
              message() == UTET_OK,
          "opened again", 0);
    open_document(answered[0]);
    check(utet_query_bind(&plan, &query, &(utet_meta){0}, places[0], 64) == UTET_E_STATE && bind(places[0]) == UTET_OK,
          "metadata that are not open", 0);
    begin_document(answered[0]);
    text.failing = 1;
    text.empty = 0;
    check(utet_query_open(&query, &document, utet_query_options) == BROKEN && name_of_dataset() == UTET_E_STATE,
          "not opened", 0);
    open_document(answered[0]);
    check(utet_query_open(&other, &document, utet_query_options) == UTET_E_STATE, "another query's document", 0);
    open_file();
    check(utet_query_bind(&plan, &query, &meta, NULL, 0) == UTET_E_SPACE && plan.places_needed == 8, "no places", 0);
    check(utet_query_bind(&plan, &query, &meta, places[0], plan.places_needed) == UTET_OK, "8 places", 0);
    open_document("{\"dataset\":\"temperature\",\"sum\":[],\"group_by\":{\"by\":\"labels\",\"axes\":[\"station\"]}}");
    check(utet_query_bind(&plan, &query, &meta, places[0], 7) == UTET_E_SPACE && plan.places_needed == 8,
          "7 places of 8", 0);
    check(groups_leave(0) && groups_leave(0x80000000u), "8 places for groups, and nothing behind them", 0);
    open_document(answered[0]);
    memset(tet.bytes + 40, 0xFF, 100); /* the records */
    check(bind(places[0]) == UTET_E_DATASET, "records that have changed", 0);
    memset(text.bytes, 0xFF, text.size);
    check(name_of_dataset() == UTET_E_METADATA, "a text that has changed", 0);
    begin_document("{\"dataset\":\"temperature\",\"unknown\":1}");
    check(utet_query_open(&query, &document, utet_query_options) == UTET_E_METADATA, "refused", 0);
    memset(text.bytes, 0xFF, text.size);
    check(message() == UTET_E_METADATA, "a key that has changed", 0);
}

/* Calls with numbers that name nothing, and with documents that are not in the state that the call requires. */
static void misused(void)
{
    static const utet_fold_operation *operations[2];
    utet_file closed;
    utet_query other;
    unsigned i;
    char piece[64];
    size_t got;

    for (i = 0; i < 256; i++) {
        const int reduces = i != UTET_QUERY_NONE && i < UTET_QUERY_COVARIANCE;

        check((utet_query_name((uint8_t)i)[0] != '\0') == (i != UTET_QUERY_NONE && i <= UTET_QUERY_TRANSFORM), "name",
              i);
        check((utet_query_operation((uint8_t)i) != NULL) == reduces, "operation", i);
        operations[1] = utet_query_operation((uint8_t)i);
        check(!reduces || operations[1] != operations[0], "an operation of its own", i);
        operations[0] = operations[1];
        check((utet_query_method_name((uint8_t)i)[0] != '\0') == (i != 0 && i <= UTET_QUERY_SOFTMAX) &&
                  (utet_query_transform((uint8_t)i) != NULL) == (i != 0 && i <= UTET_QUERY_SOFTMAX),
              "method", i);
    }
    memset(&closed, 0, sizeof closed);
    check(utet_query_open(&other, &closed, utet_query_options) == UTET_E_STATE, "a file object that was not prepared",
          0);
    open_document("{\"dataset\":\"temperature\"}");
    got = 1;
    check(utet_query_message(&query, 0, piece, sizeof piece, &got) == UTET_OK && got == 0, "nothing to say", 0);
    text.blocks = 1;
    check(name_of_dataset() == UTET_WOULD_BLOCK &&
              utet_query_open(&query, &document, utet_query_options) == UTET_E_STATE && message() == UTET_E_STATE,
          "while a text is read", 0);
    text.blocks = 0;
    check(name_of_dataset() == UTET_OK, "the text goes on", 0);
    check(utet_query_open(&query, &document, utet_query_options) == UTET_OK, "the same query once more", 0);
    utet_init(&document, &text.io, text_work, sizeof text_work, NULL);
    check(utet_query_open(&other, &document, utet_query_options) == UTET_OK && name_of_dataset() == UTET_E_STATE,
          "a text of a document that is another query's now", 0);
}

/* The medium is written while it is read: a text of known length now ends within a character. */
static void rewritten(void)
{
    static const char words[] = "{\"dataset\":\"temperature\",\"sum\":\"station\"}";
    size_t at;

    open_document(words);
    for (at = 0; memcmp(text.bytes + at, "temperature", 11) != 0; at++)
        continue;
    memcpy(text.bytes + at + 10, "\xE2\x98\x83", 3);
    check(name_of_dataset() == UTET_E_METADATA, "a text that ends in a character", 0);
    begin_document(words);
    for (at = 0; memcmp(text.bytes + at, "station", 7) != 0; at++)
        continue;
    /* "not yet" until the value has been found and is read again */
    text.blocks = 1;
    for (;;) {
        utet_status status = utet_query_open(&query, &document, utet_query_options);

        if (status != UTET_WOULD_BLOCK) {
            check(status == UTET_E_METADATA && query.fault.reason == 0, "an axis that has become longer", 0);
            break;
        }
        if (query.operation != UTET_QUERY_NONE)
            memcpy(text.bytes + at + 6, "\xE2\x98\x83", 3);
    }
    text.blocks = 0;
}

/* A list of the dataset that continues with `mark`, the first or last one in the file, ends there while it is read: the
 * result is the plan of before or of afterwards, or the metadata is refused. */
static void shortened(const char *words, const char *mark, int last)
{
    unsigned long refused = 0;
    unsigned long at;
    unsigned long n;
    size_t place = last ? tet.size - strlen(mark) : 0;

    while (memcmp(tet.bytes + place, mark, strlen(mark)) != 0)
        place = last ? place - 1 : place + 1;
    for (at = 1;; at++) {
        utet_status status;

        open_file();
        open_document(words);
        tet.blocks = 1;
        for (n = 0; (status = bind(places[0])) == UTET_WOULD_BLOCK;)
            if (++n == at)
                tet.bytes[place] = ']';
        tet.blocks = 0;
        tet.bytes[place] = ',';
        check(status == UTET_OK || status == UTET_E_METADATA, words, at);
        refused += status != UTET_OK;
        if (n < at)
            break;
    }
    check(refused != 0, "a list that has become shorter", 0);
}

/* The list of the labels, the last one of the file, becomes shorter while labels are looked for: some indices are never
 * examined. */
static void never_seen(void)
{
    char spaced[1000]; /* a window does not hold all of it, so that it is read again for each label */
    utet_status status;
    size_t at = tet.size - 7;

    (void)snprintf(spaced, sizeof spaced,
                   "{\"dataset\":\"temperature\",\"sum\":[],"
                   "\"label_filter\":{\"axis\":\"station\",\"eq\":%*s\"ST02\"}}",
                   800, "");

    open_file();
    open_document(spaced);
    while (memcmp(tet.bytes + at, ",\"ST04\"", 7) != 0)
        at--;
    text.blocks = 1;
    while ((status = bind(places[0])) == UTET_WOULD_BLOCK) {
        if (query.shared.of.binding.of.label.labels.size == 0)
            continue;
        tet.bytes[at] = ']';
        file.priv.held = 0; /* what the window had is read again; while the document is, the file refuses all calls */
    }
    text.blocks = 0;
    check(tet.bytes[at] == ']' && status == UTET_E_METADATA && query.fault.reason == 0, "a shorter list", 0);
    tet.bytes[at] = ',';
}

/* ---- the response of an align ---- */

static char written[2][4096];
static size_t written_length;
static utet_query_response response;

static utet_status gather(void *context, const char *piece, size_t length)
{
    memcpy((char *)context + written_length, piece, length);
    written_length += length;
    return UTET_OK;
}

/* Writes the response of the last document of `answered` into written[turn] once the plan is bound. */
static void begin_response(int turn)
{
    static char buffer[UTET_QUERY_RESPONSE_MIN];

    open_file();
    open_document(answered[2]);
    check(bind(places[0]) == UTET_OK && plan.matched, answered[2], 0);
    memset(&response, 0, sizeof response);
    memset(written[turn], 0, sizeof written[turn]);
    written_length = 0;
    response.plan = &plan;
    response.write = gather;
    response.context = written[turn];
    response.buffer = buffer;
    response.size = sizeof buffer;
}

/* Each read of the file fails once while the names of axes are written; then the list of names becomes shorter. */
static void sweep_response(void)
{
    static const char mark[] = ",\"station\"]";
    utet_status status;
    unsigned long n;
    utet_dataset first;
    size_t at = 0;

    begin_response(0);
    check(utet_query_respond(&response) == UTET_OK && strstr(written[0], "\"dim_name_right\":\"station\"") != NULL,
          "a response", 0);
    for (n = 1;; n++) {
        begin_response(1);
        tet.reads = 0;
        tet.failing = n;
        status = utet_query_respond(&response);
        if (tet.reads < n)
            break;
        check(status == (tet.empty ? UTET_E_SHORT : BROKEN), "a response, the file", n);
        check(utet_query_respond(&response) == UTET_E_STATE, "a response that has failed", n);
    }
    check(n > 2 && status == UTET_OK && strcmp(written[0], written[1]) == 0, "it reads: a response", n);
    begin_response(1);
    tet.blocks = 1;
    while ((status = utet_query_respond(&response)) == UTET_WOULD_BLOCK)
        ;
    tet.blocks = 0;
    check(status == UTET_OK && strcmp(written[0], written[1]) == 0, "a response, not yet at each read", 0);
    begin_response(1);
    document.priv.held = 0; /* nothing is in its window */
    text.blocks = 1;
    check(name_of_dataset() == UTET_WOULD_BLOCK && utet_query_respond(&response) == UTET_E_STATE && written_length == 0,
          "a response while a text of the document is read", 0);
    text.blocks = 0;
    check(name_of_dataset() == UTET_OK && utet_query_respond(&response) == UTET_OK &&
              strcmp(written[0], written[1]) == 0,
          "a response afterwards", 0);
    begin_response(1);
    while (memcmp(tet.bytes + at, mark, sizeof mark - 1) != 0)
        at++;
    tet.bytes[at] = ']';
    check(utet_dataset_first(&file, &first) == UTET_OK, "the window is elsewhere", 0);
    check(utet_query_respond(&response) == UTET_E_METADATA, "a response, fewer names", 0);
    tet.bytes[at] = ',';
}

/* Blanks in the lists of labels: more than the window holds, so that two labels are never in it together. */
static void spread(void)
{
    static const char mark[] = ",\"ST04\"";
    size_t at;
    unsigned i;

    for (at = 0; at + sizeof mark < tet.size; at++)
        if (memcmp(tet.bytes + at, mark, sizeof mark - 1) == 0) {
            uint64_t length = FOOTER_BLANKS;

            memmove(tet.bytes + at + FOOTER_BLANKS, tet.bytes + at, tet.size - at);
            memset(tet.bytes + at, ' ', FOOTER_BLANKS);
            tet.size += FOOTER_BLANKS;
            at += FOOTER_BLANKS;
            for (i = 0; i < 8; i++)
                length += (uint64_t)tet.bytes[tet.size - 16 + i] << 8 * i;
            for (i = 0; i < 8; i++)
                tet.bytes[tet.size - 16 + i] = (uint8_t)(length >> 8 * i);
        }
}

int main(int argc, char **argv)
{
    unsigned i;
    int last;

    if (argc != 2 || !load(argv[1]))
        return 1;
    spread();
    for (i = 0; i < 2 * sizeof answered / sizeof *answered; i++) {
        text.empty = tet.empty = i & 1;
        sweep(answered[i / 2]);
    }
    for (tet.empty = 0; tet.empty < 2; tet.empty++)
        sweep_response();
    tet.empty = 0;
    for (i = 0; i < sizeof answered / sizeof *answered; i++)
        for (last = 0; last < 2; last++)
            shortened(answered[i], ",\"ST01\"", last);
    shortened(answered[2], ",\"station\"]", 0);
    for (text.empty = 0; text.empty < 2; text.empty++)
        sweep_refused();
    text.empty = tet.empty = 0;
    never_seen();
    optional_keys();
    for (text.empty = 0; text.empty < 2; text.empty++)
        sweep_message();
    others();
    misused();
    rewritten();
    printf("%lu passed, %lu failed\n", passed, failed);
    return failed != 0;
}
