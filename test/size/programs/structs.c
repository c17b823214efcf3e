/* The objects an application holds: an array as long as each is large, read with nm. */
#include "utet.h"

#define SIZE_OF(type) extern const unsigned char size_of_##type[]; \
    const unsigned char size_of_##type[sizeof(type)] = { 0 }

SIZE_OF(utet_io);
SIZE_OF(utet_file);
SIZE_OF(utet_dataset);
SIZE_OF(utet_chunk);
SIZE_OF(utet_stream);
SIZE_OF(utet_slab);
