/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* A message on the display if there is no picture. Each drawn text is logged, as by line.h. Relies on line.h. */
#ifndef NOTICE_H
#define NOTICE_H

#define NOTICE_ROWS 10u /* of text */

/* Clears the display and draws a title with a text below it, broken at blanks. */
void notice_show(const char *title, const char *words);

#endif
