/* Region marks for the plugin count.c: bench_begin(id) and bench_end(id) store one byte each into bench_marks, which the
 * plugin watches. Thumb-1 only, so that one source serves every core. bench_begin's push tells the plugin the caller's
 * stack pointer. */

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
