/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Configuration metadata: messages, frames and metadata; no descriptors. */
#include "tensogram_calls.h"

int main(void)
{
    return use_metadata();
}
