/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The second stage of the RP2040's boot: the ROM copies the first 256 bytes of the flash into RAM and runs them there
 * if their CRC is right. They let the chip read the flash as memory, by command 03h, which every serial flash knows,
 * and start the program behind them. The code is position-independent; the registers are in the data sheet of the
 * RP2040, 4.10.13. */
    .syntax unified
    .cpu cortex-m0plus
    .thumb
    .section .boot2, "ax"

    .equ SSI_CTRLR0, 0x00
    .equ SSI_CTRLR1, 0x04
    .equ SSI_SSIENR, 0x08
    .equ SSI_BAUDR, 0x14
    .equ SSI_SPI_CTRLR0, 0xF4

    ldr r3, ssi
    movs r0, #0
    str r0, [r3, #SSI_SSIENR] /* off: only then can the rest be set */
    movs r1, #4               /* a quarter of the core's clock: 31.25 MHz of 125 */
    str r1, [r3, #SSI_BAUDR]
    ldr r1, frames
    str r1, [r3, #SSI_CTRLR0]
    str r0, [r3, #SSI_CTRLR1] /* one frame for each address */
    ldr r1, command
    movs r2, #SSI_SPI_CTRLR0
    str r1, [r3, r2]
    movs r1, #1
    str r1, [r3, #SSI_SSIENR]

    ldr r0, vectors
    ldr r1, vtor
    str r0, [r1]
    ldmia r0!, {r1, r2} /* stack and entry of the program */
    msr msp, r1
    bx r2

    .balign 4
ssi:
    .word 0x18000000
frames:
    .word 31 << 16 | 3 << 8 /* 32 bits a frame, on one line; command and address go out, data come in */
command:
    .word 0x03 << 24 | 2 << 8 | 6 << 2 /* command 03h: 2 times 4 bits of it, 6 times 4 of address */
vectors:
    .word 0x10000100
vtor:
    .word 0xE000ED08

    /* CRC-32 of the 252 bytes before it: polynomial 0x04C11DB7 and start 0xFFFFFFFF, highest bit first, not inverted.
     * make run-rp2040 computes it, too, and says which one is right. */
    .org 252
    .word 0x678956B0
