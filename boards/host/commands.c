/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The tables of commands, options and notes. */
#include "commands.h"
#include "shared/near.h"

#include <string.h>

/* Any number of files. */
#define MANY (1 << 30)

const command commands[] = {
    {"info", IN_INFO, "FILE [DATASET]", "List the datasets of a file: shapes, chunks, sizes",
     "Prints the layout of the file, its datasets with their tiles and metadata, and the first rows of its chunk "
     "index.",
     "utet info data.tet\n"
     "utet info data.tet temperature --all\n"
     "utet info --json data.tet\n",
     "Look into files", 1, 2, command_info, NULL},
    {"read", IN_READ, "FILE [DATASET]", "Write values as text, CSV, .npy or raw bytes",
     "Values are dense and in row-major order; raw bytes are little-endian.",
     "utet read data.tet temperature --slab 10:20,::2 -o part.npy\n"
     "utet read data.tet station_log --slab station=Bel --format csv\n"
     "utet read data.tet temperature --stats\n",
     NULL, 1, 2, command_read, NULL},
    {"show", IN_SHOW, "FILE [DATASET]...", "Draw a selection in the terminal or as PNG",
     "FILE is a .tet file, or a file of Tensogram messages, in which DATASET is the message number, from 0. At most "
     "two axes of the selection may be longer than 1. One axis gives a line, two axes give a map, and several datasets "
     "with one axis of the same length (up to 8) give a line each.",
     "utet show data.tet temperature\n"
     "utet show data.tet elevation --slab 0:32,0:64 -o part.png\n"
     "utet show data.tet station_log --lines\n"
     "utet show data.tet temperature --hist -o part.png\n"
     "utet show forecast.tgm 0 --object 1\n",
     NULL, 1, 9, command_show, NULL},
    {"verify", IN_VERIFY, "FILE...", "Check files for damage",
     "FILE is a .tet file or a file of Tensogram messages. Without --deep, only the first 128 chunks of each .tet "
     "file are decoded.",
     "utet verify data.tet\n"
     "utet verify --deep data.tet forecast.tgm\n",
     NULL, 1, MANY, command_verify, NULL},
    {"diff", IN_DIFF, "A B", "Compare two files",
     "Compares datasets by name: shapes, metadata and elements. Tiles and codecs do not count.",
     "utet diff a.tet b.tet\n"
     "utet diff a.tet b.tet --tolerance 0.001\n",
     NULL, 2, 2, command_diff, NULL},
    {"query", IN_QUERY, "FILE [DATASET|QUERY]", "Reduce, filter or group a dataset, or run a query document",
     "With an option of the first two groups, the second argument is a dataset, which can be omitted if the file has "
     "one. Otherwise it is QUERY, a query document of the Tetration reference implementation: the name of a JSON file "
     "(not TOML), - for standard input, or the JSON text itself.",
     "utet query data.tet temperature --mean --min --max --count\n"
     "utet query data.tet temperature --mean lon --max lon\n"
     "utet query data.tet temperature --count all --where '>250,<=260'\n"
     "utet query data.tet station_log --mean time --group station -o means.tet\n"
     "utet query data.tet '{\"dataset\": \"temperature\", \"mean\": []}' --json\n"
     "utet query data.tet mean.json --npy mean.npy\n",
     NULL, 1, 2, command_query, NULL},
    {"stats", IN_STATS, "FILE [DATASET]", "Print count, extremes, mean and deviation of each dataset",
     "Reads every dataset once. Nulls are NaN and the value of the attribute _FillValue, missing_value or fill_value; "
     "they are counted, and left out of all other numbers. std is the standard deviation of the population.",
     "utet stats data.tet\n"
     "utet stats data.tet temperature --physical --json\n",
     NULL, 1, 2, command_stats, NULL},
    {"pack", IN_PACK, "IN... -o OUT.tet", "Create a .tet file from arrays, pictures or tables",
     "IN is a .npy, .npz, .safetensors, .png, .csv, .tsv, .tet or raw file, or IN:DATASET for one array of it. OUT.tet appears only "
     "after it is complete and has been read back.",
     "utet pack field.npy -o field.tet --for stm32vldiscovery\n"
     "utet pack log.csv -o log.tet --ram 20K --access columns\n"
     "utet pack frame.raw -o frame.tet --dtype u16 --shape 480x640 --tile 16x32\n"
     "utet pack data.tet:temperature -o small.tet --for microbit\n"
     "utet pack frame1.png frame2.png -o frames.tet --series --name frames\n",
     "Make files", 1, MANY, NULL, command_pack},
    {"export", IN_EXPORT, "FILE [DATASET] --c -o OUT.c", "Write values, or a whole file, as a C array",
     "OUT.h, which declares the array, is written next to OUT.c.",
     "utet export data.tet elevation --c -o elevation.c\n"
     "utet export data.tet --c --image -o planet.c --name planet\n",
     NULL, 1, 2, command_export, NULL},
    {"fit", IN_FIT, "FILE [DATASET]", "Show which datasets fit in a given amount of RAM",
     "For each dataset, prints the workspace that reading it requires, exact to the byte, and how the RAM of the "
     "target is divided. Sizes of objects and decoders are those of the target, not of this computer. --for or --ram "
     "is required.",
     "utet fit data.tet --for stm32vldiscovery\n"
     "utet fit data.tet temperature --ram 16K --stack 2K\n",
     "Plan for a microcontroller", 1, 2, command_fit, NULL},
    {"serve", IN_SERVE, "FILE [DEVICE]", "Send a file to a microcontroller, on request, over a serial line",
     "The program on the microcontroller reads FILE with port/uart. Without DEVICE, packets pass through standard input "
     "and output. Ends when the line is closed.",
     "utet serve data.tet /dev/ttyUSB0\n"
     "utet serve data.tet /dev/ttyUSB0 --speed 921600\n",
     NULL, 1, 2, command_serve, NULL},
    {"schema", IN_SCHEMA, "FILE|DIR", "Print the schema, metadata or members of a TileDB array or group",
     "DIR is the directory of an array or of a group, FILE one file in it.",
     "utet schema array\n"
     "utet schema array --kind schema --json\n",
     "Other formats", 1, 1, command_schema, NULL},
    {"messages", IN_MESSAGES, "FILE...", "List the Tensogram messages in files",
     "Payloads are not read; 'utet verify' checks them. A damaged message is reported, and the following ones are "
     "still listed.",
     "utet messages forecast.tgm\n"
     "utet messages forecast.tgm -w mars.param=2t/10u -p mars.date,mars.step\n",
     NULL, 1, MANY, command_messages, NULL},
    {"message", IN_MESSAGE, "FILE N", "Print one Tensogram message: metadata, descriptor or values",
     "N is the number of the message, from 0. Prints the values of tensor 0, or of the tensor that --object selects.",
     "utet message forecast.tgm 0 --metadata\n"
     "utet message forecast.tgm 0 --object 1 --slab 0:4,0:4 --format csv\n"
     "utet message forecast.tgm 0 --object 1 --descriptor\n",
     NULL, 2, 2, command_message, NULL},
    {NULL, 0, NULL, NULL, NULL, NULL, NULL, 0, 0, NULL, NULL},
};

#define IN_VALUES (IN_READ | IN_SHOW | IN_EXPORT | IN_MESSAGE)                       /* commands that write values */
#define IN_DECODE (IN_READ | IN_SHOW | IN_EXPORT | IN_VERIFY | IN_DIFF | IN_MESSAGE) /* … that decode zstd payloads */
#define IN_TARGET (IN_FIT | IN_PACK)

/* Help lists the options of a command in the order of these rows. */
const option_row option_rows[] = {
    {NULL, NULL, "Target", IN_FIT, OPTION_HEADING, 0},
    {NULL, NULL, "Target (default: lm3s6965evb, a Cortex-M3 with 64 KB)", IN_PACK, OPTION_HEADING, 0},
    {"for", "BOARD|FILE", "Use a known board, or a file that describes one ('--for list' prints the boards)", IN_TARGET,
     OPTION_TARGET, 0},
    {"ram", "BYTES", "Total RAM of the target", IN_TARGET, OPTION_TARGET, 0},
    {"stack", "BYTES", "Part of --ram reserved for the stack", IN_TARGET, OPTION_TARGET, 0},
    {"program", "BYTES", "Part of --ram used by the program's own variables", IN_TARGET, OPTION_TARGET, 0},
    {"pointer", "16|32|64", "Pointer size, in bits", IN_TARGET, OPTION_TARGET, 0},
    {"unit", "BYTES", "Transfer unit of the medium: 1, or the sector size", IN_TARGET, OPTION_TARGET, 0},
    {"align", "BYTES", "Buffer alignment that the port requires", IN_FIT, OPTION_TARGET, 0},
    {"mapped", "0|1", "1 if files are in addressable memory", IN_TARGET, OPTION_TARGET, 0},
    {"with", "meta,fold,query",
     "Count the objects that the program needs in addition to those of slabs: metadata, reductions, query documents",
     IN_TARGET, OPTION_TARGET, 0},
    {NULL, NULL, "Decoder and output", IN_FIT, OPTION_HEADING, 0},
    {NULL, NULL, "Tiles and compression", IN_PACK, OPTION_HEADING, 0},
    {"access", "rows|columns|tiles|frames|all", "What the target reads at a time (default rows)", IN_PACK,
     OPTION_ACCESS, 0},
    {"tile", "SHAPE|auto|whole",
     "Tile shape, such as 16x32; auto (default) tries several on a sample, whole uses one tile", IN_PACK, OPTION_TILE,
     0},
    {"sample", "BYTES|all", "Amount of data that --tile auto compresses for each candidate (default 96K)", IN_PACK,
     OPTION_SAMPLE, 0},
    {"table", NULL, "Print every candidate that --tile auto tries", IN_PACK, OPTION_TABLE, 0},
    {"codec", "auto|zstd|raw",
     "auto (default): zstd or raw, whichever reads faster; zstd: for each tile, the smaller of zstd and raw", IN_PACK,
     OPTION_CODEC, 0},
    {"level", "N", "zstd level, 1 to 22 (default 9)", IN_PACK, OPTION_LEVEL, 0},
    {"checksum", "zstd|all|none",
     "Tiles that get a checksum; all stores raw tiles as zstd frames, which can hold one (default zstd)", IN_PACK,
     OPTION_CHECKSUM, 0},
    {"align", "N", "Align payloads to N bytes, a power of two up to 4096 (default 1); larger values leave gaps",
     IN_PACK, OPTION_ALIGN, 0},
    {"jobs", "N", "Number of threads that compress (default: one per CPU)", IN_PACK, OPTION_JOBS, 'j'},
    {NULL, NULL, "Raw data, pictures and element types", IN_PACK, OPTION_HEADING, 0},
    {"dtype", "TYPE",
     "Element type to store: f16 f32 f64 i16 i32 i64 u8 u16 u32 u64 (for raw data, the type of the input)", IN_PACK,
     OPTION_DTYPE, 0},
    {"scale", "auto|S", "Store floats as i16 (u8 with --dtype u8) in steps of S (attributes scale_factor, add_offset)",
     IN_PACK, OPTION_SCALE, 0},
    {"add-offset", "O", "Value of code 0 of --scale", IN_PACK, OPTION_ADD_OFFSET, 0},
    {"shape", "SHAPE", "Shape of raw data, such as 512x512", IN_PACK, OPTION_SHAPE, 0},
    {"offset", "BYTES", "Start of raw data in the input file", IN_PACK, OPTION_OFFSET, 0},
    {"series", NULL, "Stack PNG pictures of one size into one dataset, along a new first axis", IN_PACK, OPTION_SERIES,
     0},
    {NULL, NULL, "CSV tables", IN_PACK, OPTION_HEADING, 0},
    {"skip", "N", "Number of lines before the table", IN_PACK, OPTION_SKIP, 0},
    {"no-header", NULL, "Read the first line of the table as data", IN_PACK, OPTION_NO_HEADER, 0},
    {"units", NULL, "Read units from the line after the names", IN_PACK, OPTION_UNITS, 0},
    {"skip-after", "N", "Number of lines to skip after the names and units", IN_PACK, OPTION_SKIP_AFTER, 0},
    {"comment", "SIGN", "Skip all lines that begin with SIGN (default #, before the table)", IN_PACK, OPTION_COMMENT,
     0},
    {"separator", "SIGN", "Separator of fields: one of , ; | and the words tab and blank", IN_PACK, OPTION_SEPARATOR,
     0},
    {"missing", "WORD,WORD", "Fields that mean \"no value\", as empty fields do, such as -9999,bad", IN_PACK,
     OPTION_MISSING, 0},
    {"fill", "X", "Integer stored for missing values and NaN (attribute _FillValue)", IN_PACK, OPTION_FILL, 0},
    {"decimal", "SIGN", "Decimal sign: a point or a comma", IN_PACK, OPTION_DECIMAL, 0},
    {"thousands", "SIGN", "Separator between groups of three digits", IN_PACK, OPTION_THOUSANDS, 0},
    {"strip", "WORD,WORD", "Texts around numbers to ignore, such as $,EUR,%", IN_PACK, OPTION_STRIP, 0},
    {"times", "COLUMN=UNIT", "Store ISO 8601 times as i64 since 1970; UNIT: d h min s ms us ns, or labels", IN_PACK,
     OPTION_TIMES, 0},
    {"time-format", "FORMAT", "Format of the times, as of strptime, such as \"%d.%m.%Y %H:%M\"", IN_PACK,
     OPTION_TIME_FORMAT, 0},
    {"labels-from", "COLUMN", "Use the fields of COLUMN as labels of the rows", IN_PACK, OPTION_LABELS_FROM, 0},
    {"drop", "COLUMN", "Leave out this column; may be repeated", IN_PACK, OPTION_DROP, 0},
    {NULL, NULL, "Names and metadata", IN_PACK, OPTION_HEADING, 0},
    {"name", "NAME", "Dataset name; repeat for further datasets, in order", IN_PACK, OPTION_NAME, 0},
    {"dims", "Y,X", "Axis names; NAME:Y,X for one dataset", IN_PACK, OPTION_DIMS, 0},
    {"labels", "AXIS=A,B", "Labels along an axis; NAME:AXIS=A,B for one dataset", IN_PACK, OPTION_LABELS, 0},
    {"attr", "KEY=VALUE", "Attribute with a text value; NAME:KEY=VALUE for one dataset", IN_PACK, OPTION_ATTR, 0},
    {"meta", "FILE.json",
     "Metadata file: {\"datasets\":{\"NAME\":{\"attrs\":{...},\"dim_names\":[...],\"coords\":{...}}}}", IN_PACK,
     OPTION_META, 0},
    {"metadata", "small|keep|none", "Metadata to store (default small: a footer of up to 4 KB)", IN_PACK,
     OPTION_METADATA, 0},
    {"index", "keep|none", "keep: copy zone maps, indexes and tiles of the single .tet input (default none)", IN_PACK,
     OPTION_INDEX, 0},
    {"budget", "auto|none|BYTES", "Memory budget stored in the file (default auto: the target's need)", IN_PACK,
     OPTION_BUDGET, 0},
    {NULL, NULL, "Selection, check and output", IN_PACK, OPTION_HEADING, 0},
    {"slab", "SLAB", "Select part of the dataset", IN_VALUES, OPTION_SLAB, 0},
    {"slab", "SLAB", "Pack only this part of each array", IN_PACK, OPTION_SLAB, 0},
    {"elements", "FD,FD,FD",
     "Request the elements of .npy headers from a program: descriptors of requests, of answers and of a file", IN_PACK,
     OPTION_ELEMENTS, 0},
    {NULL, NULL, "Reductions: AXES are names or numbers, separated by commas (default: all)", IN_QUERY, OPTION_HEADING,
     0},
    {"count", "AXES", "Number of elements", IN_QUERY, OPTION_ASK, 0},
    {"sum", "AXES", "Sum", IN_QUERY, OPTION_ASK, 0},
    {"mean", "AXES", "Mean", IN_QUERY, OPTION_ASK, 0},
    {"min", "AXES", "Smallest element", IN_QUERY, OPTION_ASK, 0},
    {"max", "AXES", "Largest element", IN_QUERY, OPTION_ASK, 0},
    {"std", "AXES", "Standard deviation of the population", IN_QUERY, OPTION_ASK, 0},
    {"var", "AXES", "Variance of the population", IN_QUERY, OPTION_ASK, 0},
    {"median", "AXES", "Median", IN_QUERY, OPTION_ASK, 0},
    {NULL, NULL, "Selection and groups", IN_QUERY, OPTION_HEADING, 0},
    {"where", "TESTS", "Take the elements that pass all tests, such as '>3,<=5', '!=0', null or '!null'", IN_QUERY,
     OPTION_TEST, 0},
    {"slab", "SLAB", "Select part of the dataset", IN_QUERY, OPTION_SLAB, 0},
    {"group", "AXES", "Give a result for each label of these axes", IN_QUERY, OPTION_GROUP, 0},
    {"by", "hour|day|month", "Give a result for each hour, day or month (UTC) of the axis that has times", IN_QUERY,
     OPTION_BY, 0},
    {"window", "N|AXIS=N", "Give a result for each N successive indices", IN_QUERY, OPTION_WINDOW, 0},
    {"rolling", "N|AXIS=N", "Give a result for N successive indices at a time, one index further each time", IN_QUERY,
     OPTION_ROLLING, 0},
    {NULL, NULL, "Output and execution", IN_QUERY, OPTION_HEADING, 0},
    {"csv", NULL, "Print CSV: a line for each result, with its labels", IN_QUERY, OPTION_CSV, 0},
    {"output", "OUT", "Write to OUT, whose name ends in .csv, .json, .npy or .tet", IN_QUERY, OPTION_OUTPUT, 'o'},
    {"verify", "auto|elements|stored",
     "elements: decode every tile; stored: only read the bytes back; auto (default): every tile at level 8 and above, "
     "1 tile in 16 below",
     IN_PACK, OPTION_VERIFY, 0},
    {"object", "I", "Select tensor I of the message, from 0", IN_SHOW | IN_MESSAGE, OPTION_OBJECT, 0},
    {"metadata", NULL, "Print the metadata of the message or tensor", IN_MESSAGE, OPTION_METADATA, 0},
    {"descriptor", NULL, "Print the descriptor of the tensor", IN_MESSAGE, OPTION_DESCRIPTOR, 0},
    {"stats", NULL, "Print minimum, maximum, mean, NaN count and a histogram instead of values", IN_READ, OPTION_STATS,
     0},
    {"physical", NULL, "Use stored * scale_factor + add_offset (attributes) for each value, and NaN for a fill value",
     IN_READ | IN_SHOW | IN_QUERY | IN_STATS, OPTION_PHYSICAL, 0},
    {"c", NULL, "Write C source: OUT.c and OUT.h (required)", IN_EXPORT, OPTION_C, 0},
    {"image", NULL, "Export the bytes of the whole file, for a program that reads them from flash", IN_EXPORT,
     OPTION_IMAGE, 0},
    {"format", "raw|npy|csv|text", "Output format (see below for the default)", IN_READ | IN_MESSAGE, OPTION_FORMAT, 0},
    {"output", "OUT", "Write to OUT, which appears only when it is complete ('-': standard output)",
     IN_READ | IN_MESSAGE, OPTION_OUTPUT, 'o'},
    {"output", "OUT.png", "Write a PNG file, or sixel if the name is OUT.sixel ('-': PNG to standard output)", IN_SHOW,
     OPTION_OUTPUT, 'o'},
    {"output", "OUT.c", "Name of the C file", IN_EXPORT, OPTION_OUTPUT, 'o'},
    {"dry-run", NULL, "Print what each dataset would become, and write nothing", IN_PACK, OPTION_DRY_RUN, 0},
    {"output", "OUT.tet", "Output file, which appears only after it has been read back", IN_PACK, OPTION_OUTPUT, 'o'},
    {"name", "NAME", "Name of the C array", IN_EXPORT, OPTION_NAME, 0},
    {"section", "SECTION", "Linker section of the array", IN_EXPORT, OPTION_SECTION, 0},
    {"lines", NULL, "Draw two axes as lines along the longer one, one for each index of the other (up to 8)", IN_SHOW,
     OPTION_LINES, 0},
    {"hist", NULL, "Draw a histogram of the selection, which may have any number of axes", IN_SHOW, OPTION_HIST, 0},
    {"bare", NULL, "Write only the picture to the PNG or sixel, without axes and legend", IN_SHOW, OPTION_BARE, 0},
    {"json", NULL, "Print JSON", IN_STATS | IN_INFO | IN_VERIFY | IN_FIT | IN_QUERY | IN_SCHEMA | IN_MESSAGES,
     OPTION_JSON, 0},
    {"json", NULL, "Print JSON", IN_DIFF | IN_PACK, OPTION_JSON, 0},
    {"json", NULL, "With --stats, print JSON", IN_READ, OPTION_JSON, 0},
    {"jsonl", NULL, "Print one line of JSON per message", IN_MESSAGES, OPTION_JSON_LINES, 0},
    {"names", NULL, "Print only the dataset names, one per line", IN_INFO, OPTION_NAMES, '1'},
    {"all", NULL, "Print every dataset, its metadata, and every chunk row", IN_INFO, OPTION_ALL, 0},
    {"kind", "schema|enumeration|metadata|group",
     "What to print (default for a FILE: from its directory; for a DIR: everything)", IN_SCHEMA, OPTION_KIND, 0},
    {"all", NULL, "Add what each schema file changed, and print long lists in full", IN_SCHEMA, OPTION_ALL, 0},
    {"at", "MILLISECONDS", "Print the state at this time, in milliseconds since 1970", IN_SCHEMA, OPTION_AT, 0},
    {"where", "KEY=A/B", "Select messages whose value for KEY is A or B (KEY!=A/B: neither); may be repeated",
     IN_MESSAGES, OPTION_WHERE, 'w'},
    {"keys", "KEY,KEY", "Print the values of these keys, one line per message", IN_MESSAGES, OPTION_KEYS, 'p'},
    {"common", NULL, "Print the metadata that all tensors of a message share, then the rest of each", IN_MESSAGES,
     OPTION_COMMON, 0},
    {"tolerance", "X", "Treat numbers that differ by at most X as equal", IN_DIFF, OPTION_TOLERANCE, 0},
    {"relative", "X", "Treat numbers as equal if they differ by at most X times the larger one", IN_DIFF,
     OPTION_RELATIVE, 0},
    {"first", "N", "Print the first N differences of each dataset (default 10)", IN_DIFF, OPTION_FIRST, 0},
    {"plan", NULL, "List the chunks that the query would read, and stop", IN_QUERY, OPTION_PLAN, 0},
    {"npy", "OUT.npy", "Write the results to a .npy file", IN_QUERY, OPTION_NPY, 0},
    {"preview", "N", "With --json, print the first N elements (default 64, or 0 with a reduction)", IN_QUERY,
     OPTION_PREVIEW, 0},
    {"trust-zones", NULL, "Skip chunks by the file's zone maps and indexes, which are not verified", IN_QUERY,
     OPTION_TRUST_ZONES, 0},
    {"jobs", "N", "Number of threads (default: one per 4 MiB of data, up to the number of CPUs)", IN_READ | IN_QUERY,
     OPTION_JOBS, 'j'},
    {"deep", NULL, "Decode all chunks, and check zone maps and indexes against the data", IN_VERIFY, OPTION_DEEP, 0},
    {"damaged", NULL, "Include values whose frame has a wrong hash; the exit status is still 1", IN_SHOW | IN_MESSAGE,
     OPTION_DAMAGED, 0},
    {"budget", "BYTES|file", "Limit the library's workspace; file uses the limit stored in the file",
     IN_VALUES | IN_QUERY | IN_STATS, OPTION_BUDGET, 0},
    {"codec", "small|upstream", "zstd decoder: small is built in, upstream (default) is libzstd",
     IN_DECODE | IN_QUERY | IN_STATS, OPTION_CODEC, 0},
    {"codec", "small|upstream|all", "zstd decoder to plan for: small (default) is built in, upstream is libzstd",
     IN_FIT, OPTION_CODEC, 0},
    {"speed", "BITS", "Speed of DEVICE, in bits per second (default 115200)", IN_SERVE, OPTION_SPEED, 0},
    {"strict", NULL, "Refuse files that the reference implementation refuses to open",
     IN_INFO | IN_READ | IN_SHOW | IN_EXPORT | IN_QUERY | IN_STATS, OPTION_STRICT, 0},
    {NULL, NULL, NULL, 0, OPTION_HEADING, 0},
};

const help_note help_notes[] = {
    {IN_INFO | IN_FIT | IN_STATS, "DATASET is a name, or #N for record N, from 0. The default is all datasets."},
    {IN_READ | IN_SHOW | IN_EXPORT,
     "DATASET is a name, or #N for record N, from 0. It can be omitted if the file has one dataset."},
    {IN_VALUES | IN_PACK | IN_QUERY,
     "SLAB is start:stop:step for each axis, separated by commas. Each part can be omitted, and a "
     "single number selects one index: --slab 0,10:20,::2. A negative index counts from the end: "
     "-24: selects the last 24. start..stop:step includes stop."},
    {IN_READ | IN_SHOW | IN_EXPORT | IN_QUERY,
     "SLAB can also name axes; start and stop are then indices or labels, and the stop label is included only "
     "after two dots: --slab time=2024-01-01..2024-01-03,station=B. Digits alone are an index. A label in double quotes can contain "
     "anything, with each double quote in it doubled: --slab 'time=\"00:30\",year=\"1990\"'."},
    {IN_QUERY,
     "--by takes the times from ISO 8601 labels of an axis, or from a dataset with units such as \"seconds since "
     "1970-01-01\" that has the name of the axis, or is the only one with its length. Its labels are 2024-03-01T13:00 "
     "(an hour of that day alone), 2024-03-01 or 2024-03. Nulls among the times are left out."},
    {IN_QUERY, "Each reduction reads the dataset again. Decoded tiles stay in memory for the next one, up to "
               "a quarter of the memory of this machine."},
    {IN_READ | IN_MESSAGE, "Without --format, the name of OUT decides (.npy, .csv, .txt). Other names and standard "
                           "output get raw bytes; a terminal gets text."},
    {IN_FIT, "Options after --for override the description of the board. Without --for, every value that no option "
             "sets is that of lm3s6965evb."},
    {IN_FIT | IN_PACK | IN_VALUES | IN_QUERY | IN_STATS, "BYTES can end in K, M or G (powers of 1024)."},
    {IN_VALUES | IN_QUERY | IN_STATS,
     "Without --budget, the workspace is as large as the selection needs, up to 256 MiB."},
    {IN_INFO | IN_READ | IN_SHOW | IN_EXPORT | IN_QUERY | IN_STATS,
     "Without --strict, a file with a damaged footer can be read; only its history and metadata are missing."},
    {IN_DIFF, "With --tolerance or --relative, elements are compared as numbers: NaN equals any NaN, and -0 equals 0. "
              "Without them, they are compared byte by byte."},
    {IN_FIT, "Exit status: 0 if every dataset fits; 1 if one does not (the last line suggests a 'utet pack' command) "
             "or on an error; 2 for incorrect usage."},
    {IN_DIFF, "Exit status: 0 if the files are equal; 1 if they differ or on an error; 2 for incorrect usage."},
    {IN_VERIFY, "Exit status: 0 if all files are valid; 1 if one is damaged or cannot be read; 2 for incorrect usage."},
    {~(unsigned)(IN_FIT | IN_DIFF | IN_VERIFY), "Exit status: 0 success, 1 error, 2 incorrect usage."},
    {0, NULL},
};

const command *command_find(const char *name)
{
    size_t i;

    for (i = 0; commands[i].name != NULL; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

int command_unknown(const char *name)
{
    near_name n;
    char words[96];
    size_t i;

    near_begin(&n, name, strlen(name));
    for (i = 0; commands[i].name != NULL; i++)
        near_add(&n, commands[i].name, strlen(commands[i].name));
    return usage("unknown command \"%s\"%s", name, near_words(&n, words));
}
