/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The frame of a program that shows a file of the card, and waits for buttons: an error is shown and logged, and any
 * button begins anew, so a card can be put back. Relies on buttons.h, card_file.h and notice.h. */
#ifndef RETRY_H
#define RETRY_H

#include "utet.h"

typedef struct retry_program {
    const char *name;                           /* the program as the log names it */
    const char *title;                          /* the first line of the message */
    utet_status (*show)(void);                  /* shows the file of the mounted card; returns only with an error */
    const char *(*words_for)(utet_status code); /* text of an error */
} retry_program;

/* Never returns. */
void retry_forever(const retry_program *program);

#endif
