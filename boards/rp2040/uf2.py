#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""uf2.py IMAGE.bin OUT.uf2: the image of the flash, from its first byte on, in the form that an RP2040 takes as a USB drive:
blocks of 512 bytes, each with its address and 256 bytes of the image."""
import struct
import sys

FLASH, PAYLOAD, RP2040, WITH_FAMILY = 0x10000000, 256, 0xE48BFF56, 0x2000

image = open(sys.argv[1], "rb").read()
pages = [image[at:at + PAYLOAD].ljust(PAYLOAD, b"\0") for at in range(0, len(image), PAYLOAD)]
with open(sys.argv[2], "wb") as out:
    for number, page in enumerate(pages):
        out.write(struct.pack("<8I476sI", 0x0A324655, 0x9E5D5157, WITH_FAMILY, FLASH + number * PAYLOAD, PAYLOAD,
                              number, len(pages), RP2040, page, 0x0AB16F30))
