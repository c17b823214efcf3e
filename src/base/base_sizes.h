/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* SIZE(number without UTET_OBJECT_, type) for each object of this package. abi/sizes.c defines SIZE. */
SIZE(IO, utet_io)
SIZE(NEED, utet_need)
SIZE(FOLDER, utet_folder)
