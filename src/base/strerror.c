/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The English texts of statuses. They have a file of their own, so that only programs that print link the texts. */
#include "flash.h"
#include "utet_io.h"

#include <stddef.h>

#define PORT "an error of the port: see its README"
#define STATUS_UNKNOWN "unknown status"

/* Pairs of a status and its text, one after another: a table of addresses would take more flash. */
typedef struct texts {
#define TEXT(status, words) \
    int8_t for_##status;    \
    char of_##status[sizeof(words)];
#include "status_texts.h"
#undef TEXT
    char port[sizeof(PORT)];
    char unknown[sizeof(STATUS_UNKNOWN)];
} texts;

static const texts in_flash UTET_FLASH = {
#define TEXT(status, words) status, words,
#include "status_texts.h"
    PORT,
    STATUS_UNKNOWN,
};

#ifdef __AVR__
static const texts in_ram = {
#include "status_texts.h"
    PORT,
    STATUS_UNKNOWN,
};
#define ADDRESSABLE in_ram
#else
#define ADDRESSABLE in_flash
#endif

/* Returns the offset of the text of a status from the first byte. */
static size_t status_place(utet_status status)
{
    const char *all = (const char *)&in_flash;
    size_t at = 0;

    if (status <= UTET_E_PORT)
        return offsetof(texts, port);
    while (at != offsetof(texts, port)) {
        if ((int8_t)UTET_FLASH_BYTE(all + at++) == status)
            return at;
        while (UTET_FLASH_BYTE(all + at++) != '\0') {}
    }
    return offsetof(texts, unknown);
}

const char *utet_strerror(utet_status status)
{
    return (const char *)&ADDRESSABLE + status_place(status);
}

size_t utet_strerror_copy(utet_status status, char *to, size_t size)
{
    const char *text = (const char *)&in_flash + status_place(status);
    size_t length;
    char byte;

    for (length = 0; (byte = UTET_FLASH_BYTE(text + length)) != '\0'; length++)
        if (length + 1 < size)
            to[length] = byte;
    if (size != 0)
        to[length < size ? length : size - 1] = '\0';
    return length;
}
