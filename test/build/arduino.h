/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The part of Arduino that the sketch of port/INTEGRATE.md uses: the card is the file with which the program is
 * started. */
#ifndef UTET_TEST_ARDUINO_H
#define UTET_TEST_ARDUINO_H

#include <cstddef>
#include <cstdint>
#include <cstdio>

class File
{
  public:
    FILE *stream = nullptr;

    explicit operator bool() const
    {
        return stream != nullptr;
    }
    bool seek(uint32_t at)
    {
        return fseek(stream, (long)at, SEEK_SET) == 0;
    }
    int read(void *to, uint16_t count)
    {
        return (int)fread(to, 1, count, stream);
    }
    uint32_t size()
    {
        fseek(stream, 0, SEEK_END);
        return (uint32_t)ftell(stream);
    }
};

static const char *card_file;

struct {
    bool begin(int)
    {
        return true;
    }
    File open(const char *)
    {
        File file;

        file.stream = fopen(card_file, "rb");
        return file;
    }
} SD;

struct {
    void begin(long)
    {
    }
    void println(const char *text)
    {
        printf("%s\n", text);
    }
    void println(double value, int digits)
    {
        printf("%.*f\n", digits, value);
    }
} Serial;

void setup();
void loop();

int main(int, char **argv)
{
    card_file = argv[1];
    setup();
    loop();
}

#endif
