/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* SIZE(number without UTET_OBJECT_, type) for each object of this package. abi/sizes.c defines SIZE. */
SIZE(CBOR, utet_cbor)
SIZE(ITEM, utet_item)
