/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The common part of all modules: the port, the workspace, errors, and the selection. The workspace is the end of the
 * module's memory, so an access after it traps. The stack is the beginning, so an overflow traps as well. */
#include "module.h"

#define PAGE 65536u
#define STEPS 50000u /* decoder steps before a call returns to JavaScript */
#define MAX_AXES 16u /* the maximum of a Tensogram tensor; a .tet dataset has at most 8 */

/* Answers of io.read that are not a number of bytes. */
enum { READ_LATER = -1, READ_FAILED = -2 };

/* The only import: copies bytes of the file to `to`. Returns their number, READ_LATER or READ_FAILED. */
__attribute__((import_module("io"), import_name("read"))) int import_read(double offset, void *to, unsigned length);

extern uint8_t __heap_base; /* the linker's name for the first free byte */

static utet_status read_file(void *context, uint64_t offset, void *to, size_t length, size_t *got)
{
    const int count = import_read((double)offset, to, length);

    (void)context;
    if (count == READ_LATER)
        return UTET_WOULD_BLOCK;
    if (count < 0)
        return UTET_E_PORT;
    *got = (size_t)count;
    return UTET_OK;
}

static utet_io io = {.read = read_file, .unit = 1, .align = 1, .step_limit = STEPS};

utet_file module_file;
utet_options module_options;
char module_text[MODULE_TEXT];
size_t module_got;
double module_numbers[MODULE_NUMBERS];
utet_range module_box[MAX_AXES];

/* Returns the size of the largest workspace that does not need more pages, in bytes. */
EXPORT(room) unsigned export_room(void)
{
    return (unsigned)(__builtin_wasm_memory_size(0) * PAGE - (uintptr_t)&__heap_base) & ~7u;
}

/* Prepares the file for a workspace of `budget` bytes. Adds pages only if the budget does not fit. */
EXPORT(begin) int export_begin(double size, unsigned budget)
{
    const uint64_t end = (uint64_t)(uintptr_t)&__heap_base + budget;
    const size_t pages = __builtin_wasm_memory_size(0);
    const uint64_t wanted = (end + PAGE - 1u) / PAGE;

    if (wanted > pages && (wanted > 0xFFFFu || __builtin_wasm_memory_grow(0, (size_t)wanted - pages) == SIZE_MAX))
        return UTET_E_SPACE;
    io.size = (uint64_t)size;
    module_options.budget = budget;
    return utet_init(&module_file, &io, (uint8_t *)(__builtin_wasm_memory_size(0) * PAGE - budget), budget,
                     module_codecs);
}

EXPORT(cancel) void export_cancel(void)
{
    utet_cancel(&module_file);
}

EXPORT(strerror) const char *export_strerror(int status)
{
    return utet_strerror(status);
}

EXPORT(error_offset) double export_error_offset(void)
{
    return (double)module_file.error_offset;
}

EXPORT(needed) double export_needed(void)
{
    return (double)module_file.needed;
}

EXPORT(high_water) unsigned export_high_water(void)
{
    return (unsigned)module_file.high_water;
}

EXPORT(text) const char *export_text(void)
{
    return module_text;
}

EXPORT(got) unsigned export_got(void)
{
    return (unsigned)module_got;
}

EXPORT(numbers) const double *export_numbers(void)
{
    return module_numbers;
}

/* Selects the indices start, start + step, … below stop along an axis. */
EXPORT(range) void export_range(unsigned axis, double start, double stop, double step)
{
    if (axis < MAX_AXES)
        module_box[axis] = (utet_range){(uint64_t)start, (uint64_t)stop, (uint64_t)step};
}
