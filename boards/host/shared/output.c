/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Output files. A file is written next to its destination under a temporary name and renamed when complete, so an
 * interrupted or failed command leaves no incomplete result, and does not touch an older one. Devices, pipes and
 * standard output are written to directly.
 */
#define _DEFAULT_SOURCE
#define _XOPEN_SOURCE 700
#include "tool.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The temporary file, for the signal handler. */
static char *volatile unfinished;

static void clean_up(int number)
{
    char *const path = unfinished;

    if (path != NULL)
        (void)unlink(path);
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

/* Calls mkstemp; from the moment at which the file exists, a signal removes it. */
static int make_temporary(char *path)
{
    /* all signals, including real-time ones, except those that do not end a process, cannot be caught, or are
     * ignored */
    static const int others[] = {SIGKILL, SIGSTOP, SIGCHLD, SIGCONT, SIGTSTP,
                                 SIGTTIN, SIGTTOU, SIGURG,  SIGPIPE, SIGWINCH};
    struct sigaction action;
    struct sigaction old;
    sigset_t held;
    sigset_t before;
    size_t i;
    int number;
    int fd;

    memset(&action, 0, sizeof action);
    action.sa_handler = clean_up;
    (void)sigemptyset(&held);
    for (number = 1; number <= SIGRTMAX; number++) {
        for (i = 0; i < sizeof others / sizeof others[0] && others[i] != number;)
            i++;
        if (i < sizeof others / sizeof others[0])
            continue;
        (void)sigaddset(&held, number);
        if (sigaction(number, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            (void)sigaction(number, &action, NULL);
    }
    (void)sigprocmask(SIG_BLOCK, &held, &before);
    fd = mkstemp(path);
    if (fd >= 0)
        unfinished = path;
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
    return fd;
}

static int cannot(const output *out, const char *what)
{
    if (errno == EPIPE && out->stream == stdout)
        return fail_silently();
    return fail(out->name, NULL, NO_OFFSET, "cannot %s: %s", what, errno != 0 ? strerror(errno) : "error");
}

static int open_directly(output *out, const char *path)
{
    out->stream = fopen(path, "wb");
    return out->stream != NULL ? TOOL_OK : cannot(out, "open");
}

#define LONG_NAME 240u /* a longer name with a suffix may exceed the file system's limit */

static int open_temporary(output *out, const char *target, mode_t mode)
{
    static const char suffix[] = ".XXXXXX";
    static const char other[] = ".utet";
    const char *const slash = strrchr(target, '/');
    const size_t folder = slash != NULL ? (size_t)(slash - target) + 1 : 0;
    int fd;

    out->path = strdup(target);
    out->temporary = malloc(strlen(target) + sizeof other + sizeof suffix);
    if (out->path == NULL || out->temporary == NULL)
        return cannot(out, "open");
    strcpy(out->temporary, target);
    if (strlen(target + folder) > LONG_NAME)
        strcpy(out->temporary + folder, other);
    strcat(out->temporary, suffix);
    fd = make_temporary(out->temporary);
    if (fd < 0) {
        free(out->temporary);
        out->temporary = NULL;
        return cannot(out, "open");
    }
    (void)fchmod(fd, mode);
    out->stream = fdopen(fd, "wb");
    return out->stream != NULL ? TOOL_OK : cannot(out, "open");
}

static int open_new(output *out, const char *path)
{
    const mode_t mask = umask(0);
    struct stat link;

    (void)umask(mask);
    return lstat(path, &link) == 0 ? fail(path, NULL, NO_OFFSET, "cannot write: broken symbolic link")
                                   : open_temporary(out, path, 0666 & ~mask);
}

/* For a folder in which no file can be created: opens a file without a name, which is copied over OUT when it is
 * complete. */
static int open_copied(output *out, const char *target)
{
    out->path = strdup(target);
    out->stream = tmpfile();
    return out->path != NULL && out->stream != NULL ? TOOL_OK : cannot(out, "open");
}

static int copy_over(output *out)
{
    char piece[16384];
    size_t some;
    FILE *to;
    int bad;

    errno = 0;
    if (fflush(out->stream) != 0 || (to = fopen(out->path, "r+b")) == NULL)
        return cannot(out, "write");
    rewind(out->stream);
    bad = ftruncate(fileno(to), 0) != 0;
    while (!bad && (some = fread(piece, 1, sizeof piece, out->stream)) > 0)
        bad = fwrite(piece, 1, some, to) != some;
    bad |= ferror(out->stream) | ferror(to);
    bad |= fclose(to) != 0;
    return bad ? cannot(out, "write") : TOOL_OK;
}

/* Opens the temporary file. A symbolic link remains one; owner and permissions are kept and obeyed. */
static int replace(output *out, const char *path, const struct stat *there)
{
    char *const real = realpath(path, NULL);
    char *const slash = real != NULL ? strrchr(real, '/') : NULL;
    int result;

    if (real == NULL || access(real, W_OK) != 0) {
        result = cannot(out, "open");
    } else {
        *slash = '\0';
        out->copied = access(slash > real ? real : "/", W_OK) != 0;
        *slash = '/';
        result = out->copied ? open_copied(out, real) : open_temporary(out, real, there->st_mode & 0777);
        if (result == TOOL_OK && !out->copied && (there->st_uid != geteuid() || there->st_gid != getegid()) &&
            fchown(fileno(out->stream), there->st_uid, there->st_gid) == 0)
            (void)fchmod(fileno(out->stream), there->st_mode & 0777); /* fchown may have changed it */
    }
    free(real);
    return result;
}

int output_open(output *out, const char *path, const source *input)
{
    struct stat there;
    struct stat from;

    memset(out, 0, sizeof *out);
    out->name = path == NULL || strcmp(path, "-") == 0 ? "standard output" : path;
    if (path == NULL || strcmp(path, "-") == 0) {
        out->stream = stdout;
        return TOOL_OK;
    }
    errno = ENOENT;
    if (path[0] == '\0' || (stat(path, &there) != 0 && errno != ENOENT))
        return cannot(out, "open");
    if (stat(path, &there) != 0)
        return open_new(out, path);
    if (stat(input->path, &from) == 0 && from.st_dev == there.st_dev && from.st_ino == there.st_ino)
        return fail(path, NULL, NO_OFFSET, "output and input are the same file; choose another output with -o");
    return S_ISREG(there.st_mode) ? replace(out, path, &there) : open_directly(out, path);
}

int output_open_beside(output *out, const char *path)
{
    struct stat there;

    memset(out, 0, sizeof *out);
    out->name = path;
    errno = ENOENT;
    if (path[0] == '\0' || (stat(path, &there) != 0 && errno != ENOENT))
        return cannot(out, "open");
    if (stat(path, &there) != 0)
        return open_new(out, path);
    return S_ISREG(there.st_mode) ? replace(out, path, &there)
                                  : fail(path, NULL, NO_OFFSET, "cannot write: not a regular file");
}

int output_check(const char *path, const int *files, size_t count)
{
    struct stat there;
    struct stat from;
    size_t i;

    for (i = 0; stat(path, &there) == 0 && i < count; i++)
        if (fstat(files[i], &from) == 0 && from.st_dev == there.st_dev && from.st_ino == there.st_ino)
            return fail(path, NULL, NO_OFFSET, "the output is one of the input files; choose another output with -o");
    return TOOL_OK;
}

int output_write(output *out, const void *data, size_t size)
{
    errno = 0;
    return size == 0 || fwrite(data, 1, size, out->stream) == size ? TOOL_OK : cannot(out, "write");
}

int output_close(output *out, int result)
{
    if (out->copied && out->stream != NULL && result == TOOL_OK)
        result = copy_over(out);
    if (out->stream != NULL) {
        int bad = ferror(out->stream); /* an earlier part may be missing */

        errno = 0;
        bad |= out->stream == stdout ? fflush(stdout) : fclose(out->stream);
        if (bad != 0 && result == TOOL_OK)
            result = cannot(out, "write");
    }
    if (out->temporary != NULL) {
        if (result == TOOL_OK && rename(out->temporary, out->path) != 0)
            result = cannot(out, "rename to");
        if (result != TOOL_OK)
            (void)unlink(out->temporary);
        unfinished = NULL;
    }
    free(out->temporary);
    free(out->path);
    out->temporary = NULL;
    out->path = NULL;
    out->stream = NULL;
    return result;
}

void store_le(uint8_t *at, uint64_t value, unsigned bytes)
{
    unsigned i;

    for (i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

uint64_t load_le(const uint8_t *at, size_t bytes)
{
    uint64_t value = 0;

    while (bytes-- > 0)
        value = value << 8 | at[bytes];
    return value;
}
