/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* port/posix and port/mmap: the bytes are the file's; offsets beyond 4 GiB work; a file that cannot be opened gives the
 * reason; a file that has become shorter is reported as short. Files are made in the folder TMPDIR. */
#define _POSIX_C_SOURCE 200809L
#include "suite.h"
#include "utet_mmap.h"
#include "utet_posix.h"
#include "utet_posix_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *path_of(const char *name)
{
    static char path[300];
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/ports-%s", folder ? folder : "/tmp", name);
    return path;
}

/* `size` bytes, each of which is the low byte of its offset. */
static const char *make_file(const char *name, size_t size)
{
    const char *path = path_of(name);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    for (size_t i = 0; i < size; i++)
        fputc((int)(i & 0xFF), f);
    assert_int_equal(fclose(f), 0);
    return path;
}

/* ---- posix ---- */

static void posix_reads_what_is_asked(void **state)
{
    utet_posix port;
    uint8_t bytes[300];
    size_t got;
    (void)state;
    assert_int_equal(utet_posix_open(&port, make_file("a", 1000)), UTET_OK);
    assert_int_equal(port.io.size, 1000);
    assert_int_equal(port.io.unit, 1);
    assert_null(port.io.map);
    assert_null(port.io.cancel);
    assert_int_equal(port.io.read(port.io.ctx, 700, bytes, 300, &got), UTET_OK);
    assert_int_equal(got, 300);
    for (size_t i = 0; i < got; i++)
        assert_int_equal(bytes[i], (700 + i) & 0xFF);
    assert_int_equal(port.io.read(port.io.ctx, 3, bytes, 1, &got), UTET_OK);
    assert_int_equal(got, 1);
    assert_int_equal(bytes[0], 3);
    utet_posix_close(&port);
    utet_posix_close(&port);
}

static void posix_reads_beyond_4_gib(void **state)
{
    const uint64_t far = ((uint64_t)1 << 32) + 12345;
    utet_posix port;
    uint8_t byte = 0;
    size_t got;
    const char *path = path_of("far");
    const int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    (void)state;
    assert_true(fd >= 0);
    assert_int_equal(pwrite(fd, "Z", 1, (off_t)far), 1);
    assert_int_equal(utet_posix_use(&port, fd), UTET_OK);
    assert_true(port.io.size == far + 1);
    assert_int_equal(port.io.read(port.io.ctx, far, &byte, 1, &got), UTET_OK);
    assert_int_equal(got, 1);
    assert_int_equal(byte, 'Z');
    assert_int_equal(lseek(fd, 0, SEEK_CUR), 0); /* the caller's position does not change */
    utet_posix_close(&port);
    assert_int_equal(close(fd), 0); /* nor does the descriptor */
    (void)unlink(path);
}

static void posix_says_why_it_cannot_open(void **state)
{
    utet_posix port;
    int ends[2];
    (void)state;
    assert_int_equal(utet_posix_open(&port, path_of("none")), UTET_POSIX_E_OPEN);
    assert_int_equal(port.error, ENOENT);
    utet_posix_close(&port);
    assert_int_equal(utet_posix_open(&port, "/"), UTET_POSIX_E_OPEN);
    assert_int_equal(port.error, EISDIR);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(utet_posix_use(&port, ends[0]), UTET_POSIX_E_OPEN);
    assert_int_equal(port.error, ESPIPE);
    assert_int_equal(utet_posix_use(&port, -1), UTET_POSIX_E_OPEN);
    assert_int_equal(port.error, EBADF);
}

static void posix_reports_failing_reads(void **state)
{
    utet_posix port;
    uint8_t bytes[8];
    size_t got = 7;
    const char *path = make_file("w", 100);
    const int fd = open(path, O_WRONLY);
    (void)state;
    assert_int_equal(utet_posix_use(&port, fd), UTET_OK);
    assert_int_equal(port.io.read(port.io.ctx, 0, bytes, 8, &got), UTET_POSIX_E_READ);
    assert_int_equal(port.error, EBADF);
    assert_int_equal(got, 0);
    (void)close(fd);
}

static void posix_tells_that_a_file_got_shorter(void **state)
{
    static uint64_t work[UTET_OPEN_WORK(1) / 8];
    static utet_file file;
    utet_posix port;
    uint8_t bytes[300];
    size_t got;
    const char *path = make_file("cut", 1000);
    (void)state;
    assert_int_equal(utet_posix_open(&port, path), UTET_OK);
    assert_int_equal(truncate(path, 800), 0);
    assert_int_equal(port.io.read(port.io.ctx, 700, bytes, 300, &got), UTET_OK);
    assert_int_equal(got, 100);
    assert_int_equal(port.io.read(port.io.ctx, 800, bytes, 200, &got), UTET_OK);
    assert_int_equal(got, 0);
    assert_int_equal(truncate(path, 0), 0);
    assert_int_equal(utet_init(&file, &port.io, work, sizeof work, NULL), UTET_OK);
    assert_int_equal(utet_open(&file, NULL), UTET_E_SHORT);
    utet_posix_close(&port);
}

/* The page's table: a file that is replaced by another one is still read as it was. */
static void posix_and_mmap_keep_the_replaced_file(void **state)
{
    utet_posix port;
    utet_mmap map;
    char path[300], other[300];
    uint8_t byte;
    size_t got;
    FILE *f;
    (void)state;
    snprintf(path, sizeof path, "%s", make_file("old", 1000));
    assert_int_equal(utet_posix_open(&port, path), UTET_OK);
    assert_int_equal(utet_mmap_open(&map, path), UTET_OK);
    snprintf(other, sizeof other, "%s", path_of("new"));
    f = fopen(other, "wb");
    assert_non_null(f);
    assert_int_equal(fputs("short", f) < 0, 0);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(rename(other, path), 0);
    assert_int_equal(port.io.read(port.io.ctx, 999, &byte, 1, &got), UTET_OK);
    assert_int_equal(got, 1);
    assert_int_equal(byte, 999 & 0xFF);
    assert_int_equal(((const uint8_t *)map.io.map)[999], 999 & 0xFF);
    utet_posix_close(&port);
    utet_mmap_close(&map);
    assert_int_equal(utet_posix_open(&port, path), UTET_OK);
    assert_int_equal(port.io.size, 5);
    utet_posix_close(&port);
}

static void folders_of_ten_thousand_names_are_listed(void **state)
{
    enum { NAMES = 10000 };
    utet_posix_folder names;
    char folder[300], path[340], name[80];
    unsigned found = 0;
    int is_folder;
    utet_status status;
    (void)state;
    snprintf(folder, sizeof folder, "%s", path_of("many"));
    (void)mkdir(folder, 0777);
    for (unsigned i = 0; i < NAMES; i++) {
        snprintf(path, sizeof path, "%s/%u.tet", folder, i);
        assert_int_equal(close(open(path, O_WRONLY | O_CREAT, 0666)), 0);
    }
    utet_posix_folder_init(&names);
    status = names.folder.open(names.folder.ctx, folder);
    while (status == UTET_OK) {
        status = names.folder.next(names.folder.ctx, name, sizeof name, &is_folder);
        found += status == UTET_OK;
    }
    names.folder.close(names.folder.ctx);
    assert_int_equal(status, UTET_END);
    for (unsigned i = 0; i < NAMES; i++) {
        snprintf(path, sizeof path, "%s/%u.tet", folder, i);
        assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(rmdir(folder), 0);
    assert_int_equal(found, NAMES);
}

/* ---- mmap ---- */

static void mmap_maps_the_file(void **state)
{
    utet_mmap port;
    (void)state;
    assert_int_equal(utet_mmap_open(&port, make_file("m", 70000)), UTET_OK);
    assert_int_equal(port.io.size, 70000);
    assert_non_null(port.io.map);
    for (size_t i = 0; i < 70000; i++)
        assert_int_equal(port.io.map[i], i & 0xFF);
    utet_mmap_close(&port);
    utet_mmap_close(&port);
}

static void mmap_of_an_empty_file_is_too_short_a_tet(void **state)
{
    static utet_file file;
    utet_mmap port;
    (void)state;
    assert_int_equal(utet_mmap_open(&port, make_file("e", 0)), UTET_OK);
    assert_int_equal(port.io.size, 0);
    assert_non_null(port.io.map);
    assert_int_equal(utet_init(&file, &port.io, NULL, 0, NULL), UTET_OK);
    assert_int_equal(utet_open(&file, NULL), UTET_E_SUPERBLOCK);
    utet_mmap_close(&port);
}

static void mmap_says_why_it_cannot_open(void **state)
{
    utet_mmap port;
    (void)state;
    assert_int_equal(utet_mmap_open(&port, path_of("none")), UTET_MMAP_E_OPEN);
    assert_int_equal(port.error, ENOENT);
    utet_mmap_close(&port);
    assert_int_equal(utet_mmap_open(&port, "/"), UTET_MMAP_E_OPEN);
    assert_int_equal(port.error, EISDIR);
    assert_int_equal(utet_mmap_open(&port, "/dev/null"), UTET_MMAP_E_OPEN);
    assert_int_equal(port.error, ENODEV);
}

static sigjmp_buf on_the_way;

static void bus_error(int number)
{
    siglongjmp(on_the_way, number);
}

/* As port/mmap/README.md states: SIGBUS, from which a program may jump; the objects are abandoned, the port is
 * closed. */
static void mmap_of_a_file_that_got_shorter_raises_sigbus(void **state)
{
    static utet_file file;
    struct sigaction action, before;
    utet_mmap port;
    int caught;
    const char *path = make_file("bus", 70000);
    (void)state;
    memset(&action, 0, sizeof action);
    action.sa_handler = bus_error;
    assert_int_equal(sigaction(SIGBUS, &action, &before), 0);
    assert_int_equal(utet_mmap_open(&port, path), UTET_OK);
    assert_int_equal(truncate(path, 0), 0);
    assert_int_equal(utet_init(&file, &port.io, NULL, 0, NULL), UTET_OK);
    caught = sigsetjmp(on_the_way, 1);
    if (caught == 0)
        (void)utet_open(&file, NULL);
    assert_int_equal(caught, SIGBUS);
    utet_mmap_close(&port);
    assert_int_equal(sigaction(SIGBUS, &before, NULL), 0);
}

static void a_pipe_without_a_writer_is_not_waited_for(void **state)
{
    const char *path = path_of("fifo");
    utet_posix posix;
    utet_mmap mapped;
    (void)state;
    (void)unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    (void)alarm(20); /* instead of hanging */
    assert_int_equal(utet_posix_open(&posix, path), UTET_POSIX_E_OPEN);
    assert_int_equal(posix.error, ESPIPE);
    assert_int_equal(utet_mmap_open(&mapped, path), UTET_MMAP_E_OPEN);
    assert_int_equal(mapped.error, ENODEV);
    (void)alarm(0);
    (void)unlink(path);
}

/* test/golden covers files that are mapped and read through the library; files larger than the address space need a
 * machine with 32-bit pointers. */
static void mmap_refuses_what_does_not_fit(void **state)
{
    utet_mmap port;
    const char *path = path_of("huge");
    (void)state;
    if (sizeof(void *) > 4)
        suite_skip("mmap_refuses_what_does_not_fit: needs 32-bit pointers");
    const int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    assert_int_equal(ftruncate(fd, (off_t)1 << 32), 0);
    assert_int_equal(close(fd), 0);
    assert_int_equal(utet_mmap_open(&port, path), UTET_MMAP_E_MAP);
    assert_int_equal(port.error, EFBIG);
    (void)unlink(path);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(posix_reads_what_is_asked),
        cmocka_unit_test(posix_reads_beyond_4_gib),
        cmocka_unit_test(posix_says_why_it_cannot_open),
        cmocka_unit_test(posix_reports_failing_reads),
        cmocka_unit_test(posix_tells_that_a_file_got_shorter),
        cmocka_unit_test(posix_and_mmap_keep_the_replaced_file),
        cmocka_unit_test(folders_of_ten_thousand_names_are_listed),
        cmocka_unit_test(mmap_maps_the_file),
        cmocka_unit_test(mmap_of_an_empty_file_is_too_short_a_tet),
        cmocka_unit_test(mmap_says_why_it_cannot_open),
        cmocka_unit_test(mmap_of_a_file_that_got_shorter_raises_sigbus),
        cmocka_unit_test(a_pipe_without_a_writer_is_not_waited_for),
        cmocka_unit_test(mmap_refuses_what_does_not_fit),
    };
    return SUITE("ports", cases);
}
