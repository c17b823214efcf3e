# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# Folds against the reference's values and a model in NumPy and fractions (fold_test.py). The quick tier has small files and
# 40 random arrays, the long tier all files and 300 arrays. The suites of the calls are suite_fold, foldby, foldturns,
# foldstatus and transform.

FOLD := $(T)/fold

$(FOLD)/answer: test/fold/answer.c test/harness/operations.h $(BUILD)/libutet.a include/utet_fold.h include/utet_transform.h test/fold/fold.mk | $(BUILD)/setup/test.ok
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu99 $(WARN) -Wno-switch-enum -Iinclude -O2 -g $< $(BUILD)/libutet.a -o $@

$(FOLD)/answer_asan: test/fold/answer.c test/harness/operations.h $(BUILD)/lib/asan/libutet.a include/utet_fold.h include/utet_transform.h test/fold/fold.mk | $(BUILD)/setup/test.ok
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu99 $(WARN) -Iinclude $(TEST_ASAN) $< $(BUILD)/lib/asan/libutet.a -o $@

FOLD_RUN := BUILD=$(BUILD) PATH="$(TEST_PATH)" ASAN_OPTIONS=detect_leaks=0 test/tools/suite_run.sh
.PHONY: run-fold check-fold
test test-fold: run-fold
check-full: check-fold

run-fold: $(FOLD)/answer $(FOLD)/answer_asan $(BUILD)/utet
	@$(FOLD_RUN) fold python3 test/fold/fold_test.py $(FOLD)/answer --shared $(SHARED) --most 70000
	@$(FOLD_RUN) fold-powers python3 test/fold/powers_test.py
	@$(FOLD_RUN) fold-asan python3 test/fold/fold_test.py $(FOLD)/answer_asan --utet $(BUILD)/utet --cases 40

check-fold: $(FOLD)/answer $(BUILD)/utet
	@$(FOLD_RUN) fold-full python3 test/fold/fold_test.py $(FOLD)/answer --shared $(SHARED) --utet $(BUILD)/utet --seed 7 --cases 300
