/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The frame of a call that is built on others, by base.h: it may continue, or not. (base 2 and boxes have nested.c.) */
utet_status utet_enter_over(utet_file *of, uint8_t call, const uint8_t *inner)
{
    of->priv.busy = Frama_C_interval(0, 1) ? *inner : 0;
    (void)call;
    return Frama_C_interval(0, 1) ? UTET_OK : UTET_E_STATE;
}

utet_status utet_leave_over(utet_file *of, uint8_t call, uint8_t *inner, utet_status status)
{
    if (status == UTET_WOULD_BLOCK) {
        *inner = of->priv.busy;
        of->priv.busy = call;
    }
    return status;
}
