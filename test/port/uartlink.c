/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "uartlink.h"
#include "suite.h"

#include <string.h>

uint32_t link_crc(const uint8_t *bytes, size_t length)
{
    uint32_t crc = 0xFFFFFFFFu, turned = 0;
    for (size_t i = 0; i < length * 8; i++) {
        const uint32_t in = (uint32_t)bytes[i / 8] >> (i % 8) & 1u;
        const uint32_t top = crc >> 31;
        crc = crc << 1;
        if (in != top)
            crc ^= 0x04C11DB7u;
    }
    for (unsigned i = 0; i < 32; i++)
        turned |= (crc >> i & 1u) << (31 - i);
    return ~turned;
}

static uint32_t random_of(struct link *link)
{
    link->seed = link->seed * 1664525u + 1013904223u;
    return link->seed >> 8;
}

/* ---- the path of a packet ---- */

static void put(struct link *link, enum link_direction direction, const uint8_t *bytes, size_t length, uint32_t due)
{
    for (unsigned i = 0; i < 32; i++)
        if (!link->packet[i].used) {
            suite_check(length <= LINK_MOST, "a packet of %zu bytes", length);
            link->packet[i].used = 1;
            link->packet[i].direction = direction;
            link->packet[i].due = due;
            link->packet[i].length = length;
            link->packet[i].at = 0;
            memcpy(link->packet[i].bytes, bytes, length);
            return;
        }
    suite_fail("too many packets on their way");
}

static void pass(struct link *link, enum link_direction direction, const uint8_t *bytes, size_t length)
{
    const unsigned index = link->packets[direction]++;
    enum link_fault fault = FAULT_NONE;
    uint8_t changed[LINK_MOST];
    uint8_t value = link->value;
    size_t at = link->at;

    if (index < 64)
        link->lengths[direction][index] = length;
    if (link->silent)
        return;
    if (link->fault != FAULT_NONE && direction == link->direction && index == link->index)
        fault = link->fault;
    if (random_of(link) % 256 < link->rate) {
        fault = (enum link_fault)(1 + random_of(link) % 6);
        at = random_of(link) % length;
        value = (uint8_t)(1 + random_of(link) % 255);
    }
    if (fault == FAULT_LOSE)
        return;
    memcpy(changed, bytes, length);
    if (fault == FAULT_CHANGE)
        changed[at] ^= value;
    if (fault == FAULT_INSERT) {
        memcpy(changed + at + 1, bytes + at, length - at);
        changed[at] = value;
        length++;
    }
    put(link, direction, changed, fault == FAULT_CUT ? at : length, link->now + (fault == FAULT_LATE ? LINK_LATE : 0));
    if (fault == FAULT_DOUBLE)
        put(link, direction, changed, length, link->now);
}

/* ---- the host ---- */

static uint64_t number_at(const uint8_t *bytes, unsigned count)
{
    uint64_t number = 0;
    for (unsigned i = 0; i < count; i++)
        number |= (uint64_t)bytes[i] << 8 * i;
    return number;
}

static void store(uint8_t *to, uint64_t number, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        to[i] = (uint8_t)(number >> 8 * i);
}

size_t link_unstuff(const uint8_t *frame, size_t length, uint8_t *packet)
{
    size_t count = 0;
    for (size_t i = 0; i < length;) {
        const unsigned code = frame[i++];
        if (i + code - 1 > length)
            return 0;
        for (unsigned k = 1; k < code; k++)
            packet[count++] = frame[i++];
        if (code < 255 && i < length)
            packet[count++] = 0;
    }
    return count;
}

static size_t stuff(const uint8_t *packet, size_t length, uint8_t *frame)
{
    size_t count = 0;
    frame[count++] = 0;
    for (size_t i = 0;;) {
        size_t run = 0;
        while (run < 254 && i + run < length && packet[i + run] != 0)
            run++;
        frame[count++] = (uint8_t)(run + 1);
        memcpy(frame + count, packet + i, run);
        count += run;
        i += run;
        if (i == length)
            break;
        i += run < 254;
    }
    frame[count++] = 0;
    return count;
}

static void host_answer(struct link *link, const uint8_t *frame, size_t length)
{
    uint8_t asked[64], answer[LINK_MOST], stuffed[LINK_MOST];
    uint64_t offset, count;
    if (length == 0 || length > 40 || link_unstuff(frame, length, asked) != 22 ||
        link_crc(asked, 18) != number_at(asked + 18, 4))
        return;
    offset = number_at(asked + 10, 8);
    count = number_at(asked + 4, 2);
    suite_check(asked[0] == 0x61 || asked[0] == 0x62, "kind %u", asked[0]);
    suite_check(asked[1] == 0, "a request with a result");
    memcpy(answer, asked, 18);
    answer[0] |= 0x80;
    if (link->unreadable) {
        answer[1] = 2;
    } else if (asked[0] == 0x61) {
        store(answer + 6, link->identity, 4);
        store(answer + 10, link->size, 8);
    } else if (number_at(asked + 6, 4) != link->identity) {
        answer[1] = 1;
    }
    if (answer[1] != 0 || asked[0] == 0x61)
        count = 0;
    suite_check(asked[0] == 0x61 || answer[1] != 0 ||
                    (count > 0 && offset < link->size && count <= link->size - offset),
                "%u bytes from %u on", (unsigned)count, (unsigned)offset);
    store(answer + 4, count, 2);
    memcpy(answer + 18, link->file + (count > 0 ? offset : 0), (size_t)count);
    store(answer + 18 + count, link_crc(answer, 18 + (size_t)count), 4);
    link->served++;
    pass(link, TO_DEVICE, stuffed, stuff(answer, 22 + (size_t)count, stuffed));
}

static void host_hears(struct link *link, uint8_t byte)
{
    if (byte != 0) {
        if (link->heard_length < sizeof link->heard)
            link->heard[link->heard_length++] = byte;
        return;
    }
    host_answer(link, link->heard, link->heard_length);
    link->heard_length = 0;
}

/* ---- the device's driver ---- */

static size_t line_send(void *ctx, const uint8_t *bytes, size_t count)
{
    struct link *const link = ctx;
    suite_check(count > 0, "nothing to send");
    if (link->slow != 0 && count > link->slow)
        count = link->slow;
    suite_check(link->sent + count <= sizeof link->sending, "a long request");
    memcpy(link->sending + link->sent, bytes, count);
    link->sent += count;
    if (link->sent > 1 && link->sending[link->sent - 1] == 0) { /* as a radio would: all of it in one packet */
        pass(link, TO_HOST, link->sending, link->sent);
        link->sent = 0;
    }
    return count;
}

/* The clock starts again after its largest number. */
static int is_due(const struct link *link, unsigned i)
{
    return link->now - link->packet[i].due < 0x80000000u;
}

/* Returns nonzero if there was a packet. */
static int deliver_to_host(struct link *link, unsigned i)
{
    uint8_t bytes[LINK_MOST];
    const size_t length = link->packet[i].length;
    if (!link->packet[i].used || link->packet[i].direction != TO_HOST || !is_due(link, i))
        return 0;
    memcpy(bytes, link->packet[i].bytes, length);
    link->packet[i].used = 0;
    for (size_t k = 0; k < length; k++)
        host_hears(link, bytes[k]);
    return 1;
}

static size_t line_receive(void *ctx, uint8_t *bytes, size_t most)
{
    struct link *const link = ctx;
    if (link->slow != 0 && most > link->slow)
        most = link->slow;
    for (unsigned i = 0; i < 32; i = deliver_to_host(link, i) ? 0 : i + 1)
        ;
    if (link->pauses && (link->pauses = 3 - link->pauses) == 2) {
        link->now++;
        return 0;
    }
    for (unsigned k = 0; k < 64; k++) { /* first a packet that has already begun */
        const unsigned i = k % 32;
        if (link->packet[i].used && link->packet[i].direction == TO_DEVICE && is_due(link, i) &&
            (k >= 32 || link->packet[i].at > 0)) {
            size_t count = link->packet[i].length - link->packet[i].at;
            count = count < most ? count : most;
            memcpy(bytes, link->packet[i].bytes + link->packet[i].at, count);
            link->packet[i].at += count;
            link->packet[i].used = link->packet[i].at < link->packet[i].length;
            if (count > 0)
                return count;
        }
    }
    link->now++;
    return 0;
}

static uint32_t line_clock(void *ctx)
{
    return ((const struct link *)ctx)->now;
}

void link_init(struct link *link, const uint8_t *file, size_t size)
{
    memset(link, 0, sizeof *link);
    link->file = file;
    link->size = size;
    link->identity = 0xC0FFEE00u;
    link->line.ctx = link;
    link->line.send = line_send;
    link->line.receive = line_receive;
    link->line.clock = line_clock;
    link->line.patience = LINK_PATIENCE;
    link->line.tries = 4;
    link->line.most = 16;
}
