/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The five buttons of the board. Relies on nothing. */
#ifndef BUTTONS_H
#define BUTTONS_H

enum { BUTTON_UP = 1, BUTTON_DOWN = 2, BUTTON_LEFT = 4, BUTTON_RIGHT = 8, BUTTON_SELECT = 16 };

/* Starts the pins. */
void buttons_init(void);

/* Waits until a button that was up is pressed. Returns all such buttons. A button that is down from the start on, or
 * stays down, does not count. */
unsigned buttons_wait(void);

#endif
