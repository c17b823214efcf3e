# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# Data of tensors in Tensogram messages (README.md). Included by test/test.mk.

TD         := $(T)/tensordata
TD_FLAGS    = $(filter-out -MMD -MP,$(TEST_FLAGS)) -D_GNU_SOURCE -Itest/tensogram
TD_HARNESS := $(addprefix test/harness/,suite.c guard.c faultport.c rig.c hash.c statuses.c) test/tensogram/tensor_world.c
TD_VECTORS := $(SHARED)/vectors/tensogram

# $(call td_variant,NAME,FLAGS)
define td_variant
$(TD)/$1/%: test/tensogram/%.c $(TD_HARNESS) $(wildcard test/tensogram/*.h include/*.h) test/tensogram/tensordata.mk \
    $(BUILD)/lib/$1/libutet.a | $(BUILD)/setup/test.ok
	@mkdir -p $$(@D)
	$(Q)$(CC) $(TD_FLAGS) $2 $$(filter %.c %.a,$$^) -llz4 -lcmocka -lm -o $$@
endef
$(eval $(call td_variant,host,-O2 -g))
$(eval $(call td_variant,asan,$(TEST_ASAN)))
$(eval $(call td_variant,cov,-O0 -g --coverage))

# Lists and folders of the files in the tree, and of all the reference's files if they are available.
TD_LISTS = test/tensogram/tensors/list.txt test/tensogram/tensors/vectors test/tensogram/tensors/golden.txt test/golden/tensogram/good
ifneq ($(wildcard $(TD_VECTORS)/manifest.json),)
TD_ALL   = $(TD)/all.txt $(TD_VECTORS)/good
endif

$(TD)/all.txt: test/tensogram/tensors/list.py
	@mkdir -p $(@D)
	$(Q)python3 $< $(TD_VECTORS) > $@

TD_RUN = PATH=$(TEST_PATH) $(TEST_ENV) ASAN_OPTIONS=detect_leaks=0

.PHONY: test-tensordata check-tensordata
test: test-tensordata
check-full: check-tensordata

test-tensordata: $(TD)/asan/suite_tensordata $(TD)/asan/suite_tensordamage $(TD)/asan/suite_tensorslab $(TD)/asan/suite_tensorstatus $(TD)/asan/suite_tensorcodecs \
    $(BUILD)/utet
	@$(TD_RUN) TENSOR_LISTS="$(TD_LISTS)" test/tools/suite_run.sh tensorstatus $(TD)/asan/suite_tensorstatus
	@$(TD_RUN) TENSOR_LISTS="$(TD_LISTS)" test/tools/suite_run.sh tensorcodecs $(TD)/asan/suite_tensorcodecs
	@$(TD_RUN) TENSOR_LISTS="$(TD_LISTS)" test/tools/suite_run.sh tensorslab $(TD)/asan/suite_tensorslab
	@$(TD_RUN) TENSOR_LISTS="test/tensogram/tensors/list.txt test/tensogram/tensors/vectors" test/tools/suite_run.sh tensordamage $(TD)/asan/suite_tensordamage
	@$(TD_RUN) TENSOR_LISTS="$(TD_LISTS)" test/tools/suite_run.sh tensordata $<
	@$(TD_RUN) test/tools/suite_run.sh tensordata-tool python3 -W ignore test/tensogram/tensors_test.py $(BUILD)/utet "$(TD_LISTS)"
# Counted together with the coverage of the other components (test.mk).
.PHONY: run-cov-tensordata
run-cov: run-cov-tensordata
run-cov-tensordata: $(TD)/cov/suite_tensordata $(TD)/cov/suite_tensordamage $(TD)/cov/suite_tensorslab $(TD)/cov/suite_tensorstatus $(TD)/cov/suite_tensorcodecs
	@$(TD_RUN) TENSOR_LISTS="$(TD_LISTS)" test/tools/suite_run.sh cov-tensorstatus $(TD)/cov/suite_tensorstatus
	@$(TD_RUN) TENSOR_LISTS="$(TD_LISTS)" test/tools/suite_run.sh cov-tensorcodecs $(TD)/cov/suite_tensorcodecs
	@$(TD_RUN) SUITE_LIGHT=1 TENSOR_LISTS="$(TD_LISTS)" test/tools/suite_run.sh cov-tensorslab $(TD)/cov/suite_tensorslab
	@$(TD_RUN) SUITE_LIGHT=1 TENSOR_LISTS="test/tensogram/tensors/list.txt test/tensogram/tensors/vectors" test/tools/suite_run.sh cov-tensordamage $(TD)/cov/suite_tensordamage
	@$(TD_RUN) SUITE_LIGHT=1 TENSOR_LISTS="$(TD_LISTS)" test/tools/suite_run.sh cov-tensordata $<
check-tensordata: $(TD)/host/suite_tensordata $(TD)/host/suite_tensordamage $(TD)/host/suite_tensorslab $(BUILD)/utet $(if $(TD_ALL),$(TD)/all.txt)
	@$(TD_RUN) SUITE_FULL=1 TENSOR_LISTS="$(TD_LISTS)" test/tools/suite_run.sh tensorslab-full $(TD)/host/suite_tensorslab
	@$(TD_RUN) SUITE_FULL=1 TENSOR_LISTS="$(TD_LISTS)" test/tools/suite_run.sh tensordamage-full $(TD)/host/suite_tensordamage
ifneq ($(TD_ALL),)
	@$(TD_RUN) SUITE_FULL=1 TENSOR_LISTS="$(TD_ALL)" test/tools/suite_run.sh tensordata-full $<
	@$(TD_RUN) test/tools/suite_run.sh tensordata-tool-full python3 -W ignore test/tensogram/tensors_test.py $(BUILD)/utet "$(TD_ALL)" $(TD_VECTORS)
else
	@echo "  skipped: tensordata-full, $(TD_VECTORS) is not there"
endif
