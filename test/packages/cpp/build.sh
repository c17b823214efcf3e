# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
c++ -std=c++17 -fno-exceptions -fno-rtti app.cpp $(pkg-config --cflags --libs utet) -o app
