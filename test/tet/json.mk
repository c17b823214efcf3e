# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# The JSON reader against the RFC's categories and Python's json. Included by test/test.mk, whose variants it uses.

JSON_COUNT ?= 5000

$(T)/%/tet/json_run: $(T)/%/tet/json_run.o
	$(Q)$(CC) $(if $(filter asan,$*),$(TEST_ASAN)) $^ -lcmocka -o $@
$(foreach v,host asan,$(eval $(T)/$v/tet/json_run: $$(TEST_OBJS_$v) $(BUILD)/lib/$v/libutet.a))

.PHONY: run-json run-json-long
run-json: $(T)/asan/tet/json_run
	@$(TEST_ENV) $(TEST_ENV_asan) test/tools/suite_run.sh json python3 test/tet/json_test.py $< $(JSON_COUNT)
run-json-long: $(T)/asan/tet/json_run
	@$(TEST_ENV) $(TEST_ENV_asan) test/tools/suite_run.sh json-long python3 test/tet/json_test.py $< 100000

test: run-json
check-full: run-json-long
