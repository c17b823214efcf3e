/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Firmware that reads Tensogram files of the host through semihosting: everything that the library returns for
 * messages, frames, metadata and descriptors goes into one digest for each file, including statuses and offsets of
 * faults; the data of each tensor goes into a SHA-256. Runs on every board of this folder that has the RAM.
 *
 *   tensors [work=BYTES] FILE… | @LIST…     LIST: a text file with one file name per line
 *
 * work: the workspace, 40,960 if not given. Lines are tab-separated; statuses are numbers, 0 = well:
 *   file  NAME  MESSAGES that are sound  DIGEST
 *   data  MESSAGE  TENSOR  STATUS  SHA-256 or -  NEED
 *   done  FILES  TENSORS READ  REFUSED  ERRORS of this program's own checks  STACK of our calls
 * The checks: a tensor is opened in exactly its need, and a byte less is refused with that number. The exit code is
 * 0 if none failed, for any content of the files. Relies on port/semihosting and on board_spare for the workspace. */
#include "board.h"
#include "print.h"
#include "sha256.h"
#include "utet_lz4.h"
#include "utet_semihosting.h"
#include "utet_tensogram_data.h"
#include "words.h"

#include <string.h>

#define WORK 40960u
#define MOST_TENSORS 60u /* tensors of a message whose data are read */

static const utet_codec *const codecs[] = {&utet_codec_zstd_small, &utet_codec_szip,    &utet_codec_lz4,
                                           &utet_codec_rle,        &utet_codec_roaring, NULL};

static utet_semihosting port;
static utet_file file;
static utet_message message;
static utet_frame frame;
static utet_object object;
static utet_cbor reader;
static utet_tensor tensor;
static union {
    utet_metadata metadata;
    utet_frame_hash hash;
} about;
static union {
    utet_metadata_checking checking;
    utet_metadata_comparing comparing;
} state;

static uint8_t *spare;
static size_t spare_len;
static size_t work_len;
static uint64_t digest;

static struct {
    uint32_t files, read, refused, errors;
    size_t stack;
} total;

static void see(uint64_t value)
{
    unsigned i;

    for (i = 0; i < 8; i++)
        digest = (digest ^ (uint8_t)(value >> (8 * i))) * 0x100000001B3u;
}

/* Keeps a status and the offset of an error; returns 1 to continue. */
static int went(utet_status status)
{
    see((uint64_t)(int64_t)status);
    if (status < 0 && status != UTET_E_NOT_FOUND && status != UTET_E_SPACE)
        see(file.error_offset);
    return status == UTET_OK;
}

static utet_status open_within(size_t bytes)
{
    const utet_status status = utet_init(&file, &port.io, spare, bytes, codecs);

    return status == UTET_OK ? utet_messages_open(&file, NULL) : status;
}

/* ---- frames, descriptors ---- */

static void see_tokens(void)
{
    int ok = went(utet_cbor_open(&reader, &file, frame.content_offset, frame.content_length, NULL, 0));

    while (ok && (ok = went(utet_cbor_next(&reader))) != 0 && reader.token != UTET_CBOR_END) {
        see(reader.token | (uint64_t)reader.flags << 8 | (uint64_t)reader.is_key << 16 | (uint64_t)reader.depth << 32);
        see(reader.token == UTET_CBOR_TEXT ? reader.hash : reader.number);
        see(reader.length);
    }
}

static void see_object(void)
{
    unsigned i;

    if (!went(utet_object_open(&object, &file, &frame, &reader)))
        return;
    see(object.dtype | (uint64_t)object.encoding << 8 | (uint64_t)object.filter << 16 |
        (uint64_t)object.compression << 24 | (uint64_t)object.big_endian << 32 | (uint64_t)object.masks << 40);
    see(object.elements);
    see(object.decoded_length);
    see(object.stored_length);
    see(object.payload_offset);
    see(object.payload_length);
    for (i = 0; i < object.ndim; i++) {
        see(object.shape[i]);
        see((uint64_t)object.strides[i]);
    }
    for (i = 0; i < UTET_MASKS; i++) {
        see(object.mask[i].method);
        see(object.mask[i].offset);
        see(object.mask[i].length);
    }
    see((uint64_t)object.packing.binary);
    see((uint64_t)object.packing.decimal | (uint64_t)object.packing.bits << 32);
    see(object.shuffle_size);
    see(object.szip.interval | (uint64_t)object.szip.block_size << 16 | (uint64_t)object.szip.flags << 32);
}

static void see_frames(void)
{
    int ok = went(utet_frame_first(&file, &message, &frame));

    while (ok) {
        see(frame.offset);
        see(frame.length);
        see(frame.type | (uint64_t)frame.flags << 16 | (uint64_t)frame.hashed << 32);
        if (went(utet_frame_verify(&file, &frame, &about.hash)) || frame.hashed == UTET_HASH_NONE)
            see(about.hash.value);
        if (frame.type == UTET_FRAME_TENSOR)
            see_object();
        else
            see_tokens();
        ok = went(utet_frame_next(&file, &message, &frame));
    }
}

/* ---- metadata ---- */

static void see_paths(void)
{
    static const char *const paths[] = {"mars.param", "k", "u", "_extra_", "_reserved_.tensor", "n", "a", "units"};
    static utet_item value;
    utet_metadata *m = &about.metadata;
    char text[24];
    unsigned i;

    for (i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        if (!went(utet_metadata_find_dotted(m, paths[i], strlen(paths[i]), &value)))
            continue;
        see(value.kind | (uint64_t)value.length << 8);
        see(value.number);
        if (value.kind == UTET_CBOR_TEXT && value.length <= sizeof text &&
            went(utet_item_text(&m->reader, &value, 0, text, value.length))) {
            uint32_t k;

            for (k = 0; k < value.length; k++)
                see((uint8_t)text[k]);
        }
    }
}

static uint32_t see_metadata(void)
{
    static utet_item entry;
    static utet_item over;
    utet_metadata *m = &about.metadata;
    uint32_t i;

    if (!went(utet_metadata_open(m, &file, &message, NULL, 0)))
        return 0;
    see(m->objects | (uint64_t)m->document.entries << 32);
    see(m->preceders | (uint64_t)m->frames << 32);
    see(m->document.others);
    for (i = 0; i < m->objects; i++)
        if (went(utet_metadata_entry(m, i, &entry, &over))) {
            see(entry.kind | (uint64_t)entry.length << 8);
            see(over.kind | (uint64_t)over.length << 8);
        }
    see_paths();
    (void)went(utet_metadata_check(m, UTET_METADATA_TYPES, &state.checking));
    (void)went(utet_metadata_check(m, UTET_METADATA_CANONICAL, &state.checking));
    (void)went(utet_metadata_compare(m, &state.comparing));
    return m->objects;
}

/* ---- data ---- */

/* Opens the tensor with exactly its need, after a refusal with one byte less. */
static utet_status begin(utet_need *need)
{
    utet_status status = utet_tensor_need(&tensor, &file, &object, need);
    const uint64_t least = need->least > UTET_WINDOW_LEAST(1) ? need->least : UTET_WINDOW_LEAST(1);

    if (status != UTET_OK)
        return status;
    if (need->least > work_len)
        return UTET_E_SPACE;
    if (need->least > UTET_WINDOW_LEAST(1)) {
        status = open_within((size_t)need->least - 1);
        if (status == UTET_OK)
            status = utet_tensor_open(&tensor, &file, &object);
        total.errors += status != UTET_E_BUDGET || file.needed != need->least;
    }
    status = open_within((size_t)least);
    return status == UTET_OK ? utet_tensor_open(&tensor, &file, &object) : status;
}

static utet_status read_data(uint8_t sum[32], utet_need *need)
{
    static struct sha256 hash;
    static uint8_t slice[256];
    size_t got;
    utet_status status;

    need->least = 0;
    board_stack_paint();
    status = begin(need);
    if (status == UTET_OK) {
        sha256_init(&hash);
        while ((status = utet_tensor_read(&tensor, slice, sizeof slice, &got)) == UTET_OK)
            sha256_add(&hash, slice, got);
        sha256_end(&hash, sum);
    }
    if (board_stack_peak() - board_stack_now() > total.stack)
        total.stack = board_stack_peak() - board_stack_now();
    return status == UTET_END ? UTET_OK : status;
}

static void report_data(uint32_t number, uint32_t index)
{
    uint8_t sum[32];
    utet_need need;
    utet_status status = open_within(work_len);

    need.least = 0;
    if (status == UTET_OK)
        status = utet_object_find(&object, &file, &message, index, &frame, &reader);
    if (status == UTET_OK)
        status = read_data(sum, &need);
    total.read += status == UTET_OK;
    total.refused += status != UTET_OK;
    print_text("data\t");
    print_u64(number);
    print_char('\t');
    print_u64(index);
    print_char('\t');
    print_i64(status);
    print_char('\t');
    if (status == UTET_OK)
        print_hex_bytes(sum, sizeof sum);
    else
        print_char('-');
    print_char('\t');
    print_u64(need.least);
    print_char('\n');
}

/* ---- a file ---- */

static void report_file(const char *name)
{
    utet_status status = utet_semihosting_open(&port, name);
    uint32_t sound = 0;

    total.files++;
    digest = 0xCBF29CE484222325u;
    if (status == UTET_OK)
        status = open_within(work_len);
    total.errors += status != UTET_OK;
    if (status == UTET_OK)
        status = utet_message_first(&file, &message);
    while (status != UTET_END && status > UTET_E_PORT) {
        uint32_t objects = 0;
        uint32_t i;

        if (went(status)) {
            see(message.offset);
            see(message.length);
            see(message.flags);
            see_frames();
            objects = see_metadata();
            for (i = 0; i < objects && i < MOST_TENSORS; i++)
                report_data(sound, i);
            total.errors += open_within(work_len) != UTET_OK;
            sound++;
        }
        status = utet_message_next(&file, &message);
    }
    (void)went(status);
    see(message.skipped);
    print_text("file\t");
    print_text(name);
    print_char('\t');
    print_u64(sound);
    print_char('\t');
    print_hex(digest, 16);
    print_char('\n');
    utet_semihosting_close(&port);
}

static void report_word(const char *word)
{
    if (strncmp(word, "work=", 5) == 0) {
        for (work_len = 0, word += 5; *word >= '0' && *word <= '9'; word++)
            work_len = work_len * 10 + (size_t)(*word - '0');
        if (work_len > spare_len)
            total.errors++;
    } else {
        report_file(word);
    }
}

int main(void)
{
    spare = board_spare(&spare_len);
    work_len = spare_len < WORK ? spare_len : WORK;
    if (words_each(report_word) != 0) {
        print_text("no command line, or no such list\n");
        return 2;
    }
    print_text("done\t");
    print_u64(total.files);
    print_char('\t');
    print_u64(total.read);
    print_char('\t');
    print_u64(total.refused);
    print_char('\t');
    print_u64(total.errors);
    print_char('\t');
    print_u64(total.stack);
    print_char('\n');
    return total.errors == 0 ? 0 : 1;
}
