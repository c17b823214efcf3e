/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* A picture that a script on the host is to photograph. Relies on semihosting. */
#ifndef SCREEN_H
#define SCREEN_H

/* Says "screen NAME". Command line (semihosting): [screen=PREFIX]; with it, waits until the host file PREFIXNAME.seen
 * exists, so that a script has the time to photograph the display. */
void screen_show(const char *name);

#endif
