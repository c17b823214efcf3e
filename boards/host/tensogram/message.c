/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* utet message FILE N: one message: its metadata, a tensor's descriptor or its values. */
#include "tensogram.h"

#include <inttypes.h>

static int one(messages *m, const options *opt)
{
    utet_object object;
    utet_frame frame;
    utet_status status = UTET_OK;
    uint64_t number;
    int result;

    if (!parse_number(opt->dataset, &number))
        return usage("N: invalid message number \"%s\"; use a number from 0", opt->dataset);
    result = messages_find(m, opt, number);
    if (result != TOOL_OK)
        return result;
    if (opt->slab != NULL && (opt->metadata || opt->descriptor))
        return usage("--slab selects values; omit it, or --metadata and --descriptor");
    if (opt->metadata && !opt->object_given) {
        status = put_metadata(m);
        if (status == UTET_OK)
            status = messages_hashes(m);
    } else if (opt->object >= m->metadata.objects) {
        return fail(opt->file, "tensor", NO_OFFSET, "no tensor %" PRIu64 "; the message has %" PRIu32, opt->object,
                    m->metadata.objects);
    } else if (opt->metadata) {
        status = put_merged(m, (uint32_t)opt->object);
        if (status == UTET_OK)
            status = messages_hashes(m);
    } else {
        status = messages_object(m, (uint32_t)opt->object, &object, &frame);
        if (status == UTET_OK && !opt->descriptor)
            return tensogram_write(m, opt, &object, &frame);
        if (status == UTET_OK)
            status = put_descriptor(m, &object, &frame);
        else if (opt->descriptor && frame.type == UTET_FRAME_TENSOR && messages_note(m, status) == UTET_OK)
            status = put_unknown(m, &frame, status);
    }
    if (status != UTET_OK)
        return messages_fail(m, status, m->s.file.error_offset);
    putchar('\n');
    return messages_tell(m, TOOL_OK);
}

int command_message(const options *opt)
{
    return messages_run(opt, one);
}
