/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of the response's templates. Each has a letter: PART_NAME is the letter in the code, P_NAME is the text
 * in a template, a $ and the letter. The comment says what the part writes. Parts that are written in the same way have
 * successive letters, so that the code is small. Internal to the library.
 */
#ifndef UTET_QUERY_RESPONSE_PARTS_H
#define UTET_QUERY_RESPONSE_PARTS_H

enum {
/* ---- elements: utet_query_parts.part writes them (query_elements.c); these letters come first ---- */
#define P_PREVIEWS "$#"
    PART_PREVIEWS = '#', /* members, two for each dtype */
#define P_PREVIEW_DTYPE "$$"
    PART_PREVIEW_DTYPE = '$', /* word */
#define P_PREVIEW_ELEMENTS "$%"
    PART_PREVIEW_ELEMENTS = '%', /* elements */
#define P_PREVIEW_IS_CUT "$&"
    PART_PREVIEW_IS_CUT = '&', /* boolean */
#define P_STATISTICS "$'"
    PART_STATISTICS = '\'', /* members */
#define P_STATISTIC_NAME "$("
    PART_STATISTIC_NAME = '(', /* word */
#define P_STATISTIC_VALUES "$)"
    PART_STATISTIC_VALUES = ')', /* doubles */
#define P_UNDEFINED "$*"
    PART_UNDEFINED = '*', /* members, or nothing */
#define P_UNDEFINED_INDICES "$+"
    PART_UNDEFINED_INDICES = '+', /* numbers */
#define P_UNDEFINED_COUNT "$,"
#define P_SPILL_BYTES P_UNDEFINED_COUNT
    PART_UNDEFINED_COUNT = ',', /* number; of a file with all elements, its bytes */
#define P_TRANSFORM_SHAPE "$-"
    PART_TRANSFORM_SHAPE = '-', /* numbers */
#define P_SPILL_PATH "$."
    PART_SPILL_PATH = '.', /* text */
#define P_BYTES_READ "$/"
    PART_BYTES_READ = '/', /* number */

/* ---- texts: names ---- */
#define P_DATASET_NAME "$0"
    PART_DATASET_NAME = '0', /* text of the document */
#define P_OTHER_NAME "$1"
    PART_OTHER_NAME = '1', /* text of the document */
#define P_TET_FILE_PATH "$2"
    PART_TET_FILE_PATH = '2', /* text */
#define P_AVAILABLE_NAME "$3"
    PART_AVAILABLE_NAME = '3', /* name of a dataset of the file, which plan.dataset holds */
#define P_ALIGNED_AXIS "$4"
    PART_ALIGNED_AXIS = '4', /* axis, as the document names it */
#define P_LEFT_AXIS_NAME "$5"
    PART_LEFT_AXIS_NAME = '5', /* text of the file */
#define P_RIGHT_AXIS_NAME "$6"
    PART_RIGHT_AXIS_NAME = '6', /* text of the file */

/* ---- numbers of the axes ---- */
#define P_DATASET_SHAPE "$7"
    PART_DATASET_SHAPE = '7', /* numbers */
#define P_CHUNK_SHAPE "$8"
    PART_CHUNK_SHAPE = '8', /* numbers */
#define P_BOX_START "$9"
    PART_BOX_START = '9', /* numbers */
#define P_BOX_STOP "$:"
    PART_BOX_STOP = ':', /* numbers */
#define P_BOX_STEP "$;"
    PART_BOX_STEP = ';', /* numbers */
#define P_BOX_SHAPE "$<"
    PART_BOX_SHAPE = '<', /* numbers */
#define P_CHUNK_COORDS "$="
    PART_CHUNK_COORDS = '=', /* numbers */
#define P_RESULT_EXTENTS "$>"
    PART_RESULT_EXTENTS = '>', /* numbers */

/* ---- texts that replace the part ---- */
#define P_OPERATION "$@"
    PART_OPERATION = '@', /* object of the reduction, or null */
#define P_OPERATION_METHOD "$A"
    PART_OPERATION_METHOD = 'A', /* member "method" of a transform, or nothing */
#define P_OPERATION_PARAMETERS "$B"
    PART_OPERATION_PARAMETERS = 'B', /* further members, or nothing */
#define P_TET_FILE "$C"
    PART_TET_FILE = 'C', /* member "tet_file", or nothing */
#define P_CATALOG "$D"
    PART_CATALOG = 'D', /* member "catalog" */
#define P_EXECUTION "$E"
    PART_EXECUTION = 'E', /* member "execution", or nothing */
#define P_CHUNK_POLICY "$F"
    PART_CHUNK_POLICY = 'F', /* word */
#define P_GROUPS "$G"
    PART_GROUPS = 'G', /* member "group_count", or nothing */
#define P_WINDOWS "$H"
    PART_WINDOWS = 'H', /* member "window_count", or nothing */
#define P_RESULT_SHAPE "$I"
    PART_RESULT_SHAPE = 'I', /* member "operation_reduced_shape", or nothing */
#define P_SCALAR_RESULT "$J"
    PART_SCALAR_RESULT = 'J', /* members, when the answer has no axes */
#define P_REDUCED_RESULT "$K"
    PART_REDUCED_RESULT = 'K', /* members, when the answer has axes */
#define P_EXECUTION_BODY "$L"
    PART_EXECUTION_BODY = 'L', /* further members of "execution" */
#define P_DATASET_SIZE "$M"
    PART_DATASET_SIZE = 'M', /* member "dataset_…_bytes", or nothing */
#define P_FILE_BUDGET "$N"
    PART_FILE_BUDGET = 'N', /* members of "file_execution" */
#define P_LEFT_NAME "$O"
    PART_LEFT_NAME = 'O', /* member "dim_name_left", or nothing */
#define P_RIGHT_NAME "$P"
    PART_RIGHT_NAME = 'P', /* member "dim_name_right", or nothing */
#define P_MISMATCH "$Q"
    PART_MISMATCH = 'Q', /* member "reason", or nothing */

/* ---- lists, and parts that take several steps ---- */
#define P_AVAILABLE_DATASETS "$R"
    PART_AVAILABLE_DATASETS = 'R', /* texts */
#define P_PLAN "$S"
    PART_PLAN = 'S', /* member "read_plan", or nothing */
#define P_CHUNKS "$T"
    PART_CHUNKS = 'T', /* objects */
#define P_RESULTS "$U"
    PART_RESULTS = 'U', /* results of the answer */
#define P_OPERATION_AXES "$V"
    PART_OPERATION_AXES = 'V', /* texts */
#define P_OPERATION_AXIS "$W"
    PART_OPERATION_AXIS = 'W', /* text: a number as the document has it, for a name its number */
#define P_RESULT_NAME "$X"
    PART_RESULT_NAME = 'X', /* end of the name of a member */
#define P_ALIGNED_AXES "$Y"
    PART_ALIGNED_AXES = 'Y', /* objects */
#define P_HISTOGRAM_EDGES "$Z"
    PART_HISTOGRAM_EDGES = 'Z', /* doubles */

/* ---- words, numbers or null ---- */
#define P_LAYOUT_VERSION "$["
    PART_LAYOUT_VERSION = '[', /* number, or null */
#define P_DTYPE_NAME "$\\"
    PART_DTYPE_NAME = '\\', /* word */
#define P_SELECTION_AXES "$]"
    PART_SELECTION_AXES = ']', /* number, or null */
#define P_OPERATION_NAME "$^"
    PART_OPERATION_NAME = '^', /* word */
#define P_METHOD_NAME "$_"
    PART_METHOD_NAME = '_', /* word */
#define P_QUANTILE "$`"
    PART_QUANTILE = '`', /* double */
#define P_LOW "$a"
    PART_LOW = 'a', /* double */
#define P_HIGH "$b"
    PART_HIGH = 'b', /* double */
#define P_FILL "$c"
    PART_FILL = 'c', /* double */
#define P_IS_ALIGNED "$d"
    PART_IS_ALIGNED = 'd', /* boolean */
#define P_AXIS_MATCHES "$e"
    PART_AXIS_MATCHES = 'e', /* boolean */
#define P_LABELS_MATCH "$f"
    PART_LABELS_MATCH = 'f', /* boolean */

/* ---- numbers ---- */
#define P_DATASET_INDEX "$g"
    PART_DATASET_INDEX = 'g', /* number */
#define P_DTYPE_TAG "$h"
    PART_DTYPE_TAG = 'h', /* number */
#define P_CHUNK_INDEX_ROWS "$i"
    PART_CHUNK_INDEX_ROWS = 'i', /* number */
#define P_CHUNK_COUNT "$j"
    PART_CHUNK_COUNT = 'j', /* number */
#define P_STORED_BYTES "$k"
    PART_STORED_BYTES = 'k', /* number */
#define P_SKIPPED_BY_ZONES "$l"
    PART_SKIPPED_BY_ZONES = 'l', /* number */
#define P_SKIPPED_BY_INDEX "$m"
    PART_SKIPPED_BY_INDEX = 'm', /* number */
#define P_ELEMENT_COUNT "$n"
    PART_ELEMENT_COUNT = 'n', /* number */
#define P_BUDGET_BPS "$o"
    PART_BUDGET_BPS = 'o', /* number */
#define P_BUDGET_BYTES "$p"
    PART_BUDGET_BYTES = 'p', /* number */
#define P_DATASET_BYTES "$q"
    PART_DATASET_BYTES = 'q', /* number */
#define P_CHUNK_OFFSET "$r"
    PART_CHUNK_OFFSET = 'r', /* number */
#define P_CHUNK_STORED_BYTES "$s"
    PART_CHUNK_STORED_BYTES = 's', /* number */
#define P_CHUNK_RAW_BYTES "$t"
    PART_CHUNK_RAW_BYTES = 't', /* number */
#define P_CHUNK_CODEC "$u"
    PART_CHUNK_CODEC = 'u', /* number */
#define P_FOLDED_COUNT "$v"
    PART_FOLDED_COUNT = 'v', /* number */
#define P_BINS "$w"
    PART_BINS = 'w', /* number */
#define P_LEFT_EXTENT "$x"
    PART_LEFT_EXTENT = 'x', /* number */
#define P_RIGHT_EXTENT "$y"
    PART_RIGHT_EXTENT = 'y', /* number */
#define P_GROUP_COUNT "$z"
    PART_GROUP_COUNT = 'z', /* number */
#define P_WINDOW_COUNT "${"
    PART_WINDOW_COUNT = '{', /* number */
#define P_MATRIX_ORDER "$|"
    PART_MATRIX_ORDER = '|', /* number */
};

#endif
