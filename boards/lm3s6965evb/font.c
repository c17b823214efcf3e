/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The glyphs, and drawing them. Relies on font.h. */
#include "font.h"

#include "oled.h"

#include <stdint.h>

#define FIRST 0x20u
#define LAST 0x7Eu
#define WHITE 15u

/* ASCII from the blank to the tilde. A glyph is six octal digits, one for each row from the top; a digit is three
 * pixels. */
static const uint32_t glyphs[LAST - FIRST + 1] = {
    0000000, 0222020, 0550000, 0575750, 0363620, 0512450, 0252530, 0220000, /*   ! " # $ % & ' */
    0122210, 0422240, 0052500, 0027200, 0000024, 0007000, 0000020, 0112440, /* ( ) * + , - . / */
    0755570, 0262270, 0612470, 0612160, 0557110, 0746160, 0347570, 0712220, /* 0 1 2 3 4 5 6 7 */
    0757570, 0757160, 0020200, 0020024, 0124210, 0070700, 0421240, 0612020, /* 8 9 : ; < = > ? */
    0257430, 0257550, 0656560, 0344430, 0655560, 0746470, 0746440, 0345530, /* @ A B C D E F G */
    0557550, 0722270, 0111520, 0556550, 0444470, 0577550, 0755550, 0255520, /* H I J K L M N O */
    0656440, 0255630, 0656550, 0342160, 0722220, 0555570, 0555520, 0557750, /* P Q R S T U V W */
    0552550, 0552220, 0712470, 0322230, 0442110, 0622260, 0250000, 0000007, /* X Y Z [ \ ] ^ _ */
    0420000, 0035530, 0446560, 0034430, 0113530, 0025630, 0127220, 0035316, /* ` a b c d e f g */
    0446550, 0202220, 0101152, 0445650, 0622270, 0077550, 0065550, 0025520, /* h i j k l m n o */
    0065564, 0035531, 0056440, 0036360, 0272210, 0055530, 0055520, 0055770, /* p q r s t u v w */
    0052250, 0055316, 0073670, 0326230, 0222222, 0623260, 0017400,          /* x y z { | } ~   */
};

static int continues(char c)
{
    return ((uint8_t)c & 0xC0u) == 0x80u;
}

unsigned font_width(const char *text, size_t length)
{
    unsigned width = 0;

    for (size_t i = 0; i < length; i++)
        width += continues(text[i]) ? 0 : FONT_WIDTH;
    return width;
}

static void draw_row(char c, unsigned row)
{
    const uint8_t code = (uint8_t)c;
    const uint32_t glyph = glyphs[code >= FIRST && code <= LAST ? code - FIRST : '?' - FIRST];
    const uint32_t pixels = glyph >> 3 * (FONT_HEIGHT - 1 - row);
    const uint8_t greys[FONT_WIDTH] = {pixels & 4 ? WHITE : 0, pixels & 2 ? WHITE : 0, pixels & 1 ? WHITE : 0, 0};

    oled_greys(greys, FONT_WIDTH);
}

void font_draw(unsigned left, unsigned top, const char *text, size_t length)
{
    if (length == 0)
        return;
    oled_window(left, top, font_width(text, length), FONT_HEIGHT);
    for (unsigned row = 0; row < FONT_HEIGHT; row++)
        for (size_t i = 0; i < length; i++)
            if (!continues(text[i]))
                draw_row(text[i], row);
}
