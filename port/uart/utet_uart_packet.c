/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Packets as frames: consistent overhead byte stuffing (COBS) between two zeros, with a CRC-32. Relies on nothing. */
#include "utet_uart_packet.h"

#define RESIDUE 0xDEBB20E3u /* CRC-32 over anything and its own inverted CRC-32 */

/* A frame that is being written: the code at `code` counts the bytes up to the next zero. */
typedef struct frame {
    uint8_t *to;
    size_t at, code;
    uint32_t crc;
} frame;

uint32_t utet_uart_crc(uint32_t crc, uint8_t byte)
{
    unsigned bit;

    crc ^= byte;
    for (bit = 0; bit < 8; bit++)
        crc = (crc & 1u) != 0 ? crc >> 1 ^ 0xEDB88320u : crc >> 1;
    return crc;
}

static void put(frame *f, uint8_t byte)
{
    f->crc = utet_uart_crc(f->crc, byte);
    if (byte != 0)
        f->to[f->at++] = byte;
    if (byte == 0 || f->at - f->code == 255) {
        f->to[f->code] = (uint8_t)(f->at - f->code);
        f->code = f->at++;
    }
}

static void put_number(frame *f, uint64_t number, unsigned bytes)
{
    for (; bytes > 0; bytes--, number >>= 8)
        put(f, (uint8_t)(number & 0xFFu));
}

size_t utet_uart_frame(const utet_uart_head *head, const uint8_t *data, size_t count, uint8_t *to)
{
    frame f = {NULL, 2, 1, 0xFFFFFFFFu};

    f.to = to;
    to[0] = 0; /* ends a frame that noise on the line may have begun */
    put(&f, head->kind);
    put(&f, head->result);
    put_number(&f, head->number, 2);
    put_number(&f, head->length, 2);
    put_number(&f, head->identity, 4);
    put_number(&f, head->offset, 8);
    for (; count > 0; count--)
        put(&f, *data++);
    put_number(&f, ~f.crc & 0xFFFFFFFFu, 4);
    to[f.code] = (uint8_t)(f.at - f.code);
    to[f.at] = 0;
    return f.at + 1;
}

static uint64_t number_at(const uint8_t *bytes, unsigned count)
{
    uint64_t number = 0;

    while (count > 0)
        number = number << 8 | bytes[--count];
    return number;
}

void utet_uart_read_head(utet_uart_head *head, const uint8_t *bytes)
{
    head->kind = bytes[0];
    head->result = bytes[1];
    head->number = (uint16_t)number_at(bytes + 2, 2);
    head->length = (uint16_t)number_at(bytes + 4, 2);
    head->identity = (uint32_t)number_at(bytes + 6, 4);
    head->offset = number_at(bytes + 10, 8);
}

int utet_uart_decode(utet_uart_decoder *decoder, uint8_t byte)
{
    int next = byte;

    if (byte == 0) {
        next = decoder->left == 0 && decoder->crc == RESIDUE ? UTET_UART_END : UTET_UART_DAMAGED;
        decoder->crc = 0xFFFFFFFFu;
        decoder->left = decoder->zero = 0;
        return next;
    }
    if (decoder->left > 0) {
        decoder->left--;
    } else { /* a code */
        next = decoder->zero != 0 ? 0 : UTET_UART_NOTHING;
        decoder->left = (uint8_t)(byte - 1u);
        decoder->zero = byte < 255;
    }
    if (next >= 0)
        decoder->crc = utet_uart_crc(decoder->crc, (uint8_t)next);
    return next;
}
