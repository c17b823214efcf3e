/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The locks that FatFs (R0.15 and later) requires with FF_FS_REENTRANT 1, on mutexes of FreeRTOS: several tasks may
 * then use files of one volume at the same time. Each call of FatFs holds the volume's lock; a task that waits for it
 * longer than FF_FS_TIMEOUT ticks gets FR_TIMEOUT. Relies on FreeRTOS with static allocation; no heap. */
#include "ff.h"

#include "FreeRTOS.h"
#include "semphr.h"

#if !FF_FS_REENTRANT
#error "FatFs has no locks: compile all of it, and all that includes ff.h, with -DFF_FS_REENTRANT=1"
#endif

/* One for each volume, and one for the data that the volumes share. */
static StaticSemaphore_t memory[FF_VOLUMES + 1];
static SemaphoreHandle_t mutexes[FF_VOLUMES + 1];

int ff_mutex_create(int vol)
{
    mutexes[vol] = xSemaphoreCreateMutexStatic(&memory[vol]);
    return mutexes[vol] != NULL;
}

void ff_mutex_delete(int vol)
{
    vSemaphoreDelete(mutexes[vol]);
}

int ff_mutex_take(int vol)
{
    return xSemaphoreTake(mutexes[vol], FF_FS_TIMEOUT) == pdTRUE;
}

void ff_mutex_give(int vol)
{
    (void)xSemaphoreGive(mutexes[vol]);
}
