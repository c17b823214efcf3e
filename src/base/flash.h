/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Texts that stay in flash where constants would be copied into RAM (AVR): they are declared UTET_FLASH and read with
 * UTET_FLASH_BYTE, never through a pointer. On other machines both are nothing special. Internal to the library.
 */
#ifndef UTET_FLASH_H
#define UTET_FLASH_H

#ifdef __AVR__
#include <avr/pgmspace.h>
#define UTET_FLASH PROGMEM
#define UTET_FLASH_BYTE(at) ((char)pgm_read_byte(at))
#else
#define UTET_FLASH
#define UTET_FLASH_BYTE(at) (*(at))
#endif

#endif
