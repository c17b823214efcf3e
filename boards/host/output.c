/*
 * Where results go. A file is written beside its place under a temporary name and renamed when it is complete, so
 * that an interrupted or failed command leaves nothing that looks like a result (and an older result alone).
 * Devices, pipes and standard output are written to directly.
 */
#define _XOPEN_SOURCE 700
#include "tool.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The one file in the making, for the signal handler. */
static char *volatile unfinished;

static void clean_up(int number)
{
    char *const path = unfinished;

    if (path != 0)
        (void)unlink(path);
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

/* mkstemp, and from the moment on at which its file exists a signal removes it. */
static int make_temporary(char *path)
{
    static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
    struct sigaction action;
    struct sigaction old;
    sigset_t held;
    sigset_t before;
    size_t i;
    int fd;

    memset(&action, 0, sizeof action);
    action.sa_handler = clean_up;
    (void)sigemptyset(&held);
    for (i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        (void)sigaddset(&held, signals[i]);
        if (sigaction(signals[i], 0, &old) == 0 && old.sa_handler != SIG_IGN)
            (void)sigaction(signals[i], &action, 0);
    }
    (void)sigprocmask(SIG_BLOCK, &held, &before);
    fd = mkstemp(path);
    if (fd >= 0)
        unfinished = path;
    (void)sigprocmask(SIG_SETMASK, &before, 0);
    return fd;
}

static int cannot(const output *out, const char *what)
{
    return fail(out->name, 0, NO_OFFSET, "cannot %s: %s", what, errno != 0 ? strerror(errno) : "error");
}

static int open_directly(output *out, const char *path)
{
    out->stream = fopen(path, "wb");
    return out->stream != 0 ? TOOL_OK : cannot(out, "open");
}

static int open_temporary(output *out, const char *target, mode_t mode)
{
    static const char suffix[] = ".XXXXXX";
    int fd;

    out->path = strdup(target);
    out->temporary = malloc(strlen(target) + sizeof suffix);
    if (out->path == 0 || out->temporary == 0)
        return cannot(out, "open");
    strcpy(out->temporary, target);
    strcat(out->temporary, suffix);
    fd = make_temporary(out->temporary);
    if (fd < 0) {
        free(out->temporary);
        out->temporary = 0;
        return cannot(out, "open");
    }
    (void)fchmod(fd, mode);
    out->stream = fdopen(fd, "wb");
    return out->stream != 0 ? TOOL_OK : cannot(out, "open");
}

static int open_new(output *out, const char *path)
{
    const mode_t mask = umask(0);
    struct stat link;

    (void)umask(mask);
    return lstat(path, &link) == 0 ? fail(path, 0, NO_OFFSET, "is a link to nothing")
                                   : open_temporary(out, path, 0666 & ~mask);
}

/* A symbolic link stays one; permissions stay, and count. */
static int replace(output *out, const char *path, mode_t mode)
{
    char *const real = realpath(path, 0);
    int result;

    if (real == 0 || access(real, W_OK) != 0)
        result = cannot(out, "open");
    else
        result = open_temporary(out, real, mode & 0777);
    free(real);
    return result;
}

int output_open(output *out, const char *path, const source *input)
{
    struct stat there;
    struct stat from;

    memset(out, 0, sizeof *out);
    out->name = path == 0 || strcmp(path, "-") == 0 ? "standard output" : path;
    if (path == 0 || strcmp(path, "-") == 0) {
        out->stream = stdout;
        return TOOL_OK;
    }
    errno = ENOENT;
    if (path[0] == '\0' || (stat(path, &there) != 0 && errno != ENOENT))
        return cannot(out, "open");
    if (stat(path, &there) != 0)
        return open_new(out, path);
    if (stat(input->path, &from) == 0 && from.st_dev == there.st_dev && from.st_ino == there.st_ino)
        return fail(path, 0, NO_OFFSET, "is the file being read");
    return S_ISREG(there.st_mode) ? replace(out, path, there.st_mode) : open_directly(out, path);
}

int output_write(output *out, const void *data, size_t size)
{
    errno = 0;
    return size == 0 || fwrite(data, 1, size, out->stream) == size ? TOOL_OK : cannot(out, "write");
}

int output_close(output *out, int result)
{
    if (out->stream != 0) {
        errno = 0;
        if (out->stream == stdout ? fflush(stdout) != 0 : fclose(out->stream) != 0)
            result = result == TOOL_OK ? cannot(out, "write") : result;
    }
    if (out->temporary != 0) {
        if (result == TOOL_OK && rename(out->temporary, out->path) != 0)
            result = cannot(out, "rename to");
        if (result != TOOL_OK)
            (void)unlink(out->temporary);
        unfinished = 0;
    }
    free(out->temporary);
    free(out->path);
    out->temporary = 0;
    out->path = 0;
    out->stream = 0;
    return result;
}
