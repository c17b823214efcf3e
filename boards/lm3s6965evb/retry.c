/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "retry.h"

#include "buttons.h"
#include "card_file.h"
#include "notice.h"
#include "report.h"
#include "utet_fatfs.h"

void retry_forever(const retry_program *program)
{
    static FATFS volume;

    buttons_init();
    for (;;) {
        const FRESULT mounted = f_mount(&volume, "", 1);
        const utet_status status = mounted == FR_OK ? program->show() : UTET_FATFS_STATUS(mounted);
        const char *words = program->words_for(status);

        (void)report_end(program->name, status, words, card_file_fault(status));
        if (mounted == FR_OK)
            notice_fault(program->title, words, card_file_fault(status));
        else
            notice_show(program->title, words);
        (void)buttons_wait();
    }
}
