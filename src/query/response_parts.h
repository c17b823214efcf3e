/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of the response's templates. Each has a letter: PART_NAME is the letter in the code, P_NAME is the text
 * in a template, a $ and the letter. The comment says what the part writes. Internal to the library.
 */
#ifndef UTET_QUERY_RESPONSE_PARTS_H
#define UTET_QUERY_RESPONSE_PARTS_H

enum {
/* ---- the document ---- */
#define P_LAYOUT_VERSION "$V"
    PART_LAYOUT_VERSION = 'V', /* number, or null */
#define P_DATASET_NAME "$D"
    PART_DATASET_NAME = 'D', /* text of the document */
#define P_SELECTION_AXES "$a"
    PART_SELECTION_AXES = 'a', /* number, or null */
#define P_OPERATION "$o"
    PART_OPERATION = 'o', /* object of the reduction, or null */
#define P_TET_FILE "$f"
    PART_TET_FILE = 'f', /* member "tet_file", or nothing */
#define P_TET_FILE_PATH "$T"
    PART_TET_FILE_PATH = 'T', /* text */
#define P_CATALOG "$c"
    PART_CATALOG = 'c', /* member "catalog" */
#define P_PLAN "$p"
    PART_PLAN = 'p', /* member "read_plan", or nothing */
#define P_EXECUTION "$x"
    PART_EXECUTION = 'x', /* member "execution", or nothing */
#define P_EXECUTION_BODY "$@"
    PART_EXECUTION_BODY = '@', /* further members of "execution" */

/* ---- "catalog" ---- */
#define P_DATASET_INDEX "$1"
    PART_DATASET_INDEX = '1', /* number */
#define P_DTYPE_TAG "$2"
    PART_DTYPE_TAG = '2', /* number */
#define P_DTYPE_NAME "$Y"
    PART_DTYPE_NAME = 'Y', /* word */
#define P_DATASET_SHAPE "$S"
    PART_DATASET_SHAPE = 'S', /* numbers */
#define P_CHUNK_SHAPE "$K"
    PART_CHUNK_SHAPE = 'K', /* numbers */
#define P_CHUNK_INDEX_ROWS "$3"
    PART_CHUNK_INDEX_ROWS = '3', /* number */
#define P_DATASET_SIZE "$E"
    PART_DATASET_SIZE = 'E', /* member "dataset_…_bytes", or nothing */
#define P_DATASET_BYTES "$U"
    PART_DATASET_BYTES = 'U', /* number */
#define P_FILE_BUDGET "$7"
    PART_FILE_BUDGET = '7', /* members of "file_execution" */
#define P_BUDGET_BPS "$P"
    PART_BUDGET_BPS = 'P', /* number */
#define P_BUDGET_BYTES "$Q"
    PART_BUDGET_BYTES = 'Q', /* number */
#define P_AVAILABLE_DATASETS "$N"
    PART_AVAILABLE_DATASETS = 'N', /* texts */
#define P_AVAILABLE_NAME "$M"
    PART_AVAILABLE_NAME = 'M', /* name of a dataset of the file, which plan.dataset holds */

/* ---- "read_plan" ---- */
#define P_CHUNK_POLICY "$y"
    PART_CHUNK_POLICY = 'y', /* word */
#define P_CHUNK_COUNT "$4"
    PART_CHUNK_COUNT = '4', /* number */
#define P_SKIPPED_BY_ZONES "${"
    PART_SKIPPED_BY_ZONES = '{', /* number */
#define P_SKIPPED_BY_INDEX "$|"
    PART_SKIPPED_BY_INDEX = '|', /* number */
#define P_STORED_BYTES "$5"
    PART_STORED_BYTES = '5', /* number */
#define P_CHUNKS "$C"
    PART_CHUNKS = 'C', /* objects */
#define P_CHUNK_COORDS "$J"
    PART_CHUNK_COORDS = 'J', /* numbers */
#define P_CHUNK_OFFSET "$8"
    PART_CHUNK_OFFSET = '8', /* number */
#define P_CHUNK_STORED_BYTES "$9"
    PART_CHUNK_STORED_BYTES = '9', /* number */
#define P_CHUNK_RAW_BYTES "$0"
    PART_CHUNK_RAW_BYTES = '0', /* number */
#define P_CHUNK_CODEC "$k"
    PART_CHUNK_CODEC = 'k', /* number */
#define P_BOX_START "$G"
    PART_BOX_START = 'G', /* numbers */
#define P_BOX_STOP "$H"
    PART_BOX_STOP = 'H', /* numbers */
#define P_BOX_STEP "$I"
    PART_BOX_STEP = 'I', /* numbers */
#define P_BOX_SHAPE "$L"
    PART_BOX_SHAPE = 'L', /* numbers */
#define P_ELEMENT_COUNT "$6"
    PART_ELEMENT_COUNT = '6', /* number */

/* ---- "operation" ---- */
#define P_OPERATION_NAME "$n"
    PART_OPERATION_NAME = 'n', /* word */
#define P_OPERATION_AXES "$B"
    PART_OPERATION_AXES = 'B', /* texts */
#define P_OPERATION_AXIS "$~"
    PART_OPERATION_AXIS = '~', /* text: a number as the document has it, for a name its number */
#define P_QUANTILE "$q"
    PART_QUANTILE = 'q', /* double */
#define P_BINS "$b"
    PART_BINS = 'b', /* number */
#define P_LOW "$l"
    PART_LOW = 'l', /* double */
#define P_HIGH "$h"
    PART_HIGH = 'h', /* double */
#define P_FILL "$F"
    PART_FILL = 'F', /* double */
#define P_METHOD_NAME "$d"
    PART_METHOD_NAME = 'd', /* word */

/* ---- "execution" of a reduction ---- */
#define P_FOLDED_COUNT "$e"
    PART_FOLDED_COUNT = 'e', /* number */
#define P_SCALAR_RESULT "$r"
    PART_SCALAR_RESULT = 'r', /* members, when the answer has no axes */
#define P_GROUPS "$m"
    PART_GROUPS = 'm', /* member "group_count", or nothing */
#define P_GROUP_COUNT "$i"
    PART_GROUP_COUNT = 'i', /* number */
#define P_WINDOWS "$w"
    PART_WINDOWS = 'w', /* member "window_count", or nothing */
#define P_WINDOW_COUNT "$u"
    PART_WINDOW_COUNT = 'u', /* number */
#define P_RESULT_SHAPE "$s"
    PART_RESULT_SHAPE = 's', /* member "operation_reduced_shape", or nothing */
#define P_RESULT_EXTENTS "$R"
    PART_RESULT_EXTENTS = 'R', /* numbers */
#define P_REDUCED_RESULT "$="
    PART_REDUCED_RESULT = '=', /* members, when the answer has axes */
#define P_RESULT_NAME "$t"
    PART_RESULT_NAME = 't', /* end of the name of a member */
#define P_RESULTS "$v"
    PART_RESULTS = 'v', /* results of the answer */
#define P_MATRIX_ORDER "$z"
    PART_MATRIX_ORDER = 'z', /* number */
#define P_HISTOGRAM_EDGES "$Z"
    PART_HISTOGRAM_EDGES = 'Z', /* doubles */

/* ---- "alignment" ---- */
#define P_IS_ALIGNED "$g"
    PART_IS_ALIGNED = 'g', /* boolean */
#define P_OTHER_NAME "$W"
    PART_OTHER_NAME = 'W', /* text of the document */
#define P_ALIGNED_AXES "$X"
    PART_ALIGNED_AXES = 'X', /* objects */
#define P_ALIGNED_AXIS "$A"
    PART_ALIGNED_AXIS = 'A', /* axis, as the document names it */
#define P_AXIS_MATCHES "$O"
    PART_AXIS_MATCHES = 'O', /* boolean */
#define P_LEFT_EXTENT "$<"
    PART_LEFT_EXTENT = '<', /* number */
#define P_RIGHT_EXTENT "$>"
    PART_RIGHT_EXTENT = '>', /* number */
#define P_LEFT_NAME "$:"
    PART_LEFT_NAME = ':', /* member "dim_name_left", or nothing */
#define P_LEFT_AXIS_NAME "$^"
    PART_LEFT_AXIS_NAME = '^', /* text of the file */
#define P_RIGHT_NAME "$;"
    PART_RIGHT_NAME = ';', /* member "dim_name_right", or nothing */
#define P_RIGHT_AXIS_NAME "$_"
    PART_RIGHT_AXIS_NAME = '_', /* text of the file */
#define P_LABELS_MATCH "$j"
    PART_LABELS_MATCH = 'j', /* boolean */
#define P_MISMATCH "$!"
    PART_MISMATCH = '!', /* member "reason", or nothing */

/* ---- elements: utet_query_parts.part writes them (query_elements.c) ---- */
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
};

#endif
