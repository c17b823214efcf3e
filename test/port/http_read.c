/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* http_read ADDRESS: reads all datasets of a file by port/http, and prints their SHA-256 in the form of digests.txt, or
 * the status of the call that failed; then the numbers of requests and bytes. */
#include "hash.h"
#include "utet_http.h"

#include <stdio.h>

static utet_status print_digest(utet_file *file, utet_dataset *dataset)
{
    static uint8_t dense[1 << 20];
    static utet_slab slab;
    utet_range ranges[UTET_MAX_NDIM];
    struct sha256 sum;
    utet_status status;
    char hex[65];

    for (unsigned d = 0; d < dataset->ndim; d++) {
        ranges[d].start = 0;
        ranges[d].stop = dataset->shape[d];
        ranges[d].step = 1;
    }
    status = utet_slab_open(&slab, file, dataset, ranges);
    if (status == UTET_OK)
        status = utet_slab_read_all(&slab, dense, sizeof dense);
    if (status != UTET_OK)
        return status;
    sha256_init(&sum);
    sha256_add(&sum, dense, (size_t)slab.count * dataset->elem_size);
    hash_end(&sum, hex);
    printf("%s %u\n", hex, (unsigned)dataset->id);
    return UTET_OK;
}

int main(int argc, char **argv)
{
    static const utet_codec *const codecs[] = {&utet_codec_zstd_small, NULL};
    static uint64_t work[40960 / 8];
    static utet_http port;
    static utet_file file;
    static utet_dataset dataset;
    utet_status status;

    if (argc != 2 || curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        return 2;
    status = utet_http_init(&port);
    if (status == UTET_OK)
        status = utet_http_open(&port, argv[1]);
    if (status == UTET_OK)
        status = utet_init(&file, &port.io, work, sizeof work, codecs);
    if (status == UTET_OK)
        status = utet_open(&file, NULL);
    if (status == UTET_OK)
        status = utet_dataset_first(&file, &dataset);
    while (status == UTET_OK) {
        status = print_digest(&file, &dataset);
        if (status == UTET_OK)
            status = utet_dataset_next(&file, &dataset);
    }
    printf("status %d, response %ld, %u requests, %lu of %lu bytes\n", status, port.response, (unsigned)port.requests,
           (unsigned long)port.bytes, (unsigned long)port.io.size);
    utet_http_close(&port);
    curl_global_cleanup();
    return status == UTET_END ? 0 : 1;
}
