/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The packets between port/uart and `utet serve`: README.md in this folder has their layout. Both ends use these
 * functions. Nothing here waits or keeps anything between calls. */
#ifndef UTET_UART_PACKET_H
#define UTET_UART_PACKET_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    UTET_UART_ASK_FILE = 0x61,
    UTET_UART_ASK_BYTES = 0x62,
    UTET_UART_ANSWER = 0x80 /* added to a request's kind */
};
enum { UTET_UART_DONE = 0, UTET_UART_CHANGED = 1, UTET_UART_UNREADABLE = 2 };
enum { UTET_UART_HEAD = 18, UTET_UART_SUM = 4, UTET_UART_REQUEST = UTET_UART_HEAD + UTET_UART_SUM + 3 };

/* Maximum size of the frame of a packet with `data` bytes of a file, in bytes. */
#define UTET_UART_FRAME(data) ((size_t)(data) + (size_t)(data) / 254u + UTET_UART_REQUEST + 1u)

typedef struct utet_uart_head {
    uint8_t kind;
    uint8_t result;
    uint16_t number; /* number of the request; its answer has the same one */
    uint16_t length; /* request: number of requested bytes; answer: number of data bytes */
    uint32_t identity;
    uint64_t offset; /* offset in the file; answer to UTET_UART_ASK_FILE: size of the file */
} utet_uart_head;

/* Adds a byte to a CRC-32 (that of Ethernet and zlib). Begin with 0xFFFFFFFF, and invert the final result. */
uint32_t utet_uart_crc(uint32_t crc, uint8_t byte);

/* Writes a frame with the head and `count` bytes of data to `to`; returns its length. */
size_t utet_uart_frame(const utet_uart_head *head, const uint8_t *data, size_t count, uint8_t *to);

/* Reads the head at the beginning of a packet. */
void utet_uart_read_head(utet_uart_head *head, const uint8_t *bytes);

/* Takes frames apart, byte by byte. A zeroed decoder skips everything up to the first end of a frame. */
typedef struct utet_uart_decoder {
    uint32_t crc;
    uint8_t left; /* bytes up to the next code */
    uint8_t zero; /* a zero of the packet precedes the next code */
} utet_uart_decoder;

enum { UTET_UART_NOTHING = -1, UTET_UART_END = -2, UTET_UART_DAMAGED = -3 };

/* Takes a byte of the line. Returns the next byte of the packet, its checksum included; or UTET_UART_NOTHING, or
 * UTET_UART_END (the packet is complete and its checksum right), or UTET_UART_DAMAGED (a packet ended otherwise). */
int utet_uart_decode(utet_uart_decoder *decoder, uint8_t byte);

#ifdef __cplusplus
}
#endif

#endif
