/* Configuration small: raw, and our own zstd decoder as a codec. */
#include "utet.h"

static const utet_codec *const codecs[] = { &utet_codec_zstd_small, NULL };

#define SIZE_CODECS codecs
#include "raw.c"
