// SPDX-FileCopyrightText: the microtet authors
// SPDX-License-Identifier: Apache-2.0
module interop

go 1.25

require github.com/klauspost/compress v1.20.3
