/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* A picture for a script on the host to photograph. Uses semihosting. */
#ifndef SCREEN_H
#define SCREEN_H

/* Prints "screen NAME". Command line (semihosting): [screen=PREFIX]; with it, waits until the host file PREFIXNAME.seen
 * exists, so that a script has the time to photograph the display. */
void screen_show(const char *name);

#endif
