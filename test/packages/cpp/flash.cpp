// SPDX-FileCopyrightText: the microtet authors
// SPDX-License-Identifier: Apache-2.0
// The same program as flash.c, with utet.hpp.
#include "utet.hpp"

extern "C" {
extern const uint8_t flash[];
extern const uint32_t flash_size;
float row[4];
double sum;
uint32_t names;

utet_status open_all();
utet_status read_row();
utet_status add_all();
}

static const utet_codec *const codecs[] = {&utet_codec_zstd_small, nullptr};
static const utet_range box[] = {{10, 11, 1}, {0, 128, 32}};
static uint8_t work[8192];
static utet_io io;
static utet::file file;
static utet::dataset data;
static utet::slab<float> slab;

utet_status open_all()
{
    utet::status s;

    utet::in_memory(io, flash, flash_size);
    if (!(s = file.init(io, work, codecs)) || !(s = file.open()))
        return s.code();
    for (const utet::dataset &each : file.datasets(data, s))
        names += each.name_length;
    return s.code();
}

static utet::status open_slab()
{
    const utet::status s = file.find("temperature", data);

    return s ? slab.open(file, data, box) : s;
}

utet_status read_row()
{
    const utet::status s = open_slab();

    return (s ? slab.read_all(row) : s).code();
}

utet_status add_all()
{
    utet::status s = open_slab();
    utet::run<float> run;

    if (!s)
        return s.code();
    for (const utet::run<float> &each : slab.runs(run, s))
        for (float value : each)
            sum += static_cast<double>(value);
    return s.code();
}
