/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* For an AVR, whose flash has the texts of messages and statuses: prints why a query document is refused. */
#include "utet_query.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

static void print(const char *text)
{
    for (; *text != '\0'; text++) {
        while (!(UCSR0A & (1 << UDRE0)))
            ;
        UDR0 = (uint8_t)*text;
    }
    while (!(UCSR0A & (1 << UDRE0)))
        ;
    UDR0 = '\n';
}

int main(void)
{
    static const char document[] = "{\"dataset\":\"t\",\"colour\":[1,2]}";
    static uint8_t work[512];
    static utet_io io = {.map = (const uint8_t *)document, .size = sizeof document - 1, .unit = 1, .align = 1};
    static utet_file file;
    static utet_query query;
    static char text[100];
    size_t got;

    UCSR0B = 1 << TXEN0;
    if (utet_init(&file, &io, work, sizeof work, NULL) == UTET_OK &&
        utet_query_open(&query, &file, utet_query_options) == UTET_E_METADATA &&
        utet_query_message(&query, 0, text, sizeof text - 1, &got) == UTET_OK) {
        text[got] = '\0';
        print(text);
    }
    utet_strerror_copy(UTET_E_METADATA, text, sizeof text);
    print(text);
    utet_strerror_copy(UTET_E_PORT - 1, text, 12);
    print(text);
    cli();
    sleep_mode();
}
