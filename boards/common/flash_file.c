/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Takes the file FLASH_FILE (-DFLASH_FILE='"name"') into the constants of the firmware. */
#include "flash_file.h"

__asm(".section .rodata.flash_file, \"a\"\n\t"
      ".balign 4\n\t"
      ".global flash_file, flash_file_end\n"
      "flash_file:\n\t"
      ".incbin \"" FLASH_FILE "\"\n"
      "flash_file_end:\n\t"
      ".previous");
