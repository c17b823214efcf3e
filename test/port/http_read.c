/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* http_read ADDRESS: reads all datasets of a file by port/http, and prints their SHA-256 in the form of digests.txt, or
 * the status of the call that failed; then the numbers of requests and bytes. */
#include "digest_lines.h"
#include "utet_http.h"

#include <stdio.h>

/* Not reached: the calls of this port wait themselves. */
static void wait_for_the_line(void)
{
}

int main(int argc, char **argv)
{
    static utet_http port;
    utet_status status;

    if (argc != 2 || curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        return 2;
    status = utet_http_init(&port);
    if (status == UTET_OK)
        status = utet_http_open(&port, argv[1]);
    if (status == UTET_OK)
        status = digest_lines(stdout, &port.io);
    printf("status %d, response %ld, %u requests, %lu of %lu bytes\n", status, port.response, (unsigned)port.requests,
           (unsigned long)port.bytes, (unsigned long)port.io.size);
    utet_http_close(&port);
    curl_global_cleanup();
    return status == UTET_END ? 0 : 1;
}
