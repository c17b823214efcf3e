/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Shared by the WebAssembly modules of the page: the file that a module reads, and its port. microtet.mjs makes the
 * calls. An export that returns a status is repeated until it is not UTET_WOULD_BLOCK. */
#ifndef MODULE_H
#define MODULE_H

#include "utet.h"

/* Makes a function callable from JavaScript by this name. */
#define EXPORT(name) __attribute__((export_name(#name)))

#define MODULE_TEXT 256u   /* size of the buffer for texts, in bytes */
#define MODULE_NUMBERS 64u /* maximum number of doubles that describe an object */

extern utet_file module_file;
extern utet_options module_options;           /* options for utet_open: the budget is the workspace */
extern char module_text[MODULE_TEXT];         /* a text for JavaScript, not null-terminated */
extern size_t module_got;                     /* number of bytes in module_text */
extern double module_numbers[MODULE_NUMBERS]; /* result of the exports named describe_… */
extern utet_range module_box[];               /* the selection */

/* The codecs that the module has. Each module defines this list. */
extern const utet_codec *const module_codecs[];

#endif
