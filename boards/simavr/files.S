/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
; What pack.py made of the files to be read; FILES is its name.
    .section .progmem.files, "a", @progbits
    .global simavr_files
simavr_files:
    .incbin FILES
