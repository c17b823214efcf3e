/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Configuration strict: raw, and strict mode alone: the footer is read to be refused, not to be used. */
#include "calls.h"
#include "utet_meta.h"

typedef void function(void);

/* Named, not called: that links them. */
static function *const linked[] = {(function *)utet_meta_open, (function *)utet_meta_strict};

int main(void)
{
    function *const volatile *first = linked;

    return use_raw(NULL) | (*first == NULL);
}
