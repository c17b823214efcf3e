/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions that every component uses: loads of little-endian integers, arithmetic that saturates, the call
 * protocol, the window. Internal to the library.
 */
#ifndef UTET_BASE_H
#define UTET_BASE_H

#include "utet.h"

/* A condition that code relies on, checked by the compiler. C99 has no _Static_assert; an array
 * of -1 elements is an error, and an unused declaration costs nothing. */
#define UTET_STATIC_ASSERT(condition, name) extern char utet_assert_##name[(condition) ? 1 : -1]

/* Keeps a function out of its callers: so that a caller's deepest call starts with less stack in use, or because the
 * compiler would take more bytes of flash for it as a part of them (measured on Cortex-M0+ and M4). */
#define UTET_APART __attribute__((noinline))

/* UTET_IS_FLOAT and the like for the tag of a dataset whose elements have a size: it is one of the list. */
#define UTET_KNOWN_IS(kinds, dtype) (((unsigned)(kinds) >> (dtype)&1) != 0)

/* Why a dataset without elem_size cannot be read: it has more axes than this build reads, or its dtype is unknown. */
#if UTET_MAX_NDIM < UTET_FORMAT_NDIM
#define UTET_UNREADABLE(dataset) ((dataset)->ndim == 0 ? UTET_E_LIMIT : UTET_E_DTYPE)
#else
#define UTET_UNREADABLE(dataset) UTET_E_DTYPE
#endif

/* ---- loads: any alignment, any byte order of the machine ---- */

/* 1 if the compiler says that the machine is little-endian. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define UTET_IS_LITTLE 1
#else
#define UTET_IS_LITTLE 0
#endif

#if defined(__ARM_FEATURE_UNALIGNED) && !defined(__ARM_BIG_ENDIAN)
/* one instruction here, which is shorter than a call */
static inline uint32_t utet_le32(const uint8_t *at)
{
    uint32_t value;

    __builtin_memcpy(&value, at, 4);
    return value;
}
static inline uint64_t utet_le64(const uint8_t *at)
{
    return utet_le32(at) | (uint64_t)utet_le32(at + 4) << 32;
}
#else
#define UTET_LOADS_BYTEWISE
uint32_t utet_le32(const uint8_t *at);
uint64_t utet_le64(const uint8_t *at);
#endif

/* Bytes up to the next address that is a multiple of low + 1, a power of two. EVA knows no addresses, and takes 0. */
#ifndef UTET_GAP
#define UTET_GAP(address, low) ((0 - (uintptr_t)(address)) & (low))
#endif

/* ---- arithmetic: a result that does not fit is UINT64_MAX. Every later comparison with a
 * limit refuses that value, so callers need no branch for overflow. ---- */

uint64_t utet_add(uint64_t a, uint64_t b);
uint64_t utet_mul(uint64_t a, uint64_t b);
/* A product that fits. The compiler's helper takes twice as long on Cortex-M0+ for small numbers. */
#ifdef __ARM_ARCH_6M__
#define UTET_PRODUCT(a, b) utet_mul(a, b)
#else
#define UTET_PRODUCT(a, b) ((uint64_t)(a) * (b))
#endif
/* Rounded down; divisor not 0. Our own code, because the compiler's helper has 500 to 750 bytes. */
uint64_t utet_div(uint64_t dividend, uint64_t divisor);
/* Rounded up; 0 when the dividend is 0, else UINT64_MAX when the divisor is 0. */
uint64_t utet_div_up(uint64_t dividend, uint64_t divisor);
/* *number /= 10; returns the last digit. */
unsigned utet_tenth(uint64_t *number);
/* Writes the number's decimal digits, at most 20, with leading zeros up to `least` digits; returns how many it wrote.
 * The number 0 has no digits of its own. */
unsigned utet_decimals(uint64_t number, unsigned least, char *digits);
/* Rounded up to a multiple of 8; value at most UINT64_MAX - 7. */
uint64_t utet_align8(uint64_t value);

/* Length of the UTF-8 sequence at `at`, where `have` (≥ 1) bytes are available; 0 = not
 * well-formed. */
size_t utet_utf8_length(const uint8_t *at, size_t have);

/* ---- the call protocol ----
 * A public function is `enter, inner, leave`. Inner functions may call each other; public ones
 * may not. After UTET_WOULD_BLOCK priv.busy names the suspended call. priv.step, its member of
 * priv.call and the objects of the call record what it has committed.
 *
 * Each public call that can be suspended has a number of its own, not 0, below 128 without the bit. Each package
 * declares the numbers of its calls, in a range of its own (src/README.md lists them; suite_protocol tries them).
 */

enum {
    UTET_CALL_NONE,
    UTET_CALL_OPEN,
    UTET_CALL_WORKSPACE = 0x80,              /* a bit: the call uses the memory after the window */
    UTET_CALL_LEAN = 2 | UTET_CALL_WORKSPACE /* the one call that does not use priv.call: it is not cleared for it */
};

/* priv.state; FOREIGN: another format has the file, and keeps its own state */
enum { UTET_STATE_READY = 1, UTET_STATE_OPEN, UTET_STATE_FAILED, UTET_STATE_FOREIGN };

/* The result of a call on a file that is not open: the error of opening, otherwise UTET_E_STATE. This also holds for
 * a file of zeros, before utet_init. */
static inline utet_status utet_closed(const utet_file *file)
{
    return file->priv.status != UTET_OK ? file->priv.status : UTET_E_STATE;
}

/* UTET_OK: the call may continue; any other status is the result of the public function. */
utet_status utet_enter(utet_file *file, uint8_t call);
/* Call after utet_enter in a call that does not use priv.call otherwise. Compares destination and size, or the text,
 * with those of the first call. UTET_E_STATE: the repeated call has others; it stays suspended. */
utet_status utet_given(utet_file *file, const void *at, size_t size);
/* Ends the call unless `status` suspends it; returns `status`. (The function has `status` first, because that is where
 * the call before has returned it.) */
utet_status utet_end_call(utet_status status, utet_file *file);
static inline utet_status utet_leave(utet_file *file, utet_status status)
{
    return utet_end_call(status, file);
}
/* The same for a public call that uses other public calls of the file. While one of those is suspended, *inner, in
 * the call's object, keeps its number, and priv.busy names the outer one. UTET_E_STATE also means that the repeated
 * call has another object. (nested.c) */
utet_status utet_enter_over(utet_file *file, uint8_t call, const uint8_t *inner);
utet_status utet_leave_over(utet_file *file, uint8_t call, uint8_t *inner, utet_status status);

/* ---- the window: the only code that calls a port ----
 * A request for bytes sets file->error_offset to their offset. A parser that finds a fault in
 * them only returns a status; so the error has the offset of the structure. */

/*
 * Makes file bytes [offset, offset + length) addressable at file->priv.at; priv.have (≥ length) bytes are there.
 * length 1..UTET_HEADROOM. UTET_E_SHORT: the range is beyond the end of the file; no request is made. (An offset that
 * was read twice may have changed, so this is checked here.) utet_fetch_ahead reads at most to offset + priv.have,
 * rounded up to the port's unit; the caller sets it, because a fifth argument would take stack. utet_fetch reads to the
 * end of the port's line (utet_io), as far as the window goes, because the following bytes will be wanted next. (The
 * order of the arguments keeps them in registers on 32-bit machines.)
 */
utet_status utet_fetch(utet_file *file, size_t length, uint64_t offset);
utet_status utet_fetch_ahead(utet_file *file, size_t length, uint64_t offset);
/* Copies [offset, offset + length), which the caller keeps within the file, to `to`. Where unit and alignment allow it,
 * the bytes come straight from the port, unless the window reads two copies of this length at once and priv.at is NULL.
 * It is NULL after a copy from the window, until the next fetch; a caller that will want the bytes after these sets it
 * to NULL before.
 * priv.done counts the bytes that have arrived. After UTET_OK it is 0; after UTET_WOULD_BLOCK the repeated call
 * continues from it; after an error the caller reads and clears it. */
utet_status utet_copy_bytes(utet_file *file, uint8_t *to, uint64_t offset, size_t length);
/* Copies the first bytes of [offset, offset + length), as many as one request brings: priv.have. Reads nothing ahead.
 * The bytes come from the window if it has the first one, or straight from a port with a unit of one byte, or through
 * the window. */
utet_status utet_copy_some(utet_file *file, uint8_t *to, uint64_t offset, size_t length);
/* The memory after the window begins here, at a multiple of 8. */
static inline size_t utet_lost(const utet_file *file)
{
    return UTET_GAP(file->priv.buffer, 7); /* windows are multiples of 8, except the part before the buffer */
}
static inline uint8_t *utet_behind(const utet_file *file)
{
    return file->priv.work + file->priv.window + utet_lost(file);
}
/* Size of the workspace for the minimum window and `least` bytes after it. Saturates. */
uint64_t utet_needed(const utet_file *file, uint64_t least);
/* A size within the workspace, rounded up (saturating) or down so that the address at its end is a multiple of 8. */
uint64_t utet_up8(const utet_file *file, uint64_t bytes);
size_t utet_down8(const utet_file *file, size_t bytes);
/* Makes the window as large as the budget allows. UTET_E_BUDGET: the budget is less than the minimum window. */
utet_status utet_window_alone(utet_file *file);
/* The largest legal window of at most `bytes` (0 with map), never below the minimum. */
size_t utet_window_fit(const utet_file *file, size_t bytes);
/* Makes the window `size` bytes large; its content is lost if the size changes. */
void utet_window_resize(utet_file *file, size_t size);

#endif
