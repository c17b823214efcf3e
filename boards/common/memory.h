/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Memory as the linker script sections.ld lays it out. */
#ifndef MEMORY_H
#define MEMORY_H

#include <stdint.h>

/* Set by the linker: only the addresses of these symbols have a meaning. */
extern uint32_t link_stack_start[], link_stack_end[];
extern uint32_t link_data_start[], link_data_end[], link_data_load[];
extern uint32_t link_bss_start[], link_bss_end[];
extern uint32_t link_ram_end[];
extern const uint8_t link_flash_start[], link_flash_end[];

/* For the start-up, once there is a stack: paints the stack, and gives .data and .bss their initial values. */
void memory_start(void);

#endif
