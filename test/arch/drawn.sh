#!/bin/sh
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# drawn.sh BOARD ELF: runs drawn.c on an emulated board. simavr prints colours, and points at the ends of lines.
case $1 in
avr) timeout 60 simavr -m atmega1284p -f 16000000 "$2" 2>&1 </dev/null | sed -E 's/\x1b\[[0-9;]*m//g; s/\.$//' ;;
*) timeout 60 qemu-system-arm -M "$1" -display none -monitor none -serial none -semihosting-config enable=on,target=native -kernel "$2" ;;
esac
