/* Configuration upstream: raw, and the zstd package as a codec. */
#include "utet.h"

static const utet_codec *const codecs[] = { &utet_codec_zstd_upstream, NULL };

#define SIZE_CODECS codecs
#include "raw.c"
