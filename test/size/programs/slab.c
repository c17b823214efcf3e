/* Configuration slab: raw, and hyperslab selections on top. Relies on raw.c for the rest of the calls. */
#define main raw_main
#include "raw.c"
#undef main

int main(void)
{
    static utet_dataset dataset;
    static utet_slab slab;
    static utet_range ranges[UTET_MAX_NDIM];
    static char buffer[64];
    utet_run run;
    int sum = raw_main();

    sum |= utet_slab_need(&slab, &size_file, &dataset, ranges);
    sum |= utet_slab_open(&slab, &size_file, &dataset, ranges);
    sum |= utet_slab_run(&slab, &run);
    sum |= utet_slab_into(&slab, buffer, sizeof buffer);
    return sum;
}
