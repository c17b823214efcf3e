# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# The examples of the pages, built and run.
.PHONY: run-readme
run-readme: $(BUILD)/libutet.a $(BUILD)/utet
	@mkdir -p $(BUILD)/readme
	@test/tools/suite_run.sh readme test/readme/readme_test.py $(CC) $(BUILD)/libutet.a $(BUILD)/utet $(BUILD)/readme
test: run-readme

# src/ADD.md: each step is made in a copy of the tree, and the additions are compiled and run.
.PHONY: run-add
check-full: run-add
run-add: $(BUILD)/libutet.a $(BUILD)/utet
	@TOOL_FLAGS='$(CFLAGS_STD) $(TOOL_CPPFLAGS)' TOOL_LIBS='$(TOOL_LIBS)' test/tools/suite_run.sh add test/readme/add_test.py \
	    $(CC) $(BUILD)/libutet.a $(BUILD)/utet $(BUILD)/test/add

# Puts the recorded sizes (make size-accept) into README.md; run-readme checks that they are there.
.PHONY: figures
figures:
	python3 test/tools/readme_figures.py

# Each suite that compares figures on a page with what is built. `make test` has some of them, `make check-full` the
# others: run this after a change of flash, stack or RAM.
.PHONY: run-pages
run-pages: run-readme run-packages run-conform run-viewer run-climate run-cached run-volume run-sifive run-nor run-rp2040
run-pages: run-audio run-digits run-plot run-together run-tool-pages run-tool-fit

# The API reference has every call with its statuses, as pages and as manual pages.
.PHONY: run-reference
run-reference: $(BUILD)/reference/index.html | $(BUILD)/setup/test.ok
	@test/tools/suite_run.sh reference test/readme/reference_test.py $(CC) $(BUILD)/reference $(BUILD)/man/man3 $(BUILD)/test/reference
test: run-reference
