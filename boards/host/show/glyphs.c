/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Draws text as pixels: ASCII, the letters of Latin-1, and the signs of units. Any other character is a box. */
#include "canvas.h"

#include <string.h>

#define FIRST 0x20u
#define LAST 0x7Eu
#define ABOVE 2u /* rows for accents over capitals */
#define ROWS 9u  /* rows of a glyph: seven above the base line, two below */

/* A digit of base 32 (0 to 9, A to V) is a row of five pixels, from the top. */
static const char glyphs[LAST - FIRST + 1][ROWS + 1] = {
    "000000000", "444440400", "AA0000000", "AAVAVAA00", "4FKE5U400", "OP248J300", "CIK8LID00",
    "440000000", /*   ! " # $ % & ' */
    "248884200", "842224800", "04LEL4000", "044V44000", "00000CC48", "000V00000", "00000CC00",
    "112488G00", /* ( ) * + , - . slash */
    "EHJLPHE00", "4C4444E00", "EH1248V00", "V2421HE00", "26AIV2200", "VGU11HE00", "68GUHHE00",
    "V12488800", /* 0 1 2 3 4 5 6 7 */
    "EHHEHHE00", "EHHF12C00", "0CC0CC000", "0CC0CC480", "248G84200", "00V0V0000", "842124800",
    "EH1240400", /* 8 9 : ; < = > ? */
    "EH1DLLE00", "EHHVHHH00", "UHHUHHU00", "EHGGGHE00", "SIHHHIS00", "VGGUGGV00", "VGGUGGG00",
    "EHGNHHF00", /* @ A B C D E F G */
    "HHHVHHH00", "E44444E00", "72222IC00", "HIKOKIH00", "GGGGGGV00", "HRLLHHH00", "HHPLJHH00",
    "EHHHHHE00", /* H I J K L M N O */
    "UHHUGGG00", "EHHHLID00", "UHHUKIH00", "FGGE11U00", "V44444400", "HHHHHHE00", "HHHHHA400",
    "HHHLLLA00", /* P Q R S T U V W */
    "HHA4AHH00", "HHHA44400", "V1248GV00", "E88888E00", "GG8421100", "E22222E00", "4AH000000",
    "0000000V0", /* X Y Z [ \ ] ^ _ */
    "842000000", "00E1FHF00", "GGMPHHU00", "00EGGHE00", "11DJHHF00", "00EHVGE00", "698S88800",
    "00FHHHF1E", /* ` a b c d e f g */
    "GGMPHHH00", "40C444E00", "2062222IC", "GGIKOKI00", "C44444E00", "00QLLHH00", "00MPHHH00",
    "00EHHHE00", /* h i j k l m n o */
    "00UHHHUGG", "00FHHHF11", "00MPGGG00", "00FGE1U00", "88S889600", "00HHHJD00", "00HHHA400",
    "00HHLLA00",                                                                               /* p q r s t u v w */
    "00HA4AH00", "00HHHHF1E", "00V248V00", "244844200", "444444444", "844244800", "008L20000", /* x y z { | } ~ */
};

typedef struct sign {
    uint32_t character;
    char glyph[ROWS + 1];
} sign;

static const sign signs[] = {
    {0xA0, "000000000"},                                                 /* blank */
    {0xB0, "CIIC00000"},                                                 /* degree */
    {0xB1, "44V440V00"},                                                 /* plus and minus */
    {0xB2, "C248E0000"},                                                 /* squared */
    {0xB3, "C242C0000"},                                                 /* cubed */
    {0xB5, "00HHHPTGG"},                                                 /* micro */
    {0x3BC, "00HHHPTGG"},                                                /* mu */
    {0xB7, "000CC0000"},                                                 /* middle dot */
    {0xB9, "4C44E0000"},                                                 /* superscript 1 */
    {0xC6, "FKKVKKN00"},                                                 /* AE */
    {0xD7, "0HA4AH000"},                                                 /* times */
    {0xD8, "DILLLIM00"},                                                 /* O with a stroke */
    {0xDF, "CIKIHHM00"},                                                 /* sharp s */
    {0xE6, "00Q5FKF00"},                                                 /* ae */
    {0xF7, "040V04000"},                                                 /* divided by */
    {0xF8, "00DILIM00"},                                                 /* o with a stroke */
    {0x2013, "000V00000"},                                               /* dashes, minus */
    {0x2014, "000V00000"}, {0x2212, "000V00000"}, {0x2026, "000000L00"}, /* ellipsis */
};

/* U+00C0 to U+00FF: the letter, and the accent over or under it; a blank: not composed. */
static const char letters[] = "AAAAAA CEEEEIIII NOOOOO  UUUUY  aaaaaa ceeeeiiii nooooo  uuuuy y";
static const char accents[] = "`'^~:o ,`'^:`'^: ~`'^~:  `'^:'  `'^~:o ,`'^:`'^: ~`'^~:  `'^:' :";

static const char dotless_i[] = "00C444E00";
static const char box[] = "VHHHHHV00";

static const char *plain(uint32_t c)
{
    size_t i;

    if (c >= FIRST && c <= LAST)
        return glyphs[c - FIRST];
    for (i = 0; i < sizeof signs / sizeof signs[0]; i++)
        if (signs[i].character == c)
            return signs[i].glyph;
    return box;
}

static unsigned pixels(char digit)
{
    return digit <= '9' ? (unsigned)(digit - '0') : (unsigned)(digit - 'A') + 10u;
}

/* Draws two rows of an accent, from `row` on. */
static void put_accent(char accent, int capital, uint8_t rows[GLYPH_ROWS])
{
    static const char kinds[] = "`'^~:o,";
    static const char shapes[][3] = {"84", "24", "4A", "DM", "A0", "EA", "4C"};
    const char *const shape = shapes[strchr(kinds, accent) - kinds];
    const unsigned row = accent == ',' ? ABOVE + 7 : capital ? 0 : ABOVE;

    rows[row] = (uint8_t)pixels(shape[0]);
    rows[row + 1] = (uint8_t)pixels(shape[1]);
}

static void rows_of(uint32_t c, uint8_t rows[GLYPH_ROWS])
{
    const int composed = c >= 0xC0 && c <= 0xFF && letters[c - 0xC0] != ' ';
    const char letter = composed ? letters[c - 0xC0] : '\0';
    const char *const glyph = letter == 'i' ? dotless_i : plain(composed ? (uint32_t)letter : c);
    unsigned i;

    memset(rows, 0, GLYPH_ROWS);
    for (i = 0; i < ROWS; i++)
        rows[ABOVE + i] = (uint8_t)pixels(glyph[i]);
    if (composed)
        put_accent(accents[c - 0xC0], letter < 'a', rows);
}

static void put_glyph(const canvas *to, size_t left, size_t top, uint32_t c)
{
    uint8_t rows[GLYPH_ROWS];
    size_t y;
    size_t x;

    rows_of(c, rows);
    for (y = 0; y < GLYPH_ROWS * GLYPH_SCALE; y++)
        for (x = 0; x < 5 * GLYPH_SCALE; x++)
            if ((rows[y / GLYPH_SCALE] >> (4 - x / GLYPH_SCALE) & 1) != 0 && top + y < to->height &&
                left + x < to->width)
                memset(to->rgb + 3 * ((top + y) * to->width + left + x), 0, 3);
}

void canvas_text(const canvas *to, size_t left, size_t top, const char *text)
{
    size_t length = strlen(text);
    size_t bytes;

    for (; length > 0; text += bytes, length -= bytes) {
        const uint32_t c = text_next(text, length, &bytes);
        size_t columns = bytes == 0 ? 1 : text_columns(c);

        bytes += bytes == 0;
        for (; columns > 0; columns--, left += CELL_WIDTH) /* a box for each column of a wide character */
            put_glyph(to, left, top, bytes == 0 ? UINT32_MAX : c);
    }
}
