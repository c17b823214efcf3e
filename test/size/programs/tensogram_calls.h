/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* What the configurations metadata and messages have in common: messages, frames and metadata. */
#ifndef SIZE_TENSOGRAM_CALLS_H
#define SIZE_TENSOGRAM_CALLS_H

#include "port.h"
#include "utet_tensogram.h"

static utet_message message;
static utet_frame frame;
static utet_metadata metadata;

static inline int use_metadata(void)
{
    utet_item item;
    utet_item over;
    char text[8];
    int sum = 0;

    sum |= utet_init(&size_file, &size_io, size_work, SIZE_WORK, NULL);
    sum |= utet_messages_open(&size_file, NULL);
    sum |= utet_message_first(&size_file, &message);
    sum |= utet_message_next(&size_file, &message);
    sum |= utet_metadata_open(&metadata, &size_file, &message, NULL, 0);
    sum |= utet_metadata_find_dotted(&metadata, "mars.param", 10, &item);
    sum |= utet_metadata_entry(&metadata, 0, &item, &over);
    sum |= utet_item_next(&metadata.reader, &item, &over, &item);
    sum |= utet_item_text(&metadata.reader, &item, 0, text, sizeof text);
    sum |= utet_frame_first(&size_file, &message, &frame);
    sum |= utet_frame_next(&size_file, &message, &frame);
    return sum;
}

#endif
