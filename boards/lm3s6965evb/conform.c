/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Firmware that goes through the reference's conformance pack on the SD card. Each line of cases.txt there is a case:
 * "ID FILE" has the file verified, "ID FILE QUERY" has the query document answered; documents are read from the card as
 * well. Prints the findings, the response, or why the document was refused; test/boards/conform_test.py judges them.
 * Relies on the drivers of this folder, on common/ and on port/fatfs. */
#include "board.h"
#include "ff.h"
#include "print.h"
#include "report.h"
#include "utet_check.h"
#include "utet_fatfs_words.h"
#include "utet_query.h"

#include <string.h>

#define WORK 4096u
#define RESULTS 128u /* doubles of a batch */

static const utet_codec *const codecs[] = {&utet_codec_zstd_small, NULL};
static const utet_options options = {.budget = (size_t)-1};

static FATFS volume;
static FIL cases;
static utet_fatfs port;
static utet_fatfs document_port;
static uint64_t work[WORK / 8];
static uint64_t document_work[UTET_OPEN_WORK(512) / 8];
static utet_file file;
static utet_file document;
static utet_meta meta;
/* A case needs one of them. */
static union {
    utet_check check;
    struct {
        utet_query query;
        utet_query_plan plan;
        utet_query_answer answer;
        utet_query_response response;
        uint32_t places[64];
        double results[RESULTS];
        char buffer[256];
    } asked;
} now;

static utet_status open_file(const char *path)
{
    utet_status status = utet_fatfs_open(&port, path, NULL, 0);

    if (status == UTET_OK)
        status = utet_init(&file, &port.io, work, sizeof work, codecs);
    return status == UTET_OK ? utet_open(&file, &options) : status;
}

/* ---- verify ---- */

static void finding(const char *name)
{
    print_text("finding ");
    print_text(name);
    print_char('\n');
}

static utet_status decode(void)
{
    static utet_chunk chunk;
    static utet_stream stream;
    utet_status status = file.row_count != 0 ? utet_row_first(&file, &chunk) : UTET_END;

    while (status == UTET_OK) {
        uint8_t some[256];
        size_t got = 1;

        status = utet_stream_open(&stream, &file, &chunk);
        while (status == UTET_OK && got != 0)
            status = utet_stream_read(&stream, some, sizeof some, &got);
        if (status != UTET_OK && status != UTET_END)
            return status;
        status = utet_row_next(&file, &chunk);
    }
    return status;
}

static void verify(const char *path)
{
    utet_status status = open_file(path);
    utet_finding found;

    if (status != UTET_OK) {
        finding("parse");
        return;
    }
    utet_check_init(&now.check, &file);
    while ((status = utet_check_next(&now.check, &found)) == UTET_OK)
        if (!found.ok)
            finding(utet_check_name(found.check));
    if (status == UTET_END && now.check.ok) {
        status = decode();
        if (status == UTET_E_BUDGET)
            finding("memory"); /* not the file's fault */
        else if (status != UTET_END)
            finding("chunk_decode");
        status = utet_meta_open(&meta, &file);
        if (status == UTET_OK)
            status = utet_meta_check_limits(&meta);
        if (status != UTET_OK && status != UTET_END)
            finding("metadata");
    }
    print_text("verified\n");
}

/* ---- query ---- */

static utet_status write_text(void *context, const char *text, size_t length)
{
    (void)context;
    while (length-- != 0)
        print_char(*text++);
    return UTET_OK;
}

static utet_status say_refusal(void)
{
    uint32_t from = 0;
    size_t got = 0;
    utet_status status;

    print_text("refused ");
    do {
        status = utet_query_message(&now.asked.query, from, now.asked.buffer, sizeof now.asked.buffer, &got);
        (void)write_text(NULL, now.asked.buffer, got);
        from += (uint32_t)got;
    } while (status == UTET_OK && got != 0);
    print_char('\n');
    return status;
}

static utet_status bind(const char *path)
{
    utet_status status = utet_fatfs_open(&document_port, path, NULL, 0);

    if (status == UTET_OK)
        status = utet_init(&document, &document_port.io, document_work, sizeof document_work, NULL);
    if (status == UTET_OK)
        status = utet_query_open(&now.asked.query, &document, utet_query_options);
    if (status == UTET_OK)
        status = utet_meta_open(&meta, &file);
    if (status == UTET_OK)
        status = utet_query_bind(&now.asked.plan, &now.asked.query, &meta, now.asked.places,
                                 sizeof now.asked.places / sizeof now.asked.places[0]);
    return status;
}

static utet_status query(const char *path, const char *query_path)
{
    utet_query_response *response = &now.asked.response;
    utet_status status;

    memset(&now, 0, sizeof now);
    status = open_file(path);
    if (status == UTET_OK)
        status = bind(query_path);
    if (status == UTET_E_METADATA && now.asked.query.fault.reason != 0)
        return say_refusal();
    if (status != UTET_OK)
        return status;
    response->plan = &now.asked.plan;
    if (now.asked.query.operation != UTET_QUERY_NONE) {
        response->answer = &now.asked.answer;
        status = utet_query_answer_open(&now.asked.answer, &now.asked.plan, RESULTS);
    }
    response->results = now.asked.results;
    response->tet_file = path;
    response->write = write_text;
    response->buffer = now.asked.buffer;
    response->size = sizeof now.asked.buffer;
    return status == UTET_OK ? utet_query_respond(response) : status;
}

/* ---- the card ---- */

/* A line "ID FILE" or "ID FILE QUERY". */
static utet_status run_case(char *line)
{
    utet_status status = UTET_OK;
    char *path = strchr(line, ' ');
    char *query_path = path != NULL ? strchr(path + 1, ' ') : NULL;

    if (path == NULL)
        return UTET_E_RANGE;
    *path++ = '\0';
    print_text("case ");
    print_text(line);
    print_char('\n');
    if (query_path != NULL) {
        *query_path++ = '\0';
        status = query(path, query_path);
        utet_fatfs_close(&document_port);
    } else {
        verify(path);
    }
    utet_fatfs_close(&port);
    return status;
}

static utet_status run_cases(void)
{
    static char line[192];
    FRESULT result = f_mount(&volume, "", 1);
    utet_status status = UTET_OK;

    if (result == FR_OK)
        result = f_open(&cases, "cases.txt", FA_READ);
    while (result == FR_OK && status == UTET_OK) {
        size_t length = 0;
        UINT got;

        while ((result = f_read(&cases, line + length, 1, &got)) == FR_OK && got == 1 && line[length] != '\n')
            length += length + 1 < sizeof line;
        line[length] = '\0';
        if (length == 0)
            break;
        status = run_case(line);
    }
    return result == FR_OK ? status : UTET_FATFS_STATUS(result);
}

int main(void)
{
    utet_status status;

    print_text(utet_build_info());
    print_char('\n');
    status = run_cases();
    report_memory(WORK);
    return report_end("conform", status, utet_fatfs_strerror(status), file.error_offset);
}
