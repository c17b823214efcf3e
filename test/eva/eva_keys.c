/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C EVA over the comparison of keys in a message's metadata. EVA_PART 1: the search for a key that is in memory
 * or in the file: its comparison; 2: the iteration over entries around it. 3: strict mode: the comparison of a key with
 * the last one of its map, and a token; 4: the pass around them. An alarm is possible undefined behaviour. Window,
 * tokens and items are replaced by their contracts (eva_cbor.h); lengths of keys are from a list, with each position in
 * them at which a call may stop. Each part begins in any state that it may have left.
 *
 * eva.sh: 4 parts, x86_32
 *   1 3: -eva-slevel 500 -eva-slevel-function eva_main:5000 -eva-split-return full -eva-ilevel 64
 *   2: -eva-slevel 500 -eva-slevel-function eva_main:5000 -eva-split-return full -eva-ilevel 64
 *       -eva-use-spec tensogram_search_compare
 *   4: -eva-slevel 500 -eva-slevel-function eva_main:5000 -eva-split-return full -eva-ilevel 64
 *       -eva-use-spec tensogram_rules_compare,tensogram_rules_token
 */
#include <string.h>

#include "eva_cbor.h"

static utet_metadata metadata;

static void any_metadata(void)
{
    any_file();
    Frama_C_make_unknown((char *)&metadata, sizeof metadata);
    metadata.priv.file = &file;
    any_reader(&metadata.reader);
}

utet_status utet_metadata_enter(utet_metadata *of, uint8_t call)
{
    (void)call;
    if (Frama_C_interval(0, 1))
        return UTET_E_STATE;
    return of->priv.file != NULL ? UTET_OK : UTET_E_STATE;
}

utet_status utet_end_call(utet_status status, utet_file *of)
{
    (void)of;
    return status;
}

#if EVA_PART == 2
/* Part 1. */
/*@ assigns metadata->priv.match, metadata->priv.held,
   metadata->priv.search.compared \from *text, metadata->priv.match; assigns
   \result \from metadata->priv.match; */
static utet_status tensogram_search_compare(utet_metadata *metadata, const char *text, const utet_item *wanted);
#endif

#if EVA_PART <= 2
#include "tensogram/tensogram_search.c"

static char text[50];
static const uint8_t lengths[] = {0, 3, UTET_CBOR_HEAD, UTET_CBOR_HEAD + 1, 50};
static uint32_t wanted;

/* Another entry: its key may have the requested length. */
utet_status utet_item_key(utet_cbor *reader, utet_item *list, utet_item *key)
{
    (void)list;
    any_token(reader);
    key->kind = Frama_C_interval(0, 1) ? UTET_CBOR_TEXT : UTET_CBOR_NULL;
    key->length = Frama_C_interval(0, 1) ? wanted : wanted + 1;
    key->place = any64();
    return answer(UTET_END, UTET_E_METADATA);
}

utet_status utet_item_value(utet_cbor *reader, utet_item *list, utet_item *item)
{
    (void)list;
    any_token(reader);
    Frama_C_make_unknown((char *)item, sizeof *item);
    return answer(UTET_E_SPACE, UTET_E_METADATA);
}

/* A text that ends with memory; one without bytes may be anywhere. */
static const char *any_text(void)
{
    wanted = lengths[Frama_C_interval_split(0, 4)];
    Frama_C_make_unknown(text, sizeof text);
    return text + (sizeof text - (wanted != 0 ? wanted : 1));
}
#endif

#if EVA_PART == 1
void eva_main(void)
{
    static utet_item key;
    const char *at = any_text();
    const int in_file = Frama_C_interval_split(0, 1);

    any_metadata();
    Frama_C_make_unknown((char *)&key, sizeof key);
    metadata.priv.search.key.length = wanted;
    if (Frama_C_interval_split(0, 1)) { /* the beginning */
        aim_key(&metadata, in_file ? NULL : at, wanted);
        return;
    }
    metadata.priv.search.compared = (in_file || wanted < UTET_CBOR_HEAD ? 0 : UTET_CBOR_HEAD);
    metadata.priv.search.compared += PIECE * (uint32_t)Frama_C_interval_split(0, 3);
    if (metadata.priv.search.compared > wanted)
        return;
    if (Frama_C_interval_split(0, 1))
        metadata.priv.held = 0;
    grants = 2;
    (void)tensogram_search_compare(&metadata, in_file ? NULL : at, &key);
}
#elif EVA_PART == 2
void eva_main(void)
{
    static utet_item map, key, value;
    const char *at = any_text();

    any_metadata();
    Frama_C_make_unknown((char *)&map, sizeof map);
    Frama_C_make_unknown((char *)&key, sizeof key);
    metadata.priv.search_step = (uint8_t)Frama_C_interval(TENSOGRAM_SEARCH_KEY, TENSOGRAM_SEARCH_VALUE);
    switch (Frama_C_interval_split(0, 3)) {
    case 0: (void)utet_metadata_search_key(&metadata, &key); break;
    case 1: (void)utet_metadata_search(&metadata, at, wanted); break;
    case 2: utet_metadata_aim(&metadata, &map); break;
    default: (void)utet_metadata_in(&metadata, &map, at, wanted, &value); break;
    }
    /*@ assert step: metadata.priv.search_step <= 2; */
}
#else
static uint32_t length; /* bytes of the key that is the token */

void utet_cbor_begin(utet_cbor *cbor, uint64_t offset, uint32_t size)
{
    cbor->base = offset;
    (void)size;
}

utet_status utet_cbor_fault(utet_cbor *cbor, uint32_t at)
{
    cbor->priv.file->error_offset = cbor->base + at;
    return UTET_E_METADATA;
}

int utet_cbor_float_is_long(const utet_cbor *cbor)
{
    (void)cbor->number;
    return Frama_C_interval(0, 1);
}

#if EVA_PART == 4
/* Part 3. */
/*@ assigns state->priv.step, state->priv.compared, state->priv.held \from
   metadata->priv.step; assigns \result \from metadata->priv.step; ensures
   \result != UTET_END; */
static utet_status tensogram_rules_compare(utet_metadata *metadata, utet_metadata_checking *state);
/*@ assigns state->priv.step, state->priv.compared, state->priv.held \from
   metadata->priv.step; assigns \result \from metadata->priv.step; */
static utet_status tensogram_rules_token(utet_metadata *metadata, unsigned rules, utet_metadata_checking *state);
#endif

#include "tensogram/tensogram_rules.c"

void eva_main(void)
{
    static utet_metadata_checking state;
#if EVA_PART == 3
    static const uint8_t lengths[] = {1, 16, 33}, lasts[] = {0, 1, 16, 34};
    utet_cbor *reader = &metadata.reader;

    any_metadata();
    Frama_C_make_unknown((char *)&state, sizeof state);
    if (Frama_C_interval_split(0, 1)) {
        (void)tensogram_rules_token(&metadata, (unsigned)Frama_C_interval(0, 3), &state);
        return;
    }
    length = lengths[Frama_C_interval_split(0, 2)];
    reader->begin = 100;
    reader->next = 100 + length;
    reader->depth = UTET_CBOR_DEPTH;
    state.priv.length[UTET_CBOR_DEPTH - 1] = lasts[Frama_C_interval_split(0, 3)];
    state.priv.compared = PIECE * (uint32_t)Frama_C_interval_split(0, 2);
    if (state.priv.compared != 0 &&
        (state.priv.compared >= length || state.priv.compared >= state.priv.length[UTET_CBOR_DEPTH - 1]))
        return;
    if (Frama_C_interval_split(0, 1))
        state.priv.held = 0;
    grants = 2;
    (void)tensogram_rules_compare(&metadata, &state);
#else
    (void)length;
    any_metadata();
    Frama_C_make_unknown((char *)&state, sizeof state);
    (void)utet_metadata_check(&metadata, (unsigned)Frama_C_interval(0, 3), &state);
#endif
}
#endif
