/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* A link with faults, and a host at its other end: a second implementation of the packets, written only from
 * port/uart/README.md. Time passes only while the device waits: one tick each time that it finds nothing. */
#ifndef UARTLINK_H
#define UARTLINK_H

#include "utet_uart.h"

#include <stddef.h>
#include <stdint.h>

enum { LINK_MOST = 1300, LINK_PATIENCE = 8, LINK_LATE = 12 }; /* ticks */
enum link_direction { TO_HOST, TO_DEVICE };
enum link_fault { FAULT_NONE, FAULT_LOSE, FAULT_DOUBLE, FAULT_LATE, FAULT_CUT, FAULT_CHANGE, FAULT_INSERT };

struct link {
    utet_uart_line line; /* for utet_uart_init */
    /* the host's file */
    const uint8_t *file;
    size_t size;
    uint32_t identity;
    int unreadable;
    /* one fault, in packet `index` of a direction, at byte `at` of it */
    enum link_fault fault;
    enum link_direction direction;
    unsigned index;
    size_t at;
    uint8_t value; /* changed by exclusive or, or inserted */
    /* or random faults: in this many of 256 packets, from this seed */
    unsigned rate;
    uint32_t seed;
    int silent;  /* nothing arrives */
    int pauses;  /* every second call of receive finds nothing */
    size_t slow; /* maximum number of bytes that one call of send or receive moves; 0: all */
    /* what has happened */
    uint32_t now;
    unsigned packets[2];
    size_t lengths[2][64]; /* of the first packets */
    unsigned served;       /* requests that the host has answered */
    /* inside */
    struct {
        int used;
        enum link_direction direction;
        uint32_t due;
        size_t length, at;
        uint8_t bytes[LINK_MOST];
    } packet[32];
    uint8_t sending[64]; /* bytes of a request that the driver takes in parts */
    size_t sent;
    uint8_t heard[64];
    size_t heard_length;
};

/* A link without faults to a host that serves these bytes. */
void link_init(struct link *link, const uint8_t *file, size_t size);

/* CRC-32, bit by bit from the front: another algorithm than that of the port. */
uint32_t link_crc(const uint8_t *bytes, size_t length);

/* The number of bytes of the packet in a frame without its zeros; 0: none. */
size_t link_unstuff(const uint8_t *frame, size_t length, uint8_t *packet);

#endif
