/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Replaces Arduino's SD library, which Debian does not have, with the calls that CardRow.ino makes. The card has one
 * file, TINY.TET, which comes from the array in tiny.h. */
#ifndef UTET_TEST_SD_H
#define UTET_TEST_SD_H

#include "tiny.h"
#include <Arduino.h>
#include <string.h>

class File
{
  public:
    explicit operator bool() const
    {
        return there;
    }
    bool seek(uint32_t to)
    {
        at = to;
        return to <= sizeof tiny;
    }
    int read(void *buf, uint16_t count)
    {
        const uint32_t left = sizeof tiny - at;
        const uint16_t most = left < count ? (uint16_t)left : count;

        memcpy_P(buf, tiny + (size_t)at, most);
        at += most;
        return (int)most;
    }
    uint32_t size() const
    {
        return sizeof tiny;
    }
    bool there = false;

  private:
    uint32_t at = 0;
};

class SDClass
{
  public:
    bool begin(int chip_select)
    {
        return chip_select == 53;
    }
    File open(const char *name)
    {
        File file;

        file.there = strcmp(name, "TINY.TET") == 0;
        return file;
    }
};
static SDClass SD;

#endif
