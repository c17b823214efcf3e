// SPDX-FileCopyrightText: the microtet authors
// SPDX-License-Identifier: Apache-2.0
#include "utet.hpp"
#include <stdio.h>

int main()
{
    static uint8_t flash[65536], work[8192];
    static const utet_codec *const codecs[] = {&utet_codec_zstd_small, nullptr};
    static const utet_range box[] = {{10, 40, 10}, {0, 128, 32}}; // rows 10 20 30, columns 0 32 64 96
    static utet::file file;
    static utet::slab<float> slab;
    static utet_io io;

    utet::in_memory(io, flash, fread(flash, 1, sizeof flash, stdin));
    if (!file.init(io, work, codecs) || !file.open())
        return 1;
    const auto data = file.find("temperature");
    if (!data || !slab.open(file, *data, box))
        return 2;
    utet::status status;
    utet::run<float> run;
    for (const utet::run<float> &each : slab.runs(run, status))
        for (float value : each)
            printf("%.4f\n", static_cast<double>(value));
    return status.failed();
}
