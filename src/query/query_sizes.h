/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* SIZE(number without UTET_OBJECT_, type) for each object of this package. abi/sizes.c defines SIZE. */
SIZE(QUERY_TEXT_AT, utet_query_text_at)
SIZE(QUERY_RANGE, utet_query_range)
SIZE(QUERY_FAULT, utet_query_fault)
SIZE(QUERY, utet_query)
SIZE(QUERY_PLAN, utet_query_plan)
SIZE(QUERY_TOUCHED, utet_query_touched)
SIZE(QUERY_SKIPS, utet_query_skips)
SIZE(QUERY_ANSWER, utet_query_answer)
SIZE(QUERY_ELEMENTS, utet_query_elements)
SIZE(QUERY_RESPONSE, utet_query_response)
