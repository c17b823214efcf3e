#!/bin/sh
# avr_zstd.sh ELF: runs avr_zstd.c on the emulated AVR. simavr prints colours, and points at the ends of lines.
timeout 60 simavr -m atmega1284p -f 16000000 "$1" 2>&1 </dev/null | sed -E 's/\x1b\[[0-9;]*m//g; s/\.$//'
