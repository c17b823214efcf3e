# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# The footer's metadata against the reference's answers. (Faults and damage: suite_meta.c.) Included by test/test.mk, whose variants it uses.

# $(call meta_variant,NAME,FLAGS)
define meta_variant
$(T)/$1/tet/meta_dump: $(T)/$1/tet/meta_dump.o $$(TEST_OBJS_$1) $(BUILD)/lib/$1/libutet.a
	$(Q)$(CC) $2 $$^ -lcmocka -o $$@
endef
$(eval $(call meta_variant,host,))
$(eval $(call meta_variant,asan,$(TEST_ASAN)))

.PHONY: run-meta-vectors
run-meta-vectors: $(T)/asan/tet/meta_dump
	@$(TEST_ENV) $(TEST_ENV_asan) test/tools/suite_run.sh meta-vectors python3 test/tet/meta_test.py $< $(SHARED)/vectors/tet

test: run-meta-vectors

.PHONY: run-meta-slabs
run-meta-slabs: $(BUILD)/utet
	@$(TEST_ENV) test/tools/suite_run.sh meta-slabs python3 test/tet/slab_test.py $< $(SHARED)/vectors/tet

test: run-meta-slabs
