/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Configuration strict: raw, and only strict mode: the footer is read in order to refuse it, not to use it. */
#include "calls.h"
#include "utet_meta.h"

typedef void function(void);

/* Their names suffice to link them; they are not called. */
static function *const linked[] = {(function *)utet_meta_open, (function *)utet_meta_strict};

int main(void)
{
    function *const volatile *first = linked;

    return use_raw(NULL) | (*first == NULL);
}
