/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* For builds without libzstd: digest.c names both decoders, and this one is never chosen there. */
#include "utet_codec.h"

const utet_codec utet_codec_zstd_upstream = {0};
