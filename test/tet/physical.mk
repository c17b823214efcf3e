# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# Physical values against exact fractions. Included by test/test.mk, whose variants it uses.

PHYSICAL_COUNT ?= 10000

$(T)/asan/tet/physical_run: $(T)/asan/tet/physical_run.o $(BUILD)/lib/asan/libutet.a
	$(Q)$(CC) $(TEST_ASAN) $^ -o $@

.PHONY: run-physical
run-physical: $(T)/asan/tet/physical_run
	@$(TEST_ENV) $(TEST_ENV_asan) test/tools/suite_run.sh physical-values python3 test/tet/physical_test.py $< $(PHYSICAL_COUNT)

test: run-physical
