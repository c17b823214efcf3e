/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* utet serve: answers the requests of port/uart. Keeps nothing of a device between two requests, because each names the
 * file by its identity, and the bytes: both ends can be started again at any time. */
#define _DEFAULT_SOURCE
#include "serve.h"
#include "shared/tool.h"
#include "utet_uart_packet.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

typedef struct server {
    const char *path;
    const char *line; /* for error lines */
    int in;
    int out;
    utet_uart_decoder decoder;
    uint8_t packet[UTET_UART_HEAD + UTET_UART_SUM];
    size_t at;
    uint8_t result; /* result of the previous request */
    uint8_t data[UINT16_MAX];
    uint8_t frame[UTET_UART_FRAME(UINT16_MAX)];
} server;

/* ---- one request ---- */

/* Differs after each change of the file at the path: of its content, or by another file there. Returns 0 if there is
 * none. */
static int identity_of(const char *path, uint32_t *identity)
{
    uint64_t facts[7];
    struct stat st;
    size_t i;

    if (stat(path, &st) != 0)
        return 0;
    facts[0] = (uint64_t)st.st_dev;
    facts[1] = (uint64_t)st.st_ino;
    facts[2] = (uint64_t)st.st_size;
    facts[3] = (uint64_t)st.st_mtim.tv_sec;
    facts[4] = (uint64_t)st.st_mtim.tv_nsec;
    facts[5] = (uint64_t)st.st_ctim.tv_sec;
    facts[6] = (uint64_t)st.st_ctim.tv_nsec;
    *identity = UINT32_MAX;
    for (i = 0; i < sizeof facts; i++)
        *identity = utet_uart_crc(*identity, (uint8_t)(facts[i / 8] >> 8 * (i % 8)));
    return 1;
}

/* Fills the head of the answer, and s->data. */
static void answer(server *s, const utet_uart_head *asked, utet_uart_head *head)
{
    utet_posix port;
    uint32_t before;
    uint32_t after;
    size_t got = 0;

    *head = *asked;
    head->kind = (uint8_t)(asked->kind | UTET_UART_ANSWER);
    head->result = UTET_UART_UNREADABLE;
    head->length = 0;
    if (!identity_of(s->path, &before) || utet_posix_open(&port, s->path) != UTET_OK)
        return;
    if (asked->kind == UTET_UART_ASK_FILE) {
        head->result = UTET_UART_DONE;
        head->identity = before;
        head->offset = port.io.size;
    } else if (before != asked->identity) {
        head->result = UTET_UART_CHANGED;
    } else if (port.io.read(port.io.ctx, asked->offset, s->data, asked->length, &got) == UTET_OK) {
        /* bytes that were read between two equal identities belong to this file */
        head->result = identity_of(s->path, &after) && after == before ? UTET_UART_DONE : UTET_UART_CHANGED;
        head->length = head->result == UTET_UART_DONE ? (uint16_t)got : 0;
    }
    utet_posix_close(&port);
}

static int put(const server *s, const uint8_t *bytes, size_t count)
{
    while (count > 0) {
        const ssize_t some = write(s->out, bytes, count);

        if (some < 0 && errno == EPIPE)
            return fail_silently();
        if (some < 0 && errno != EINTR)
            return fail(s->line, NULL, NO_OFFSET, "cannot write: %s", strerror(errno));
        bytes += some < 0 ? 0 : some;
        count -= some < 0 ? 0 : (size_t)some;
    }
    return TOOL_OK;
}

static int serve(server *s)
{
    utet_uart_head asked;
    utet_uart_head head;

    utet_uart_read_head(&asked, s->packet);
    if (asked.kind != UTET_UART_ASK_FILE && asked.kind != UTET_UART_ASK_BYTES)
        return TOOL_OK;
    answer(s, &asked, &head);
    if (head.result != UTET_UART_DONE && head.result != s->result)
        notice(s->path, NULL, "%s; the device gets an error",
               head.result == UTET_UART_CHANGED ? "the file is not the one that the device opened"
                                                : "the file cannot be read");
    s->result = head.result;
    return put(s, s->frame, utet_uart_frame(&head, s->data, head.length, s->frame));
}

/* ---- the line ---- */

static int take(server *s, uint8_t byte)
{
    const int next = utet_uart_decode(&s->decoder, byte);
    const size_t length = s->at;

    if (next == UTET_UART_NOTHING)
        return TOOL_OK;
    if (next >= 0) {
        if (length < sizeof s->packet)
            s->packet[length] = (uint8_t)next;
        s->at = length + 1;
        return TOOL_OK;
    }
    s->at = 0;
    return next == UTET_UART_END && length == sizeof s->packet ? serve(s) : TOOL_OK;
}

static int listen_to(server *s)
{
    uint8_t bytes[512];
    ssize_t count;
    ssize_t i;

    for (;;) {
        count = read(s->in, bytes, sizeof bytes);
        if (count == 0 || (count < 0 && errno == EIO && s->in != STDIN_FILENO)) /* a device that is gone */
            return TOOL_OK;
        if (count < 0 && errno != EINTR)
            return fail(s->line, NULL, NO_OFFSET, "cannot read: %s", strerror(errno));
        for (i = 0; i < count; i++)
            if (take(s, bytes[i]) != TOOL_OK)
                return TOOL_ERROR;
    }
}

int serve_speed(uint64_t speed, unsigned long *number)
{
    static const struct {
        unsigned long speed;
        speed_t number;
    } speeds[] = {
        {1200, B1200},       {2400, B2400},       {4800, B4800},       {9600, B9600},     {19200, B19200},
        {38400, B38400},     {57600, B57600},     {115200, B115200},   {230400, B230400},
#ifdef B921600
        {460800, B460800},   {921600, B921600},
#endif
#ifdef B4000000
        {1000000, B1000000}, {2000000, B2000000}, {4000000, B4000000},
#endif
    };
    size_t i;

    for (i = 0; i < sizeof speeds / sizeof speeds[0]; i++)
        if (speeds[i].speed == speed) {
            *number = speeds[i].number;
            return 1;
        }
    return 0;
}

/* A serial device as a line of bytes: 8 bits, no parity, nothing is a control character. */
static int open_device(server *s, unsigned long speed)
{
    struct termios how;

    /* not to wait for a carrier */
    s->in = s->out = open(s->line, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (s->in < 0)
        return fail(s->line, NULL, NO_OFFSET, "cannot open: %s", strerror(errno));
    if (tcgetattr(s->in, &how) != 0)
        return fail(s->line, NULL, NO_OFFSET, "not a serial device");
    cfmakeraw(&how);
    how.c_cflag |= CLOCAL | CREAD;
    how.c_cflag &= ~(tcflag_t)(CSTOPB | CRTSCTS);
    how.c_cc[VMIN] = 1;
    how.c_cc[VTIME] = 0;
    if (cfsetispeed(&how, (speed_t)speed) != 0 || cfsetospeed(&how, (speed_t)speed) != 0 ||
        tcsetattr(s->in, TCSANOW, &how) != 0 || fcntl(s->in, F_SETFL, 0) != 0)
        return fail(s->line, NULL, NO_OFFSET, "cannot set the speed: %s", strerror(errno));
    return TOOL_OK;
}

static int run(server *s, const options *opt)
{
    source file; /* for error lines, and the path of a package's file */
    int result = source_prepare(&file, opt);

    s->path = file.packed != NULL ? file.packed : opt->file;
    s->line = opt->file_count > 1 ? opt->files[1] : "standard input";
    s->in = STDIN_FILENO;
    s->out = STDOUT_FILENO;
    if (result == TOOL_OK && opt->file_count > 1)
        result = open_device(s, opt->speed);
    if (result == TOOL_OK)
        result = listen_to(s);
    if (s->in > STDERR_FILENO)
        (void)close(s->in);
    source_end(&file);
    return result;
}

int command_serve(const options *opt)
{
    server *s;
    int result;

    if (opt->file_count == 1 && isatty(STDIN_FILENO))
        return usage("missing DEVICE; give one, or connect standard input and output");
    if (opt->file_count == 1 && opt->speed_given)
        return usage("--speed is that of DEVICE; give one");
    s = calloc(1, sizeof *s);
    if (s == NULL)
        return fail(NULL, NULL, NO_OFFSET, "not enough memory");
    result = run(s, opt);
    free(s);
    return result;
}
