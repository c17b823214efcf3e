/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Answers a query document, the argument, and prints the first result. */
#include "utet_query.h"

#include "input.h"

int main(int argc, char **argv)
{
    static const utet_codec *const codecs[] = {&utet_codec_zstd_small, NULL};
    static uint64_t work[16384 / 8], document_work[UTET_OPEN_WORK(1) / 8];
    static utet_query_answer answer;
    static utet_query_plan plan;
    static utet_file file, document;
    static utet_query query;
    static utet_meta meta;
    utet_io text = {NULL, NULL, NULL, NULL, 0, 1, 1, 0, 0};
    double results[4];

    read_input();
    text.map = (const uint8_t *)argv[argc - 1];
    text.size = strlen(argv[argc - 1]);
    OK(utet_init(&document, &text, document_work, sizeof document_work, NULL));
    OK(utet_query_open(&query, &document, utet_query_options));
    OK(utet_init(&file, &io, work, sizeof work, codecs));
    OK(utet_open(&file, NULL));
    OK(utet_meta_open(&meta, &file));
    OK(utet_query_bind(&plan, &query, &meta, NULL, 0));
    OK(utet_query_answer_open(&answer, &plan, 4));
    OK(utet_query_answer_next(&answer, results));
    printf("%.17g\n", results[0]);
    return 0;
}
