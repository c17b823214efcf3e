/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Tensogram messages under stress, over the vectors in the tree: every behaviour of a port, a fault at every read,
 * every truncation, every bit flipped. */
#include "tensogramworld.h"

/* Reads the bytes through a port that `set` has prepared. */
static tgm_look look(const tgm_file *f, size_t size, size_t slice, unsigned blocks, size_t work)
{
    rig r;
    tgm_look x;

    rig_make(&r, f->bytes, size, -1);
    r.port.slice = slice;
    r.port.blocks = blocks;
    suite_check(tgm_open(&r, work) == UTET_OK, "%s: open", f->name);
    tgm_look_at(&x, &r);
    rig_end(&r, f->name);
    return x;
}

static void every_port_sees_the_same(void **state)
{
    static const char *const folders[] = {"good", "bad"};
    tgm_file f;
    size_t i, k, n = 0;

    (void)state;
    for (k = 0; k < 2; k++)
        for (i = 0; tgm_vector(folders[k], i, &f); i++, tgm_forget(&f)) {
            static const size_t slices[] = {1, 3, 7, 64, SLICE_RANDOM};
            tgm_look first = look(&f, f.size, SLICE_ALL, 0, BEST_WORK);
            size_t s;

            for (s = 0; s < 5; s += suite_light() ? 2 : 1) {
                tgm_look x = look(&f, f.size, slices[s], (unsigned)s & 1, s & 1 ? BEST_WORK : LEAST_WORK);

                suite_check(x.digest == first.digest, "%s: another digest with slices of %zu", f.name, slices[s]);
            }
            {
                rig r;
                tgm_look x;

                rig_make(&r, f.bytes, f.size, -1);
                faultport_map(&r.port);
                suite_check(tgm_open(&r, 0) == UTET_OK, "%s: mapped", f.name);
                tgm_look_at(&x, &r);
                suite_check(x.digest == first.digest, "%s: mapped differs", f.name);
                rig_end(&r, f.name);
            }
            suite_check((first.broken == (strstr(f.name, "false_start") != NULL) && first.messages != 0) || k == 1,
                        "%s: %u broken", f.name, first.broken);
            n++;
        }
    suite_check(n > 150, "%zu vectors", n);
    suite_figure("%zu vectors seen the same by 6 ports", n);
}

static void units(void **state)
{
    tgm_file f;
    size_t i;

    (void)state;
    for (i = 0; tgm_vector("good", i, &f); i++, tgm_forget(&f)) {
        tgm_look first = look(&f, f.size, SLICE_ALL, 0, BEST_WORK);
        rig r;
        tgm_look x;

        rig_make(&r, f.bytes, f.size, -1);
        r.port.io.unit = i & 1 ? 512 : 64;
        r.port.io.align = 4;
        suite_check(tgm_open(&r, UTET_WINDOW_LEAST(512)) == UTET_OK, "%s: open", f.name);
        tgm_look_at(&x, &r);
        suite_check(x.digest == first.digest, "%s: units of %u", f.name, (unsigned)r.port.io.unit);
        rig_end(&r, f.name);
    }
}

/* A fault at every read; afterwards the same file object sees what it would have seen without it. */
static void faults_everywhere(void **state)
{
    static const fault_kind kinds[] = {FAULT_ERROR, FAULT_EOF, FAULT_SHORT, FAULT_BLOCK_THRICE};
    uint64_t faults = 0;
    tgm_file f;
    size_t i, k;

    (void)state;
    for (i = 0; tgm_vector("good", i, &f); i++, tgm_forget(&f)) {
        tgm_look first;
        rig r;
        uint64_t at, reads;

        if (f.size > SMALL || (suite_light() && i % 4 != 0) || (!suite_full() && i % 3 != 0))
            continue;
        rig_make(&r, f.bytes, f.size, -1);
        suite_check(tgm_open(&r, LEAST_WORK) == UTET_OK, "%s: open", f.name);
        tgm_look_at(&first, &r);
        reads = r.port.reads;
        for (k = 0; k < 4; k++)
            for (at = 0; at < reads; at++) {
                tgm_look x;

                faultport_rewind(&r.port);
                r.port.fault = kinds[k];
                r.port.fault_at = at;
                suite_check(tgm_open(&r, LEAST_WORK) == UTET_OK, "%s: open again", f.name);
                tgm_look_at(&x, &r);
                suite_check(x.stop != UTET_OK || x.digest == first.digest, "%s: fault %s at read %lu: another digest",
                            f.name, fault_names[kinds[k]], (unsigned long)at);
                suite_check((x.stop == UTET_OK) == (k > 1 || r.port.faults == 0), "%s: fault %s at read %lu: %s",
                            f.name, fault_names[kinds[k]], (unsigned long)at, rig_status(x.stop));
                r.port.fault = FAULT_NONE;
                tgm_look_at(&x, &r);
                suite_check(x.digest == first.digest, "%s: after fault %s at read %lu: another digest", f.name,
                            fault_names[kinds[k]], (unsigned long)at);
                faults++;
            }
        rig_end(&r, f.name);
    }
    suite_figure("%lu faults", (unsigned long)faults);
    suite_check(faults > 100, "%lu faults", (unsigned long)faults);
}

/* A message that is cut anywhere is truncated, never shorter. */
static void truncated_everywhere(void **state)
{
    tgm_file f;
    size_t i, cuts = 0;

    (void)state;
    for (i = 0; tgm_vector("good", i, &f); i++, tgm_forget(&f)) {
        uint64_t ends[16], begins[16];
        utet_message message;
        utet_status status;
        unsigned count = 0, n;
        size_t size;
        rig r;

        if (f.size > SMALL && !suite_full())
            continue;
        rig_make(&r, f.bytes, f.size, -1);
        suite_check(tgm_open(&r, LEAST_WORK) == UTET_OK, "%s: open", f.name);
        DRIVE(status, utet_message_first(&r.file, &message));
        for (; status != UTET_END && count < 16;) {
            if (status == UTET_OK) {
                begins[count] = message.offset;
                ends[count++] = message.offset + message.length;
            }
            DRIVE(status, utet_message_next(&r.file, &message));
        }
        rig_end(&r, f.name);
        for (size = 0; size < f.size; size += suite_light() ? 17 : 1) {
            tgm_look x = look(&f, size, SLICE_ALL, 0, LEAST_WORK);
            unsigned whole = 0;

            for (n = 0; n < count; n++) {
                whole += ends[n] <= size;
                if (begins[n] + 8 <= size && size < ends[n])
                    suite_check(x.cut, "%s: cut at %zu: not truncated", f.name, size);
            }
            suite_check(x.messages == whole, "%s: cut at %zu: %u messages, not %u", f.name, size, x.messages, whole);
            cuts++;
        }
    }
    suite_figure("%zu truncations", cuts);
}

/* Any bit is flipped: no crash, and two ports agree; it is noticed in bytes that a hash covers. */
static void flipped_everywhere(void **state)
{
    tgm_file f;
    size_t i, flips = 0, noticed = 0;

    (void)state;
    for (i = 0; tgm_vector("good", i, &f); i++, tgm_forget(&f)) {
        size_t bit;

        if (f.size > SMALL || (!suite_full() && i % 4 != 3))
            continue;
        for (bit = i % 5; bit < 8 * f.size; bit += suite_light() ? 61 : suite_full() ? 1 : 5) {
            tgm_look a, b;

            f.bytes[bit / 8] ^= (uint8_t)(1u << (bit & 7));
            a = look(&f, f.size, SLICE_ALL, 0, BEST_WORK);
            b = look(&f, f.size, 5, 1, LEAST_WORK);
            suite_check(a.digest == b.digest, "%s: bit %zu: two ports differ", f.name, bit);
            noticed += a.broken != 0;
            f.bytes[bit / 8] ^= (uint8_t)(1u << (bit & 7));
            flips++;
        }
    }
    suite_figure("%zu bits flipped, %zu noticed", flips, noticed);
    suite_check(noticed > flips / 2, "%zu of %zu noticed", noticed, flips);
}

static void hashed_bytes_are_watched(void **state)
{
    tgm_file f;
    utet_message message;
    utet_frame frame;
    utet_frame_hash hash;
    utet_status status;
    rig r;
    uint64_t at;

    (void)state;
    suite_check(tgm_named("good", "scalar.tgm", &f), "scalar.tgm");
    rig_make(&r, f.bytes, f.size, -1);
    suite_check(tgm_open(&r, LEAST_WORK) == UTET_OK, "open");
    DRIVE_OK(utet_message_first(&r.file, &message));
    DRIVE(status, utet_frame_first(&r.file, &message, &frame));
    for (; status == UTET_OK;) {
        uint64_t tail = frame.type == UTET_FRAME_TENSOR ? 20 : 12;

        for (at = frame.offset + 16; at < frame.offset + frame.length - tail; at++) {
            f.bytes[at] ^= 0x10;
            faultport_rewind(&r.port);
            suite_check(tgm_open(&r, LEAST_WORK) == UTET_OK, "open");
            DRIVE(status, utet_frame_verify(&r.file, &frame, &hash));
            suite_check(status == UTET_E_CHECKSUM && r.file.error_offset == frame.offset, "byte %lu: %s",
                        (unsigned long)at, rig_status(status));
            f.bytes[at] ^= 0x10;
        }
        suite_check(tgm_open(&r, LEAST_WORK) == UTET_OK, "open");
        DRIVE(status, utet_frame_next(&r.file, &message, &frame));
    }
    suite_check(status == UTET_END, "%s", rig_status(status));
    rig_end(&r, "hashes");
    tgm_forget(&f);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(every_port_sees_the_same), cmocka_unit_test(units),
        cmocka_unit_test(faults_everywhere),        cmocka_unit_test(truncated_everywhere),
        cmocka_unit_test(flipped_everywhere),       cmocka_unit_test(hashed_bytes_are_watched),
    };
    return SUITE("tensogram", cases);
}
