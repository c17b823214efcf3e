# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# The footer's metadata against the reference's answers. (Faults and damage: test/fault/suite_meta.c.) Included by test/test.mk, whose variants it uses.

META_PROGRAMS := $(patsubst test/%.c,%,$(wildcard test/meta/*.c))

# $(call meta_variant,NAME,FLAGS)
define meta_variant
$(META_PROGRAMS:%=$(T)/$1/%): $(T)/$1/%: $(T)/$1/%.o $$(TEST_OBJS_$1) $(BUILD)/lib/$1/libutet.a
	$(Q)$(CC) $2 $$^ -lcmocka -o $$@
endef
$(eval $(call meta_variant,host,))
$(eval $(call meta_variant,asan,$(TEST_ASAN)))

.PHONY: run-meta-vectors
run-meta-vectors: $(T)/asan/meta/dump
	@$(TEST_ENV) $(TEST_ENV_asan) test/tools/suite_run.sh meta-vectors python3 test/meta/meta_test.py $< $(SHARED)/vectors/tet

test: run-meta-vectors

.PHONY: run-meta-slabs
run-meta-slabs: $(BUILD)/utet
	@$(TEST_ENV) test/tools/suite_run.sh meta-slabs python3 test/meta/slab_test.py $< $(SHARED)/vectors/tet

test: run-meta-slabs
