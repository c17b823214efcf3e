/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Softmax: the maximum first, then the sum of e^(x - maximum), exactly, then quotients by it. Each step is rounded as
 * IEEE 754 says. Where there is room, loops for f32 find most results with fewer instructions; a result that they
 * cannot be sure of is computed step by step.
 */
#include "fold_hot.h"
#include "fold_transform.h"

#define SUM_WORDS 36u /* 2^64 doubles of at most 1, in units of the smallest double */

static uint32_t *softmax_sum(void *cell)
{
    return (void *)((uint64_t *)cell + 2);
}

static void add_exponential(const fold_part *part, size_t i)
{
    uint8_t *cell = part->cell + i * part->cell_step;
    const uint64_t *greatest = (const void *)cell;
    const fold_layout *layout = part->layout;
    fold_element element;

    utet_fold_split(layout, utet_fold_load(layout, part->data + i * part->stride), &element);
    if (element.special != FOLD_FINITE)
        return;
    utet_fold_split(&utet_dtype_layouts[UTET_F64],
                    utet_fold_exp(utet_fold_subtract(utet_transform_value(layout, &element), *greatest)), &element);
    utet_fold_wide_add(softmax_sum(cell), SUM_WORDS, element.shift, element.magnitude, 0);
}

static uint64_t softmax_apply(uint64_t value, const uint64_t *statistics)
{
    return utet_transform_divide(utet_fold_exp(utet_fold_subtract(value, statistics[0])), statistics[1]);
}

#if FOLD_ROOMY
/* ---- f32, where there is room ----
 * Numbers in units of 2^-43 are exact, and their differences below 2^10 have 53 bits, so that they are not rounded. */

#define UNIT 43
#define SOFTMAX_UNITS(number) ((uint64_t)(number) << UNIT)
#define LEAST 746u           /* e^-746 is less than half of the smallest double, */
#define LEAST_NORMAL 708u    /* e^-708 is a normal one, */
#define LEAST_F32 104u       /* and e^-104 is less than half of the smallest f32. */
#define SOFTMAX_LOWEST 1022u /* the shift of the last bit of doubles from 1 on */

/* 2^(i / 64) in units of 2^-127, the highest 64 bits first. */
static const uint64_t softmax_steps[64][2] = {
    {0x8000000000000000u, 0x0000000000000000u}, {0x8164D1F3BC030773u, 0x7BE56527BD14DEF4u},
    {0x82CD8698AC2BA1D7u, 0x3E2A475B46520BFFu}, {0x843A28C3ACDE4046u, 0x1AF92ECA13FD1582u},
    {0x85AAC367CC487B14u, 0xC5C95B8C2154C1B2u}, {0x871F61969E8D1010u, 0x3A1727C57B52A956u},
    {0x88980E8092DA8527u, 0x5DF8D76C98C67562u}, {0x8A14D575496EFD9Au, 0x080CA1D92C3680C2u},
    {0x8B95C1E3EA8BD6E6u, 0xFBE4628758A53C90u}, {0x8D1ADF5B7E5BA9E5u, 0xB4C7B4968E41AD36u},
    {0x8EA4398B45CD53C0u, 0x2DC0144C8783D4C5u}, {0x9031DC431466B1DCu, 0x775814A8494E87E2u},
    {0x91C3D373AB11C336u, 0x0FD6D8E0AE5AC9D8u}, {0x935A2B2F13E6E92Bu, 0xD339940E9D924EE7u},
    {0x94F4EFA8FEF70961u, 0x2E8AFAD12551DE54u}, {0x96942D3720185A00u, 0x48EA9B683A9C22C4u},
    {0x9837F0518DB8A96Fu, 0x46AD23182E42F6F6u}, {0x99E0459320B7FA64u, 0xE43086CB34B5FCAEu},
    {0x9B8D39B9D54E5538u, 0xA2A817A2A3CC3F1Fu}, {0x9D3ED9A72CFFB750u, 0xDE494CF050E99B0Bu},
    {0x9EF5326091A111ADu, 0xA0911F09EBB9FDD1u}, {0xA0B0510FB9714FC2u, 0x192DC79EDB0FD9A9u},
    {0xA27043030C496818u, 0x9B7A04EF80CFDEA7u}, {0xA43515AE09E6809Eu, 0x0D1DB4831781E1EEu},
    {0xA5FED6A9B15138EAu, 0x1CBD7F621710701Bu}, {0xA7CD93B4E9653569u, 0x9EC5B4D5039F72AFu},
    {0xA9A15AB4EA7C0EF8u, 0x541E24EC3531FA73u}, {0xAB7A39B5A93ED337u, 0x658023B2759E0079u},
    {0xAD583EEA42A14AC6u, 0x4980A8C8F59A2EC4u}, {0xAF3B78AD690A4374u, 0xDF26101CCBB35032u},
    {0xB123F581D2AC258Fu, 0x87D037E96D215D8Eu}, {0xB311C412A9112489u, 0x3ECF14DC798A519Bu},
    {0xB504F333F9DE6484u, 0x597D89B3754ABE9Fu}, {0xB6FD91E328D17791u, 0x07165F0DDD541A59u},
    {0xB8FBAF4762FB9EE9u, 0x1B879778566B65A1u}, {0xBAFF5AB2133E45FBu, 0x74D519D24593838Cu},
    {0xBD08A39F580C36BEu, 0xA8811FB66D0FAF7Au}, {0xBF1799B67A731082u, 0xE815D0ABCBF0B850u},
    {0xC12C4CCA66709456u, 0x7C457D59A50087B5u}, {0xC346CCDA24976407u, 0x20EC856128B83A42u},
    {0xC5672A115506DADDu, 0x3E2AD0C964DD9F37u}, {0xC78D74C8ABB9B15Cu, 0xC13A2E3976C0277Eu},
    {0xC9B9BD866E2F27A2u, 0x80E1F92A0511697Eu}, {0xCBEC14FEF2727C5Cu, 0xF4907C8F45EBF6DCu},
    {0xCE248C151F8480E3u, 0xE235838F95F2C6EDu}, {0xD06333DAEF2B2594u, 0xD6D45C6559A4D502u},
    {0xD2A81D91F12AE45Au, 0x12248E57C3DE4028u}, {0xD4F35AABCFEDFA1Fu, 0x5921DEFFA6262C5Au},
    {0xD744FCCAD69D6AF4u, 0x39A68BB9902D3FDEu}, {0xD99D15C278AFD7B5u, 0xFE873DECA3E12BABu},
    {0xDBFBB797DAF23755u, 0x3D840D5A9E29AA64u}, {0xDE60F4825E0E9123u, 0xDD07A2D9E8466859u},
    {0xE0CCDEEC2A94E111u, 0x065895048DD333CAu}, {0xE33F8972BE8A5A51u, 0x09BFE90795980EECu},
    {0xE5B906E77C8348A8u, 0x1E5E8F4A4EDBB0ECu}, {0xE8396A503C4BDC68u, 0x791790D0AC70C7DDu},
    {0xEAC0C6E7DD24392Eu, 0xD02D75B3706E54FAu}, {0xED4F301ED9942B84u, 0x600D2DB6A64BFB12u},
    {0xEFE4B99BDCDAF5CBu, 0x46561CF6948DB912u}, {0xF281773C59FFB139u, 0xE8980A9CC8F47A4Bu},
    {0xF5257D152486CC2Cu, 0x7B9D0C7AED980FC3u}, {0xF7D0DF730AD13BB8u, 0xFE90D496D60FB6EAu},
    {0xFA83B2DB722A033Au, 0x7C25BB14315D7FCCu}, {0xFD3E0C0CF486C174u, 0x853F3A5931E0EE03u},
};

/* 2^(i / 4096) - 1 in units of 2^-70. */
static const uint64_t softmax_small_steps[64] = {
    0x0000000000000000u, 0x02C5D7BFF71DAE8Eu, 0x058BCE410147E84Au, 0x0851E38473994115u, 0x0B18178BA33B141Bu,
    0x0DDE6A57E5658471u, 0x10A4DBEA8F5F7DBDu, 0x136B6C44F67EB4DCu, 0x16321B687027A87Fu, 0x18F8E95651CDA1D6u,
    0x1BBFD60FF0F2B530u, 0x1E86E196A327C2A1u, 0x214E0BEBBE0C76A4u, 0x24155510974F4AC3u, 0x26DCBD0684AD8636u,
    0x29A443CEDBF33E8Bu, 0x2C6BE96AF2FB584Au, 0x2F33ADDC1FAF8797u, 0x31FB9123B80850D8u, 0x34C39343120D095Au,
    0x378BB43B83D3D7F2u, 0x3A53F40E6381B5A6u, 0x3D1C52BD074A6E4Du, 0x3FE4D048C570A138u, 0x42AD6CB2F445C1D0u,
    0x457627FCEA2A1842u, 0x483F0227FD8CC21Du, 0x4B07FB3584EBB2FBu, 0x4DD11326D6D3B525u, 0x509A49FD49E06A33u,
    0x53639FBA34BC4BB7u, 0x562D145EEE20ABDDu, 0x58F6A7ECCCD5B612u, 0x5BC05A6527B26FA9u, 0x5E8A2BC9559CB87Eu,
    0x61541C1AAD894B9Au, 0x641E2B5A867BBFDCu, 0x66E8598A37868899u, 0x69B2A6AB17CAF644u, 0x6C7D12BE7E793712u,
    0x6F479DC5C2D0579Du, 0x721247C23C1E438Du, 0x74DD10B541BFC638u, 0x77A7F8A02B208B4Cu, 0x7A72FF844FBB1F70u,
    0x7D3E25630718F0EAu, 0x80096A3DA8D25046u, 0x82D4CE158C8E70F9u, 0x85A050EC0A036A06u, 0x886BF2C278F636A5u,
    0x8B37B39A313AB6E8u, 0x8E0393748AB3B05Cu, 0x90CF9252DD52CEB5u, 0x939BB0368118A46Du, 0x9667ED20CE14AB6Eu,
    0x993449131C6545B4u, 0x9C00C40EC437BDF4u, 0x9ECD5E151DC84841u, 0xA19A1727816202B3u, 0xA466EF47475EF607u,
    0xA733E675C828164Cu, 0xAA00FCB45C354383u, 0xACCE32045C0D4A47u, 0xAF9B86672045E471u,
};

/* e^-d as power * 2^-n; the power is from 1 to less than 2, in units of 2^-127. */
typedef struct softmax_power {
    uint64_t high;
    uint64_t low;
    uint32_t n;
} softmax_power;

/*
 * d is in units of 2^-43, less than 2^53. With d / ln 2 in units of 2^-106, n is its whole part and 1, and n - d / ln 2
 * is i / 64 + j / 4096 + z; z has 64 bits in units of 2^-76. 2^z - 1 is z ln 2 and further terms of its series, (z ln
 * 2)^2 / 2!, ... in fractions of 64 bits, up to the fourth one.
 *
 * All is rounded down, and the power is too small by less than 6 units of 2^-69 (ERROR). In units of 2^-76: the terms
 * that are left out are 88, the bits cut off are 8 (two for each factor, and z), together less than 1.5 units of 2^-70.
 * The sum of both small numbers lacks three more, because each of its parts is cut off: up to 4.5 units of 2^-70. By
 * the larger step, less than 2, these are less than 4.5 units of 2^-69; the lower half of the step, which is not
 * multiplied, is less than 0.8. (60,000 random ones: 4.46.)
 */
#define POWER_ERROR 6u

FOLD_HOT_INLINE void softmax_find(softmax_power *power, uint64_t d)
{
    const uint64_t less = utet_fixed_high(d, 0xBE87FED0691D3E88u); /* 1 / ln 2 in units of 2^-127, the lower half */
    const uint64_t whole = 0xB8AA3B295C17F0BBu;                    /* and the higher one */
    const uint64_t low = d * whole + less;
    const uint64_t high = utet_fixed_high(d, whole) + (low < less);
    const uint64_t above = ~(high << 22 | low >> 42);
    const uint64_t z = above << 12 | ~low << 22 >> 52;
    const uint64_t *const step = softmax_steps[above >> 58];
    const uint64_t small = softmax_small_steps[above >> 52 & 63u];
    uint64_t rest = 0x0000000E35846B82u + utet_fixed_high(z, 0x0000000000276556u);

    rest = 0x0003D7F7BFF058B1u + utet_fixed_high(z, rest);
    rest = 0xB17217F7D1CF79ABu + utet_fixed_high(z, rest);
    rest = utet_fixed_high(z, rest);
    rest = small + (rest >> 6) + (utet_fixed_high(small, rest) >> 12);
    power->n = (uint32_t)(high >> 42) + 1;
    power->low = step[0] * rest >> 6 | utet_fixed_high(step[0], rest) << 58;
    power->high = step[0] + (utet_fixed_high(step[0], rest) >> 6);
    power->low += step[1];
    power->high += power->low < step[1];
}

/* The double nearest to the power, in units of 2^-52. Returns 0 if the power may be nearer to another one. */
FOLD_HOT_INLINE int softmax_round(uint64_t *nearest, const softmax_power *power)
{
    const uint32_t rest = (uint32_t)(power->high << 6 | power->low >> 58) & 0x1FFFFu; /* in units of 2^-69 */

    *nearest = (power->high >> 11) + (rest >> 16);
    return rest - (0x10000u - POWER_ERROR) > 2 * POWER_ERROR;
}

/* Sets the units of 0, or of a number from 2^-20 to less than 2^20 of 24 bits. Returns 0 for another one. shift: its
 * exponent above that of 2^-20. */
FOLD_HOT_INLINE int softmax_units(uint64_t *units, uint32_t bits, uint32_t shift, uint32_t negative)
{
    const uint64_t sign = 0 - (uint64_t)(negative >> 31);

    *units = ((((uint64_t)(bits & 0x7FFFFFu) | 0x800000u) << (shift & 63u)) ^ sign) - sign;
    return shift < 40;
}

FOLD_HOT_INLINE int softmax_units_f32(uint64_t *units, uint32_t bits)
{
    if (softmax_units(units, bits, (bits >> 23 & 0xFFu) - 107u, bits))
        return 1;
    *units = 0;
    return bits << 1 == 0;
}

/* The same for the maximum, a double that is an f32. */
FOLD_HOT_INLINE int softmax_units_f64(uint64_t *units, uint64_t bits)
{
    if (softmax_units(units, (uint32_t)(bits >> 29), (uint32_t)(bits >> 52 & 0x7FFu) - 1003u, (uint32_t)(bits >> 32)))
        return 1;
    *units = 0;
    return bits << 1 == 0;
}

/* Adds `count` elements of one cell, at most 2^15. Sums of powers from 2^-40 on, in units of 2^-92, stay in registers:
 * they have 108 bits. */
#define SUM_UNIT 40u

static void softmax_add(const fold_part *part, size_t from, size_t count)
{
    uint8_t *const cell = part->cell + from * part->cell_step;
    const uint8_t *data = part->data + from * part->stride;
    const uint32_t most = count > 1 ? SUM_UNIT : 0;
    uint64_t low = 0;
    uint64_t high = 0;
    uint64_t greatest;
    const int is_known = softmax_units_f64(&greatest, *(const uint64_t *)(const void *)cell);

    for (; count != 0; count--, from++, data += part->stride) {
        softmax_power power;
        uint64_t units;
        uint64_t nearest;

        if (!softmax_units_f32(&units, fold_hot_le32(data)) || !is_known) {
            add_exponential(part, from);
            continue;
        }
        units = greatest - units;
        if (units >= SOFTMAX_UNITS(LEAST_NORMAL)) {
            if (units < SOFTMAX_UNITS(LEAST) || units >> 63 != 0) /* else it is 0 */
                add_exponential(part, from);
            continue;
        }
        softmax_find(&power, units);
        if (!softmax_round(&nearest, &power)) {
            add_exponential(part, from);
        } else if (power.n <= most) {
            const uint64_t less = nearest << (SUM_UNIT - power.n);

            low += less;
            high += (nearest >> 1 >> (63 - SUM_UNIT + power.n)) + (low < less);
        } else {
            utet_fold_wide_add(softmax_sum(cell), SUM_WORDS, SOFTMAX_LOWEST - power.n, nearest, 0);
        }
    }
    if ((low | high) != 0) {
        utet_fold_wide_add(softmax_sum(cell), SUM_WORDS, SOFTMAX_LOWEST - SUM_UNIT, low, 0);
        utet_fold_wide_add(softmax_sum(cell), SUM_WORDS, SOFTMAX_LOWEST - SUM_UNIT + 64, high, 0);
    }
}

/* Sets the factor of the last pass: 1 / sum, if the sum is from 1 to less than 2^64; else 0. It is where the sum was
 * added up. */
static void softmax_invert(uint64_t *statistics)
{
    statistics[2] = statistics[1] - FOLD_DOUBLE_ONE < (uint64_t)64 << 52
                        ? utet_fold_quotient(FOLD_DOUBLE_ONE, statistics[1])
                        : 0;
}

/*
 * The f32 of e^-d / sum. It is clear how it is rounded unless the quotient is within 2^14 units of 64 bits of the
 * middle between two of them. A share of 2^-53 is lacking each because the inverse was rounded, and because the exact
 * way rounds the exponential and the quotient; a share of 2^-60 because of the power and of what is cut off:
 * together less than 2^13 units. Returns 0 if it is not clear, or below the normal range of f32.
 */
FOLD_HOT_INLINE int softmax_quotient(uint32_t *bits, uint64_t d, uint64_t inverse)
{
    const uint64_t half = (uint64_t)1 << 39;
    const uint64_t near = (uint64_t)1 << 14;
    const uint64_t one = (uint64_t)1 << 52;
    softmax_power power;
    uint64_t quotient;
    uint32_t more;
    int32_t exponent;

    *bits = 0;
    if (d >= SOFTMAX_UNITS(LEAST_F32))
        return d >> 63 == 0;
    softmax_find(&power, d);
    quotient = utet_fixed_high(power.high, ((inverse & (one - 1)) | one) << 11);
    more = (uint32_t)(quotient >> 63);
    quotient = more != 0 ? quotient : quotient << 1;
    exponent = (int32_t)(inverse >> 52) - 897 - (int32_t)power.n + (int32_t)more;
    *bits = ((uint32_t)exponent << 23) + (uint32_t)(quotient >> 40) + ((uint32_t)(quotient >> 39) & 1u);
    return exponent >= 0 && (quotient & (2 * half - 1)) - (half - near) > 2 * near;
}

/* Writes one element as the other methods do. */
static void softmax_write_one(const fold_part *part, size_t i)
{
    fold_part one = *part;

    one.data += i * part->stride;
    one.cell += i * part->cell_step;
    one.place += i * part->place_step;
    one.count = 1;
    utet_transform_take(&one);
}

static void softmax_write(const fold_part *part)
{
    const utet_transform *const transform = part->fold->priv.transform;
    uint8_t *const elements = transform->priv.into->elements;
    const uint64_t wanted = transform->priv.wanted;
    uint64_t number = part->place - transform->priv.into->from;
    size_t i;

    for (i = 0; i < part->count; i++, number += part->place_step) {
        const uint64_t *const statistics = (const void *)(part->cell + i * part->cell_step);
        uint64_t greatest;
        uint64_t units;
        uint32_t bits;

        if (number >= wanted)
            continue;
        if (softmax_units_f32(&units, fold_hot_le32(part->data + i * part->stride)) && statistics[2] != 0 &&
            softmax_units_f64(&greatest, statistics[0]) && softmax_quotient(&bits, greatest - units, statistics[2]))
            fold_hot_put32(elements + (size_t)number * 4, bits);
        else
            softmax_write_one(part, i);
    }
}
#endif

/* ---- the method ---- */

static void settle_softmax(utet_transform *transform, uint8_t *cell)
{
    uint64_t *statistics = (void *)cell;
    fold_number number;
    unsigned i;

    if (transform->fold.priv.turn == 0) {
        utet_transform_settle(transform, cell);
        statistics[1] = 0;
        for (i = 0; i < SUM_WORDS; i++)
            softmax_sum(cell)[i] = 0;
    } else {
        utet_fold_number_of(&number, softmax_sum(cell), SUM_WORDS, utet_dtype_layouts[UTET_F64].lowest);
        statistics[1] = utet_fold_number_round(&number, 0);
#if FOLD_ROOMY
        softmax_invert(statistics);
#endif
    }
}

static void add_exponentials(const fold_part *part)
{
    size_t i;

#if FOLD_ROOMY
    if (part->layout->bytes == 4) {
        size_t some;

        for (i = 0; i < part->count; i += some) {
            some = fold_stretch(part, i);
            softmax_add(part, i, some);
        }
        return;
    }
#endif
    for (i = 0; i < part->count; i++)
        add_exponential(part, i);
}

#if FOLD_ROOMY
static void softmax_take(const fold_part *part)
{
    if (part->layout->bytes == 4 && part->fold->priv.turn == 2)
        softmax_write(part);
    else
        utet_transform_take(part);
}
#else
#define softmax_take utet_transform_take
#endif

const utet_transform_method utet_transform_softmax = {
    {TRANSFORM_FLOATS, 0, 0, utet_transform_prepare, softmax_take, NULL},
    &utet_fold_max,
    2,
    3,
    16u + 4u * SUM_WORDS,
    settle_softmax,
    utet_transform_fold,
    add_exponentials,
    softmax_apply};
