/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* SIZE(number without UTET_OBJECT_, type) for each object of this package. abi/sizes.c says what becomes of them. */
SIZE(CBOR, utet_cbor)
SIZE(ITEM, utet_item)
