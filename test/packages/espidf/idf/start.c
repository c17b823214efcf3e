/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Starts a program of ESP-IDF without ESP-IDF's start code. */
void app_main(void);

int main(void)
{
    app_main();
    return 0;
}
