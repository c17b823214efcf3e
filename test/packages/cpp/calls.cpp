// SPDX-FileCopyrightText: the microtet authors
// SPDX-License-Identifier: Apache-2.0
// Calls of utet.hpp that app.cpp does not use: a port of the program, names, chunks, streams, typed refusals. Prints each dataset's name and shape.
#include "utet.hpp"
#include <stdio.h>

struct disk {
    FILE *stream;
    utet::status read(uint64_t offset, utet::span<uint8_t> to, size_t &got)
    {
        if (fseek(stream, static_cast<long>(offset), SEEK_SET) != 0)
            return UTET_E_PORT;
        got = fread(to.data(), 1, to.size(), stream);
        return UTET_OK;
    }
};

static utet::file file;

// The first chunk in slices has as many bytes as the stream states.
static bool first_chunk(const utet::dataset &data)
{
    static const uint64_t first[UTET_MAX_NDIM] = {};
    static utet::stream stream;
    utet::chunk chunk;
    uint8_t slice[500];
    uint64_t sum = 0;

    if (file.find(data, {first, data.ndim + 1u}, chunk).code() != UTET_E_RANGE ||
        !file.find(data, {first, data.ndim}, chunk) || !stream.open(file, chunk))
        return false;
    for (;;) {
        const auto got = stream.read(slice);
        if (!got)
            return got.status().end() && sum == stream.length && sum == chunk.raw_byte_len;
        sum += *got;
    }
}

int main(int argc, char **argv)
{
    static uint8_t work[9000];
    static const utet_codec *const codecs[] = {&utet_codec_zstd_small, nullptr};
    static const utet_range one[] = {{0, 1, 1}};
    static utet::slab<double> doubles;
    static utet::slab<float> floats;
    disk medium = {argc > 1 ? fopen(argv[1], "rb") : nullptr};
    utet_io io = {};
    utet::status status;
    utet::dataset data;

    if (!medium.stream || fseek(medium.stream, 0, SEEK_END) != 0)
        return 1;
    utet::read_from(io, medium, static_cast<uint64_t>(ftell(medium.stream)));
    if (!(status = file.init(io, work, codecs)) || !(status = file.open()))
        return puts(status.text()), 2;
    for (const utet::dataset &each : file.datasets(data, status)) {
        char name[64];
        if (each.name_length > sizeof name || !file.name(each, {name, each.name_length}) || !first_chunk(each))
            return 3;
        printf("%.*s", static_cast<int>(each.name_length), name);
        for (unsigned axis = 0; axis < each.ndim; axis++)
            printf(" %lu", static_cast<unsigned long>(each.shape[axis]));
        printf("\n");
    }
    if (!status.end() || file.find("nothing").status().code() != UTET_E_NOT_FOUND)
        return 4;
    if (!file.find("temperature", data) || doubles.open(file, data, one).code() != UTET_E_DTYPE ||
        floats.open(file, data, one).code() != UTET_E_RANGE || floats.move(one).code() != UTET_E_STATE)
        return 5;
    const utet_range row[] = {{0, 1, 1}, {0, data.shape[1], 1}};
    if (!floats.open(file, data, row) || !floats.move(row) || floats.count != data.shape[1] ||
        floats.move(one).code() != UTET_E_RANGE)
        return 6;
    static utet::tiles<double> wrong;
    static utet::tiles<float> tiles;
    static float values[128];
    if (wrong.init(file, data, 1).code() != UTET_E_DTYPE || tiles.read(row, values).code() != UTET_E_STATE ||
        tiles.init(file, data, 0).code() != UTET_E_ARGUMENT || !tiles.init(file, data, 1) ||
        tiles.read(one, values).code() != UTET_E_RANGE || !tiles.read(row, values))
        return 7;
    return fclose(medium.stream);
}
