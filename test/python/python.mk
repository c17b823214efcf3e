# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# `make wheel`: source package and wheel of port/python in build/python/dist. `make run-python` (in check-full) tests the wheel
# with NumPy only; `make python`, by hand, also with xarray, pandas and the other packages (about 300 MB are fetched).

.PHONY: wheel run-python python inputs bench-inputs wheel-aarch64 run-python-aarch64
wheel: | $(BUILD)/setup/python.ok
	@BUILD=$(BUILD) test/python/python.sh wheel

run-python: | $(BUILD)/setup/python.ok
	@BUILD=$(BUILD) test/tools/suite_run.sh python test/python/python.sh core
check-full: run-python

python: | $(BUILD)/setup/python.ok
	@BUILD=$(BUILD) test/tools/suite_run.sh python-all test/python/python.sh all

# By hand: kinds of input as their own tools write them; the result is test/results/inputs.md.
inputs: | $(BUILD)/setup/python.ok
	@BUILD=$(BUILD) test/tools/suite_run.sh inputs test/python/python.sh inputs

# By hand, on an idle machine: the speed of packing CSV, .npy and Zarr; the result is the end of test/results/inputs.md.
bench-inputs: $(BUILD)/utet $(BUILD)/pack_speed | $(BUILD)/setup/python.ok
	@BUILD=$(BUILD) test/python/python.sh speed

# By hand: the wheel for 64-bit Arm Linux in build/python/aarch64, and its tests in QEMU.
wheel-aarch64: | $(BUILD)/setup/aarch64.ok
	@BUILD=$(BUILD) test/python/python.sh wheel-aarch64

run-python-aarch64: | $(BUILD)/setup/aarch64.ok
	@BUILD=$(BUILD) test/tools/suite_run.sh python-aarch64 test/python/python.sh aarch64
