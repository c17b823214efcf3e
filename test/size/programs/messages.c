/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Configuration messages: messages, frames, metadata and descriptors, without hashes and strict mode. */
#include "tensogram_calls.h"

static utet_object object;

int main(void)
{
    return use_metadata() | utet_object_open(&object, &size_file, &frame, &metadata.reader);
}
