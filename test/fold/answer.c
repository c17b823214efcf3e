/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * answer: makes the folds that standard input lists, one per line, for fold_test.py.
 *
 *   FILE DATASET OPERATION AXES WORK BLOCK FILL TESTS eq ne lt le gt ge WINDOW MAPS COUNTS RANGES…
 *
 * OPERATION: its name; NAME+NAME+… for several operations with one reading; quantile:Q, histogram:BINS or
 * histogram:BINS:LOW:HIGH, in which Q, LOW and HIGH are doubles by their bits; with edges:BINS:LOW:HIGH, all edges of a
 * histogram are printed instead. AXES, TESTS: decimal masks; WORK: bytes of workspace, below 5,000 = so many more than
 * the minimum of the need; BLOCK: 1 = "not yet" before each byte; FILL: the 16 hexadecimal digits of a double, or - ;
 * WINDOW: axis:size:step:min_count:mode:pad:align, or - ; MAPS: axis:groups:group,group,…; for each axis that has
 * groups, with x for an index without a group, or - ; COUNTS: 1 = requests counts; RANGES: start:stop:step of each
 * axis. Prints the status, boxes, passes, elements that passed, the bits of each result, and counts after a slash. With
 * transform_METHOD:FROM:SIZE, the bits are those of the statistics; after a slash come the count of undefined elements,
 * the sum of their numbers, and the bytes written.
 *
 * Every second fold is divided, if possible, into three parts (utet_fold_divide), whose cells are merged.
 */
#include "utet_transform.h"

#include "../harness/operations.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 100000u
#define MORE 5000u /* a smaller WORK is added to the minimum */

static const struct {
    const char *name;
    const utet_transform_method *method;
} methods[] = {
    {"transform_center", &utet_transform_center},   {"transform_zscore", &utet_transform_zscore},
    {"transform_scale", &utet_transform_scale},     {"transform_minmax", &utet_transform_minmax},
    {"transform_l1", &utet_transform_l1},           {"transform_l2", &utet_transform_l2},
    {"transform_log1p", &utet_transform_log1p},     {"transform_sqrt", &utet_transform_sqrt},
    {"transform_softmax", &utet_transform_softmax},
};

static uint64_t stretch[2]; /* for a transform: FROM, SIZE */

static uint8_t *bytes;
static size_t length;
static int block;
static int told;

static utet_status read_bytes(void *context, uint64_t offset, void *buffer, size_t size, size_t *got)
{
    (void)context;
    if (block && !told) {
        told = 1;
        return UTET_WOULD_BLOCK;
    }
    told = 0;
    if (block)
        size = 1;
    memcpy(buffer, bytes + offset, size);
    *got = size;
    return UTET_OK;
}

static int load(const char *path)
{
    static char last[4096];
    FILE *file;

    if (strcmp(path, last) == 0)
        return 1;
    file = fopen(path, "rb");
    if (file == NULL)
        return 0;
    free(bytes);
    fseek(file, 0, SEEK_END);
    length = (size_t)ftell(file);
    rewind(file);
    bytes = malloc(length + 1);
    if (bytes == NULL || fread(bytes, 1, length, file) != length)
        length = 0;
    fclose(file);
    snprintf(last, sizeof last, "%s", path);
    return length != 0;
}

static double from_bits(const char *text)
{
    uint64_t bits = strtoull(text, NULL, 16);
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

static void print(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    printf(" %016" PRIx64, bits);
}

/* The numbers after the operation's name. */
static void set_numbers(utet_fold_request *request, char *name)
{
    char *number[3] = {NULL, NULL, NULL};
    unsigned i;

    strtok_r(name, ":", &name);
    for (i = 0; i < 3; i++)
        number[i] = strtok_r(NULL, ":", &name);
    if (number[0] == NULL)
        return;
    for (i = 0; i < 2; i++)
        stretch[i] = number[i] != NULL ? strtoull(number[i], NULL, 10) : 0;
    request->q = from_bits(number[0]);
    request->bins = (uint16_t)atoi(number[0]);
    request->has_range = number[2] != NULL;
    if (number[2] != NULL) {
        request->low = from_bits(number[1]);
        request->high = from_bits(number[2]);
    }
}

/* Sets the operation by its name, or a list of them by several names. Returns how many results a cell has. */
static unsigned set_operation(utet_fold_request *request, char *name)
{
    static const utet_fold_operation *list[UTET_FOLD_MAX_OPERATIONS + 1];
    unsigned count = 0;
    size_t i;

    for (; name != NULL && count < UTET_FOLD_MAX_OPERATIONS; name = strchr(name, '+'), name += name != NULL) {
        const size_t size = strcspn(name, "+");

        for (i = 0; i < OPERATIONS; i++)
            if (strncmp(name, operations[i].name, size) == 0 && operations[i].name[size] == 0)
                request->operation = operations[i].operation;
        list[count++] = request->operation;
    }
    list[count] = NULL;
    request->operations = list;
    if (count > 1)
        request->operation = &utet_fold_several;
    return count;
}

static char *word(char **line)
{
    return strtok_r(NULL, " \n", line);
}

static uint32_t group_of(void *context, uint64_t place)
{
    return ((const uint32_t *)context)[place];
}

static uint64_t number(const char **text)
{
    char *end;
    uint64_t value = strtoull(*text, &end, 10);

    *text = *end != 0 ? end + 1 : end;
    return value;
}

/* 1: there are groups. */
static int read_grouping(utet_fold_grouping *by, const char *window, const char *maps)
{
    static uint32_t groups[UTET_MAX_NDIM][1000];

    memset(by, 0, sizeof *by);
    if (*window != '-') {
        by->window.axis = (uint8_t)number(&window);
        by->window.size = number(&window);
        by->window.step = number(&window);
        by->window.min_count = number(&window);
        by->window.mode = (uint8_t)number(&window);
        by->window.pad = (uint8_t)number(&window);
        by->window.align = (uint8_t)number(&window);
    }
    while (*maps != '-' && *maps != 0) {
        unsigned axis = (unsigned)number(&maps);
        unsigned i = 0;

        by->axis[axis].group_of = group_of;
        by->axis[axis].context = groups[axis];
        by->axis[axis].groups = (uint32_t)number(&maps);
        while (*maps != ';') {
            groups[axis][i++] = *maps == 'x' ? UTET_FOLD_LEFT_OUT : (uint32_t)strtoul(maps, NULL, 10);
            maps += strcspn(maps, ",;");
            maps += *maps == ',';
        }
        maps++;
    }
    return by->window.size != 0 || by->axis[0].group_of != NULL || by->axis[1].group_of != NULL ||
           by->axis[2].group_of != NULL || by->axis[3].group_of != NULL;
}

#define DRIVE(status, call) \
    do                      \
        (status) = (call);  \
    while ((status) == UTET_WOULD_BLOCK)

static void print_results(const double *results, uint64_t count)
{
    uint64_t i;

    for (i = 0; i < count; i++)
        print(results[i]);
}

/* Prints the status, boxes, variables at a time, observations, and the matrix. */
static void answer_matrix(utet_file *file, const utet_io *io, utet_fold_variables *variables, uint64_t *work,
                          size_t size)
{
    static const utet_codec *const codecs[] = {&utet_codec_zstd_small, NULL};
    static double results[MOST];
    utet_fold_matrix matrix;
    utet_status status;

    DRIVE(status, utet_fold_matrix_need(&matrix, file, variables));
    if (status == UTET_OK && size == 0) {
        utet_init(file, io, work, (size_t)matrix.need.least, codecs);
        DRIVE(status, utet_open(file, &(utet_options){.budget = SIZE_MAX}));
    }
    if (status == UTET_OK)
        DRIVE(status, utet_fold_matrix_open(&matrix, file, variables));
    if (status == UTET_OK)
        DRIVE(status, utet_fold_matrix_run(&matrix, results, MOST));
    printf("%d", status);
    if (status == UTET_OK) {
        printf(" %" PRIu64 " %u %" PRIu64, matrix.boxes, (unsigned)matrix.block, matrix.observed);
        print_results(results, (uint64_t)matrix.order * matrix.order);
    }
    putchar('\n');
}

static void add_number(void *context, uint64_t number)
{
    *(uint64_t *)context += number;
}

static void answer_transform(utet_file *file, const utet_io *io, const char *name, const utet_fold_request *request,
                             const utet_fold_filter *filter, utet_fold_grouping *by, uint64_t *work, size_t size)
{
    static const utet_codec *const codecs[] = {&utet_codec_zstd_small, NULL};
    static double results[MOST];
    static uint8_t elements[MOST * 8];
    uint64_t numbers = 0;
    utet_transform_into into = {elements, (size_t)stretch[1], stretch[0], results, MOST, add_number, &numbers};
    utet_transform transform;
    utet_status status;
    size_t i = 0;

    while (strcmp(name, methods[i].name) != 0)
        i++;
    if (into.size > sizeof elements)
        into.size = sizeof elements;
    memset(elements, 0x55, sizeof elements);
    DRIVE(status, utet_transform_need(&transform, file, request, methods[i].method));
    if (status == UTET_OK && by != NULL)
        status = utet_fold_group(&transform.fold, by);
    if (status == UTET_OK && size == 0) {
        utet_init(file, io, work, (size_t)transform.fold.need.least, codecs);
        DRIVE(status, utet_open(file, &(utet_options){.budget = SIZE_MAX}));
    }
    if (status == UTET_OK)
        DRIVE(status, utet_transform_open(&transform, file, request, methods[i].method));
    if (status == UTET_OK && by != NULL)
        status = utet_fold_group(&transform.fold, by);
    if (status == UTET_OK && filter->tests != 0)
        status = utet_fold_where(&transform.fold, filter);
    if (status == UTET_OK)
        DRIVE(status, utet_transform_run(&transform, &into));
    printf("%d", status);
    if (status == UTET_OK) {
        printf(" %" PRIu64 " %u %" PRIu64, transform.fold.boxes, (unsigned)transform.fold.passes,
               transform.fold.folded);
        print_results(results, transform.fold.results);
        printf(" / %" PRIu64 " %" PRIu64 " ", transform.undefined, numbers);
        if (stretch[0] > transform.count)
            stretch[0] = transform.count;
        transform.count = (transform.count - stretch[0]) * request->dataset->elem_size;
        for (i = 0; i < transform.count && i < into.size / request->dataset->elem_size * request->dataset->elem_size;
             i++)
            printf("%02x", elements[i]);
        printf("%s", elements[i] == 0x55 ? "." : "overrun");
    }
    putchar('\n');
}

#define PARTS 3

/* Parts 1 and 2 of a fold, each with a file of its own. */
typedef struct others {
    utet_file file[PARTS];
    utet_fold fold[PARTS];
    utet_fold_grouping by[PARTS];
    utet_fold_share share[PARTS];
    uint64_t *work[PARTS];
} others;

static utet_status merge(void *context, utet_fold *into)
{
    others *o = context;
    utet_status status = utet_fold_merge(into, &o->fold[1]);

    return status == UTET_OK ? utet_fold_merge(into, &o->fold[2]) : status;
}

static utet_status read_part(others *o, unsigned i, const utet_io *io, const utet_fold_request *request,
                             const utet_fold_filter *filter, const utet_fold_grouping *by)
{
    static const utet_codec *const codecs[] = {&utet_codec_zstd_small, NULL};
    const size_t size = 4u << 20;
    utet_status status;

    o->work[i] = malloc(size);
    utet_init(&o->file[i], io, o->work[i], size, codecs);
    DRIVE(status, utet_open(&o->file[i], &(utet_options){.budget = SIZE_MAX}));
    if (status == UTET_OK)
        DRIVE(status, utet_fold_open(&o->fold[i], &o->file[i], request));
    if (status == UTET_OK && by != NULL) {
        o->by[i] = *by;
        o->by[i].counts = by->counts != NULL ? by->counts + MOST : NULL;
        status = utet_fold_group(&o->fold[i], &o->by[i]);
    }
    if (status == UTET_OK && filter->tests != 0)
        status = utet_fold_where(&o->fold[i], filter);
    if (status == UTET_OK)
        status = utet_fold_divide(&o->fold[i], &o->share[i]);
    if (status == UTET_OK)
        DRIVE(status, utet_fold_run(&o->fold[i], NULL, 0));
    return status;
}

/* Divides the fold, which is ready, and reads the other parts; 0: it cannot be merged, and is unchanged. */
static int divide(others *o, utet_fold *fold, const utet_io *io, const utet_fold_request *request,
                  const utet_fold_filter *filter, const utet_fold_grouping *by)
{
    unsigned i;

    memset(o, 0, sizeof *o);
    for (i = 0; i < PARTS; i++)
        o->share[i] = (utet_fold_share){.part = i, .parts = PARTS, .join = i == 0 ? merge : NULL, .context = o};
    if (utet_fold_divide(fold, &o->share[0]) != UTET_OK)
        return 0;
    for (i = 1; i < PARTS; i++)
        if (read_part(o, i, io, request, filter, by) != UTET_OK)
            printf("part %u ", i);
    return 1;
}

static void answer(char *line)
{
    static const utet_codec *const codecs[] = {&utet_codec_zstd_small, NULL};
    static double results[MOST];
    static uint64_t counts[2 * MOST]; /* the second half, which belongs to other parts */
    static others parts;
    static unsigned lines;
    int divided = 0;
    utet_io io = {.read = read_bytes, .unit = 1, .align = 1};
    const char *path = strtok_r(line, " \n", &line);
    unsigned which;
    unsigned each;
    char *name;
    size_t work_size;
    size_t alloc;
    uint64_t *work;
    utet_fold_request request = {.axes = 0};
    utet_fold_filter filter;
    utet_fold_grouping by;
    const char *window;
    int grouped;
    utet_range ranges[UTET_MAX_NDIM];
    utet_dataset dataset;
    utet_file file;
    utet_fold fold;
    utet_status status;
    const char *fill;
    unsigned d;
    size_t i;

    if (path == NULL || !load(path)) {
        puts("no file");
        return;
    }
    io.size = length;
    which = (unsigned)atoi(word(&line));
    name = word(&line);
    set_numbers(&request, name);
    if (strcmp(name, "edges") == 0) {
        for (d = 0; d <= request.bins; d++)
            print(utet_fold_edge(request.low, request.high, request.bins, d));
        putchar('\n');
        return;
    }
    request.axes = (uint32_t)atoi(word(&line));
    work_size = strtoul(word(&line), NULL, 10);
    block = atoi(word(&line));
    fill = word(&line);
    request.has_fill = *fill != '-';
    request.fill = request.has_fill ? from_bits(fill) : 0;
    filter.tests = (uint32_t)atoi(word(&line));
    filter.eq = from_bits(word(&line));
    filter.ne = from_bits(word(&line));
    filter.lt = from_bits(word(&line));
    filter.le = from_bits(word(&line));
    filter.gt = from_bits(word(&line));
    filter.ge = from_bits(word(&line));
    window = word(&line);
    grouped = read_grouping(&by, window, word(&line));
    if (atoi(word(&line)) != 0) {
        by.counts = counts;
        grouped = 1;
    }
    for (d = 0; d < UTET_MAX_NDIM; d++) {
        char *range = word(&line);

        if (range == NULL)
            break;
        ranges[d].start = strtoull(range, &range, 10);
        ranges[d].stop = strtoull(range + 1, &range, 10);
        ranges[d].step = strtoull(range + 1, &range, 10);
    }
    request.ranges = ranges;
    request.dataset = &dataset;
    each = set_operation(&request, name);
    alloc = work_size >= MORE ? work_size : 1u << 20;
    work = malloc(alloc);
    told = 0;
    utet_init(&file, &io, work, alloc, codecs);
    DRIVE(status, utet_open(&file, &(utet_options){.budget = SIZE_MAX}));
    if (status == UTET_OK)
        DRIVE(status, utet_dataset_first(&file, &dataset));
    for (; which > 0 && status == UTET_OK; which--)
        DRIVE(status, utet_dataset_next(&file, &dataset));
    if (status == UTET_OK && name[0] == 'c' && name[3] != 'n' && each == 1) {
        utet_fold_variables variables = {
            .dataset = &dataset, .ranges = ranges, .observations = request.bins != 0, .correlation = name[2] == 'r'};

        answer_matrix(&file, &io, &variables, work, work_size);
        free(work);
        return;
    }
    if (status == UTET_OK && strncmp(name, "transform", 9) == 0) {
        answer_transform(&file, &io, name, &request, &filter, grouped ? &by : NULL, work, work_size);
        free(work);
        return;
    }
    if (status == UTET_OK)
        DRIVE(status, utet_fold_need(&fold, &file, &request));
    if (status == UTET_OK && grouped)
        status = utet_fold_group(&fold, &by);
    if (status == UTET_OK && work_size < MORE) {
        work_size += (size_t)fold.need.least;
        utet_init(&file, &io, work, work_size, codecs);
        DRIVE(status, utet_open(&file, &(utet_options){.budget = SIZE_MAX}));
    }
    if (status == UTET_OK)
        DRIVE(status, utet_fold_open(&fold, &file, &request));
    if (status == UTET_OK && grouped)
        status = utet_fold_group(&fold, &by);
    if (status == UTET_OK && filter.tests != 0)
        status = utet_fold_where(&fold, &filter);
    if (status == UTET_OK && lines++ % 2 != 0)
        divided = divide(&parts, &fold, &io, &request, &filter, grouped ? &by : NULL);
    if (status == UTET_OK)
        DRIVE(status, utet_fold_run(&fold, results, MOST));
    for (i = 1; divided && i < PARTS; i++)
        free(parts.work[i]);
    printf("%d", status);
    if (status == UTET_OK) {
        printf(" %" PRIu64 " %u %" PRIu64, fold.boxes, (unsigned)fold.passes, fold.folded);
        print_results(results, fold.results);
        if (by.counts != NULL) {
            printf(" /");
            for (i = 0; i < fold.results / each; i++)
                printf(" %" PRIu64, counts[i]);
        }
    } else if (status == UTET_E_BUDGET) {
        printf(" %" PRIu64, file.needed);
    }
    putchar('\n');
    free(work);
}

int main(void)
{
    static char line[8192];

    while (fgets(line, sizeof line, stdin) != NULL) {
        answer(line);
        fflush(stdout);
    }
    return 0;
}
