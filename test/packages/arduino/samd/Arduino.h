/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Replaces Arduino's SAMD core, which Debian does not have, with the calls that the examples make. Serial is the
 * terminal of the debugging host. */
#ifndef UTET_TEST_SAMD_ARDUINO_H
#define UTET_TEST_SAMD_ARDUINO_H

#include <avr/pgmspace.h>
#include <stdint.h>
#include <stdio.h>

#define F(text) (text)

class Serial_
{
  public:
    void begin(unsigned long)
    {
    }
    void print(char c)
    {
        putchar(c);
    }
    void println(const char *text = "")
    {
        puts(text);
    }
    void println(unsigned char value)
    {
        printf("%u\n", (unsigned)value);
    }
};
extern Serial_ Serial;

void setup();
void loop();

#endif
