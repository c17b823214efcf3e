# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# The README's examples, built and run.
.PHONY: run-readme
run-readme: $(BUILD)/libutet.a $(BUILD)/utet
	@mkdir -p $(BUILD)/readme
	@test/tools/suite_run.sh readme test/readme/readme_test.py $(CC) $(BUILD)/libutet.a $(BUILD)/utet $(BUILD)/readme
test: run-readme

# Puts the recorded figures (make size-accept, make bench-accept) into README.md; run-readme checks that they are there.
.PHONY: figures
figures:
	python3 test/tools/readme_figures.py
