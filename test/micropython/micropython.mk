# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# By hand: the module of port/micropython in MicroPython, on this machine and on an emulated Cortex-M3; about a minute of processor time.
.PHONY: run-micropython
run-micropython: $(BUILD)/utet | $(BUILD)/setup/test.ok
	@BUILD=$(BUILD) test/tools/suite_run.sh micropython test/micropython/micropython.sh $(BUILD)/test/micropython
