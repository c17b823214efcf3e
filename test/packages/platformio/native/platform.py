# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
from platformio.public import PlatformBase


class NativePlatform(PlatformBase):
    pass
