# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# The fuzz targets under AFL++, in `make soak`: `make afl AFL_SECONDS=…`. AFL's clang compiles the library and the
# harness. UBSan stops at its findings, and the harness's guard pages at accesses outside of a buffer.

AFL_TARGETS ?= file frame
AFL_SECONDS ?= $(SOAK_SECONDS)
AFL_FLAGS   := -O2 -g -fsanitize=undefined -fno-sanitize-recover=all
AFL_SRCS    := test/fuzz/fuzz.c $(addprefix test/harness/,guard.c faultport.c rig.c tetgen.c tetref.c hash.c)

# AFL's compiler under the names that utet_library makes of a prefix; its behaviour depends on the name by which it is
# called.
$(T)/bin/afl-gcc: | $(BUILD)/setup/soak.ok
	@mkdir -p $(@D)
	$(Q)for t in ar ld nm objcopy; do ln -sf "$$(command -v $$t)" $(T)/bin/afl-$$t; done
	$(Q)printf '#!/bin/sh\nAFL_QUIET=1 exec afl-clang-fast "$$@"\n' > $@; chmod +x $@

$(eval $(call utet_library,afl,$(T)/bin/afl-,,$(AFL_FLAGS)))
$(LIB_OBJS_afl) $(ZSTD_PARTS_afl) $(BUILD)/lib/afl/zstd/zstd_adapter.o: | $(T)/bin/afl-gcc

$(T)/afl/fuzz-%: test/fuzz/fuzz_%.c $(AFL_SRCS) $(wildcard test/harness/*.h) test/fuzz/fuzz.h $(BUILD)/lib/afl/libutet.a $(T)/host/zstd.o
	$(call say,AFL,$*)
	@mkdir -p $(@D)
	$(Q)$(T)/bin/afl-gcc $(filter-out $(CFLAGS_DEP),$(TEST_FLAGS)) -Itest/harness/foreign -Itest/fuzz -isystem $(ZSTD_INCLUDE) $(AFL_FLAGS) \
	    -fsanitize=fuzzer $(filter %.c,$^) $(BUILD)/lib/afl/libutet.a $(T)/host/zstd.o -o $@

.PHONY: afl $(AFL_TARGETS:%=afl-%)
afl: $(AFL_TARGETS:%=afl-%)
$(AFL_TARGETS:%=afl-%): afl-%: $(T)/afl/fuzz-%
	@BUILD=$(BUILD) test/fuzz/afl_run.sh $* $(AFL_SECONDS)
soak: afl
