/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Configuration meta: raw, and every call of utet_meta.h except strict mode. */
#include "calls.h"
#include "utet_meta.h"

typedef void function(void);

/* Their names suffice to link them; they are not called. */
static function *const linked[] = {
    (function *)utet_meta_open,        (function *)utet_meta_check_limits, (function *)utet_text_read,
    (function *)utet_value_next,       (function *)utet_list_nth,          (function *)utet_list_find,
    (function *)utet_map_find,         (function *)utet_event_next,        (function *)utet_meta_dataset,
    (function *)utet_meta_axis,        (function *)utet_meta_labels,       (function *)utet_zones_open,
    (function *)utet_zone_next,        (function *)utet_zone_find,         (function *)utet_zone_may_hold,
    (function *)utet_zone_may_be_null, (function *)utet_index_value,       (function *)utet_index_label,
    (function *)utet_index_chunk,      (function *)utet_index_entries,
};

int main(void)
{
    function *const volatile *first = linked;

    return use_raw(NULL) | (*first == NULL);
}
