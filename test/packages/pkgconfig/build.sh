# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
P=$(pkg-config --variable=ports utet)/posix
cc app.c $P/*.c -I$P $(pkg-config --cflags --libs utet) -o app
