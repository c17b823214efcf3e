# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# Tensogram messages and CBOR. Included by test/test.mk, whose variants it uses.

.PHONY: run-tensogram-vectors run-tensogram-where run-tensogram-vectors-long
run-tensogram-vectors: $(BUILD)/utet
	@$(TEST_ENV) test/tools/suite_run.sh tensogram-vectors python3 test/tensogram/vectors_test.py $< test/golden/tensogram
run-tensogram-where: $(BUILD)/utet
	@$(TEST_ENV) test/tools/suite_run.sh tensogram-where python3 test/tensogram/where_test.py $< test/tensogram
run-tensogram-vectors-long: $(BUILD)/utet
	@$(TEST_ENV) test/tools/suite_run.sh tensogram-vectors-long python3 test/tensogram/vectors_test.py $< $(SHARED)/vectors/tensogram

test: run-tensogram-vectors run-tensogram-where
check-full: run-tensogram-vectors-long
