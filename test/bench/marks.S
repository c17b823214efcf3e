/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Region marks for the plugin count.c: bench_begin(id) and bench_end(id) store one byte each into bench_marks, which
 * the plugin watches. It uses only Thumb-1, so that one source serves every core. bench_begin's push shows the plugin
 * the caller's stack pointer. It also contains the plugin's own test, a function of known cost. */

    .syntax unified
    .thumb

    .section .bss.bench_marks, "aw", %nobits
    .global bench_marks
bench_marks:
    .space 256

    .section .text.bench_marks, "ax", %progbits
    .global bench_begin
    .thumb_func
    .type bench_begin, %function
bench_begin:
    ldr r1, =bench_marks
    strb r0, [r1, r0]
    push {r0}
    pop {r0}
    bx lr
    .size bench_begin, . - bench_begin

    .global bench_end
    .thumb_func
    .type bench_end, %function
bench_end:
    ldr r1, =bench_marks + 128
    strb r0, [r1, r0]
    bx lr
    .size bench_end, . - bench_end
    .ltorg

/* Calibration: region 127 is empty, which is the cost of the marks themselves; region 125 is a function of exactly 1000
 * instructions (with its call) and 68 bytes of stack, which checks the plugin. */
    .section .text.bench_calibrate, "ax", %progbits
    .global bench_calibrate
    .thumb_func
    .type bench_calibrate, %function
bench_calibrate:
    push {r4, lr}
    movs r0, #127
    bl bench_begin
    movs r0, #127
    bl bench_end
    movs r0, #125
    bl bench_begin
    bl known
    movs r0, #125
    bl bench_end
    pop {r4, pc}
    .size bench_calibrate, . - bench_calibrate

    .thumb_func
    .type known, %function
known:
    push {r4}
    sub sp, #64
    str r4, [sp]
    add sp, #64
    pop {r4}
    .rept 993
    nop
    .endr
    bx lr
    .size known, . - known
