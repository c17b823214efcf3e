# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# How others build the library (build_test.sh), and the form of its sources (style_test.py), of its texts (english_test.py), and of what
# a forge shows (forge_test.py).
.PHONY: run-build run-style run-format format run-forge run-release
run-build: $(BUILD)/libutet.a $(BUILD)/utet $(BUILD)/libutet.so | $(BUILD)/setup/test.ok
	@BUILD=$(BUILD) CC=$(CC) test/tools/suite_run.sh build test/build/build_test.sh
run-style:
	@bad=0; for suite in style english forge; do \
	    BUILD=$(BUILD) test/tools/suite_run.sh $$suite test/build/$${suite}_test.py || bad=1; \
	done; exit $$bad
# The licences of all files, and the workflows, by the forges' own tools. TAG=v1.2.3: is this tree that release?
run-forge: $(BUILD)/deps/reuse.ok $(BUILD)/deps/actionlint.ok
	@BUILD=$(BUILD) test/tools/suite_run.sh forge-tools test/build/forge_test.py --tools $(BUILD)/deps/reuse $(BUILD)/deps/actionlint/actionlint
$(BUILD)/deps/reuse.ok: test/build/reuse_packages.txt
$(BUILD)/deps/actionlint.ok: | $(BUILD)/setup/forge.ok
run-release:
	@BUILD=$(BUILD) test/tools/suite_run.sh release test/build/forge_test.py --release $(TAG)
run-format: | $(BUILD)/setup/full.ok
	@BUILD=$(BUILD) test/tools/suite_run.sh format test/build/style_test.py --format
format: | $(BUILD)/setup/full.ok
	clang-format -i $(shell git ls-files '*.[ch]')
test: run-build run-style
check-full: run-format run-forge
