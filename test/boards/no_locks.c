/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* port/fatfs/freertos/ff_mutex.c with locks that do nothing. The run with them must fail; otherwise the run with the
 * real locks proves nothing. */
#include "ff.h"

int ff_mutex_create(int vol)
{
    return vol >= 0;
}

void ff_mutex_delete(int vol)
{
    (void)vol;
}

int ff_mutex_take(int vol)
{
    return vol >= 0;
}

void ff_mutex_give(int vol)
{
    (void)vol;
}
