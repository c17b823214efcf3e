/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* What `utet pack --json` prints: one object about the file, or the list of --dry-run. */
#include "pack.h"

#include <inttypes.h>
#include <string.h>

static void put_input(const pack_input *in)
{
    fputs("{\"dataset\":", stdout);
    json_text(stdout, in->name, in->name_length);
    printf(",\"dtype\":\"%s\",\"shape\":", utet_show_dtype(in->dtype));
    json_numbers(stdout, in->shape, in->ndim);
}

int pack_json(const pack_options *opt, const pack_inputs *all, const pack_plan *plans, uint64_t bytes,
              const uint64_t *ram, const char *dropped)
{
    uint64_t raw = 0;
    size_t i;

    fputs("{\"datasets\":[", stdout);
    for (i = 0; i < all->count; i++) {
        const pack_input *const in = &all->input[i];
        const uint64_t own = pack_elements(in) * in->elem_size;

        raw += own;
        fputs(i > 0 ? "," : "", stdout);
        put_input(in);
        fputs(",\"tile\":", stdout);
        json_numbers(stdout, plans[i].tile, in->ndim);
        printf(",\"codec\":\"%s\",\"bytes\":%" PRIu64 ",\"stored\":%" PRIu64, plans[i].uses_zstd ? "zstd" : "raw", own,
               plans[i].stored);
        if (opt->machine_given)
            printf(",\"fits\":%s", ram[i] == 0 ? "true" : "false");
        if (ram[i] != 0)
            printf(",\"ram_needed\":%" PRIu64, ram[i]);
        putchar('}');
    }
    fputs("],\"output\":", stdout);
    json_text(stdout, opt->output, strlen(opt->output));
    printf(",\"bytes\":%" PRIu64 ",\"data\":%" PRIu64, bytes, raw);
    if (dropped[0] != '\0') {
        fputs(",\"left_out\":", stdout);
        json_text(stdout, dropped, strlen(dropped));
    }
    puts("}");
    return finish_stdout(TOOL_OK);
}

static void put_attributes(const tree *attributes)
{
    size_t i;

    fputs(",\"attrs\":{", stdout);
    for (i = 0; attributes != NULL && i < attributes->count; i++) {
        const branch *const one = &attributes->branches[i];

        fputs(i > 0 ? "," : "", stdout);
        json_text(stdout, one->key, one->key_length);
        putchar(':');
        json_text(stdout, one->value.text != NULL ? one->value.text : "", one->value.length);
    }
    putchar('}');
}

int pack_json_plan(const pack_inputs *all)
{
    size_t i;

    putchar('[');
    for (i = 0; i < all->count; i++) {
        const pack_input *const in = &all->input[i];

        fputs(i > 0 ? "," : "", stdout);
        put_input(in);
        fputs(",\"from\":", stdout);
        json_text(stdout, in->from, strlen(in->from));
        put_attributes(tree_at(&in->about, "attrs", 5));
        putchar('}');
    }
    puts("]");
    return finish_stdout(TOOL_OK);
}
