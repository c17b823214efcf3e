/* One .tet file of the card at a time: FatFs, the port and the library's file object in one place, with their memory.
 * Relies on port/fatfs and on a mounted volume. */
#ifndef CARD_FILE_H
#define CARD_FILE_H

#include "utet.h"

/* The workspace: what the demonstration files allow themselves (memory_budget_bytes of the larger ones). */
#define CARD_FILE_WORK 40960u

/* The open file; its budget is the file's own, or all of the workspace after card_file_open(name, 1). */
extern utet_file card_file;

/* Statuses as utet_fatfs_open and utet_open. lift: ignore the budget that the file states. */
utet_status card_file_open(const char *name, int lift);
void card_file_close(void);

/* DWORDs that the cluster table of the open file takes; 0: more than there are, so reading walks the FAT. */
uint32_t card_file_table(void);

#endif
