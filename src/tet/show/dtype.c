/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Names of the dtype tags (§3). */
#include "utet_show.h"

const char *utet_show_dtype(uint32_t dtype)
{
    static const char names[11][4] = {"?", "f32", "f64", "i32", "i64", "u8", "u16", "i16", "u32", "f16", "u64"};

    return names[dtype <= 10 ? dtype : 0];
}
