/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
#include <Arduino.h>

Serial_ Serial;

int main()
{
    setup();
    loop();
    fflush(stdout);
    return 0;
}
