/* Configuration raw: open, datasets, chunk lookup, raw streams. What this program calls is what is counted. */
#include "port.h"

#ifndef SIZE_CODECS
#define SIZE_CODECS NULL
#endif

int main(void)
{
    const uint64_t coords[UTET_MAX_NDIM] = { 0 };
    static utet_dataset dataset;
    static utet_chunk chunk;
    static utet_stream stream;
    static char buffer[64];
    utet_need need;
    size_t got;
    int sum = 0;

    sum |= utet_init(&size_file, &size_io, size_work, SIZE_WORK, SIZE_CODECS);
    sum |= utet_open(&size_file, 0);
    sum |= utet_dataset_first(&size_file, &dataset);
    sum |= utet_dataset_next(&size_file, &dataset);
    sum |= utet_dataset_find(&size_file, &dataset, "a", 1);
    sum |= utet_dataset_name(&size_file, &dataset, 0, buffer, 1);
    sum |= utet_chunk_find(&size_file, &dataset, coords, &chunk);
    sum |= utet_chunk_need(&size_file, &chunk, 0, &need);
    sum |= utet_stream_open(&stream, &size_file, &chunk);
    sum |= utet_stream_read(&stream, buffer, sizeof buffer, &got);
    sum |= utet_stream_skip(&stream, 1);
    return sum;
}
