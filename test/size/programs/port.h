/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The port of the size programs: it returns nothing and is not counted. */
#ifndef SIZE_PORT_H
#define SIZE_PORT_H

#include "utet.h"

extern utet_io size_io;
extern utet_file size_file;
extern uint64_t size_work[];
enum { SIZE_WORK = 4096 };

#endif
