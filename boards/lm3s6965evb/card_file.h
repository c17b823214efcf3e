/* One .tet file of the card at a time: FatFs, the port and the library's file object in one place, with their memory.
 * Relies on port/fatfs and on a mounted volume. */
#ifndef CARD_FILE_H
#define CARD_FILE_H

#include "utet.h"

/* The workspace: what the demonstration files allow themselves (memory_budget_bytes of the larger ones). */
#define CARD_FILE_WORK 40960u

/* Who decodes zstd: the zstd package (about 30 KB of workspace and a block) or our own decoder (4 to 10 KB). */
enum card_file_codec { CARD_FILE_UPSTREAM, CARD_FILE_SMALL };

/* The open file; its budget is the file's own. */
extern utet_file card_file;

/* Statuses as utet_fatfs_open and utet_open. */
utet_status card_file_open(const char *name, enum card_file_codec codec);
void card_file_close(void);

/* DWORDs that the cluster table of the open file takes; 0: more than there are, so reading walks the FAT. */
uint32_t card_file_table(void);

#endif
