# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# How the library is built by others (build_test.sh), and the form of its sources (style_test.py).
.PHONY: run-build run-style run-format format
run-build: $(BUILD)/libutet.a $(BUILD)/utet $(BUILD)/libutet.so | $(BUILD)/setup/test.ok
	@BUILD=$(BUILD) CC=$(CC) test/tools/suite_run.sh build test/build/build_test.sh
run-style:
	@BUILD=$(BUILD) test/tools/suite_run.sh style test/build/style_test.py
run-format: | $(BUILD)/setup/full.ok
	@BUILD=$(BUILD) test/tools/suite_run.sh format test/build/style_test.py --format
format: | $(BUILD)/setup/full.ok
	clang-format -i $(shell git ls-files '*.[ch]')
test: run-build run-style
check-full: run-format
