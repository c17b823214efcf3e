# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# Tests. Quick tier `make test`, long tier `make check-full`, by hand `make soak`; test/README.md explains what runs
# when.
#
# A suite is test/PACKAGE/suite_NAME.c, one program that ends with `N passed, N failed[, N skipped]`. It is built once for each
# variant: a way of compiling library, harness and suite together. Files test/*/*.mk, which are included below, add suites of
# their own, and add their phony targets to `test` and `check-full`.

T           := $(BUILD)/test
# Fragments build these in other ways.
TEST_APART  := zstd/suite_zstd zstd/suite_zstdcalls zstd/suite_zstdsource inflate/suite_inflate szip/suite_szip $(addprefix tensogram/suite_tensor,data damage slab status codecs)
TEST_SUITES := $(filter-out $(TEST_APART),$(patsubst test/%.c,%,$(sort $(wildcard $(PACKAGES:%=test/%/suite_*.c)))))
TEST_COMMON := $(patsubst test/%.c,%,$(sort $(wildcard test/harness/*.c)))
TEST_FLAGS  := $(CFLAGS_STD) $(WARN) $(CFLAGS_DEP) -D_FILE_OFFSET_BITS=64 -Iinclude -Isrc -Itest/harness -Iport/cache \
               $(if $(wildcard $(ZSTD_ADAPTER)),-DHAVE_ZSTD_UPSTREAM) \
               $(if $(shell grep -l 'utet_codec utet_codec_zstd_small =' src/tet/codec/*.c),-DHAVE_ZSTD_SMALL)
# For tests that need NumPy: Debian's python3 first, if the one in the path does not have it.
TEST_PATH    = $(shell python3 -c 'import numpy' 2>/dev/null || echo /usr/bin:)$(PATH)
TEST_ENV    := BUILD=$(BUILD) TEST_ROOT=test TEST_SHARED=$(SHARED)

# The encoder of the tests, and the second opinion on frames: libzstd once more, complete and as upstream configures it,
# except for the loops that do not check where a Huffman stream ends, for each variant.
TEST_ZSTD_SRCS = $(if $(filter zstd,$(ZSTD_UNITS)),$(ZSTD_DIR)/zstd.c,$(addprefix $(ZSTD_DIR)/lib/,common/*.c compress/*.c decompress/*.c))

# $(call test_variant,NAME,LIBRARY,COMPILER,FLAGS,LIBS,RUNNER,foreign,BINUTILS): programs $(T)/NAME/…/suite_X, phony run-NAME-suite_X and run-NAME.
define test_variant
TEST_OBJS_$1 := $(TEST_COMMON:%=$(T)/$1/%.o) $(if $7,$(T)/$1/harness/foreign/cmocka.o) $(T)/$1/zstd.o

$(T)/$1/zstd.o: $(DEPS_ZSTD) test/test.mk | $(BUILD)/setup/$(if $(filter host asan cov,$1),test,full).ok $(if $(filter %clang-,$8),$8gcc)
	$$(call say,CC,zstd for the tests [$1])
	@rm -rf $(T)/$1/libzstd; mkdir -p $(T)/$1/libzstd
	$(Q)root=$$$$PWD; cd $(T)/$1/libzstd && $3 -w $(filter-out --coverage,$4) -D_GNU_SOURCE -include stdint.h -c -DZSTD_DISABLE_ASM=1 -DHUF_DISABLE_FAST_DECODE=1 -DZSTD_LEGACY_SUPPORT=0 \
	    $$$$(for f in $$(abspath $$(TEST_ZSTD_SRCS)); do echo $$$$f; done)
	$(Q)$8ld -r $(T)/$1/libzstd/*.o -o $$@

$(T)/$1/%.o: test/%.c $(BUILD)/lib/$2/flags test/test.mk Makefile $(DEPS_ZSTD) | $(BUILD)/setup/$(if $(filter host asan cov,$1),test,full).ok
	@mkdir -p $$(@D)
	$(Q)$3 $(TEST_FLAGS) $(if $7,-Itest/harness/foreign) -isystem $(ZSTD_INCLUDE) $4 -c $$< -o $$@

# Sources that boards and suites share.
$(T)/$1/common/%.o: boards/common/%.c $(BUILD)/lib/$2/flags test/test.mk Makefile
	@mkdir -p $$(@D)
	$(Q)$3 $(TEST_FLAGS) $4 -c $$< -o $$@
$(T)/$1/tiledb/suite_tiledb $(T)/$1/base/suite_twice: $(T)/$1/common/tiledb_walk.o

# A port that suites need.
$(T)/$1/port/%.o: port/%.c $(BUILD)/lib/$2/flags test/test.mk Makefile
	@mkdir -p $$(@D)
	$(Q)$3 $(TEST_FLAGS) $4 -c $$< -o $$@
$(T)/$1/tet/suite_cache $(T)/$1/tet/suite_shared: $(T)/$1/port/cache/utet_cache.o

$(TEST_SUITES:%=$(T)/$1/%): $(T)/$1/%: $(T)/$1/%.o $$(TEST_OBJS_$1) $(if $(filter host asan,$1),$(T)/$1/wrap.o) $(BUILD)/lib/$2/libutet.a
	$(Q)$3 $4 $$(filter %.o,$$^) $(if $(filter host asan,$1),@$(T)/$1/wrap.flags) $$(filter %.a,$$^) $5 -lm -o $$@

# Each public call notifies the port of the tests when it returns, because no call may end while its transfer is
# pending.
$(T)/$1/wrap.o: test/tools/status_wrap.py $(wildcard include/utet*.h)
	@mkdir -p $$(@D)
	$(Q)python3 test/tools/status_wrap.py $$(@:.o=.c) $$(@:.o=.flags) $$(filter %.h,$$^)
	$(Q)$3 $(CFLAGS_STD) -Iinclude $4 -c $$(@:.o=.c) -o $$@

.PHONY: run-$1 $(addprefix run-$1-,$(notdir $(TEST_SUITES)))
run-$1: $(addprefix run-$1-,$(notdir $(TEST_SUITES)))
$(foreach s,$(TEST_SUITES),$(eval run-$1-$(notdir $s): $(T)/$1/$s))
$(addprefix run-$1-,$(notdir $(TEST_SUITES))): run-$1-suite_%:
	@$(TEST_ENV) $$(TEST_ENV_$1) test/tools/suite_run.sh $1-$$* $6 $$<

-include $$(wildcard $(T)/$1/*/*.d)
endef

TEST_ASAN := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
$(eval $(call utet_library,asan,,,$(TEST_ASAN)))

$(eval $(call test_variant,host,host,$(CC),-O2 -g,-lcmocka))
$(eval $(call test_variant,asan,asan,$(CC),$(TEST_ASAN),-lcmocka))
TEST_ENV_asan := SUITE_LIGHT=1 ASAN_OPTIONS=detect_leaks=0 QUIET_SKIPS=1

test: run-host run-asan

# A failing suite must not keep the others from running: make continues and fails at the end.
ifneq ($(filter test check-full soak run-%,$(MAKECMDGOALS)),)
MAKEFLAGS += -k
endif

# Compilers take two thirds of `make test`, so it runs as many jobs as there are processors. A -j of the command line wins.
ifeq ($(MAKELEVEL),0)
ifneq ($(filter test check-full,$(MAKECMDGOALS)),)
TEST_JOBS := -j$(shell nproc) --output-sync=target
MAKEFLAGS += $(TEST_JOBS)
endif
endif

# What takes longest begins first, so that it is not alone at the end.
test: run-build
check-full: analyse eva-core

-include $(filter-out test/size/% test/bench/%,$(wildcard test/*/*.mk))

# Every status that a header lists for a call is provoked by a case of these suites, and they provoke no other.
.PHONY: run-header-statuses
run-header-statuses: $(addprefix $(T)/host/,tet/suite_status tet/suite_filestatus tet/suite_payloadstatus tet/suite_turnsstatus tet/suite_metastatus zstd/suite_zstdstatus fold/suite_foldstatus fold/suite_foldpiecestatus)
	$(Q)python3 test/tools/suite_status.py $^ $(addprefix include/utet,.h _io.h _check.h _codec.h _fold.h _meta.h _show.h _transform.h _zstd.h)
test: run-header-statuses

# By hand: runs that are too long for the full tier (test/README.md).
.PHONY: check-more
check-more: | $(BUILD)/setup/full.ok

# ---- long tier -------------------------------------------------------------------------------------------------

# Clang under the names that utet_library makes of a prefix.
$(T)/bin/clang-gcc: | $(BUILD)/setup/full.ok
	@mkdir -p $(@D)
	$(Q)for t in ar ld nm objcopy; do ln -sf "$$(command -v $$t)" $(T)/bin/clang-$$t; done; ln -sf "$$(command -v clang)" $@

# The same suites as built by others and for others: everything instrumented for MemorySanitizer; 32 bits; big endian.
TEST_MSAN := -O1 -g -fsanitize=memory -fsanitize-memory-track-origins=2 -fno-omit-frame-pointer
$(eval $(call utet_library,msan,$(T)/bin/clang-,,$(TEST_MSAN)))
$(LIB_OBJS_msan) $(ZSTD_PARTS_msan) $(BUILD)/lib/msan/zstd/zstd_adapter.o: | $(T)/bin/clang-gcc
$(eval $(call test_variant,msan,msan,clang,$(TEST_MSAN),,,foreign,$(T)/bin/clang-))

# Clang's UBSan with more than undefined behaviour: bits that are shifted out of unsigned numbers, conversions that change a
# value. Only the library is instrumented, and libzstd in it only against undefined behaviour.
TEST_UBSAN := -O1 -g -fsanitize=undefined,unsigned-shift-base,implicit-conversion -fno-sanitize-recover=all \
              -fsanitize-ignorelist=test/tools/ubsan_ignore.txt
$(eval $(call utet_library,ubsan,$(T)/bin/clang-,,$(TEST_UBSAN)))
$(LIB_OBJS_ubsan) $(ZSTD_PARTS_ubsan) $(BUILD)/lib/ubsan/zstd/zstd_adapter.o: | $(T)/bin/clang-gcc
$(LIB_OBJS_ubsan): test/tools/ubsan_ignore.txt
$(eval $(call test_variant,ubsan,ubsan,clang,-O1 -g,-fsanitize=undefined,,foreign))

$(eval $(call utet_library,i386,i686-linux-gnu-,,-O2 -g -fno-pie))
$(eval $(call test_variant,i386,i386,i686-linux-gnu-gcc,-O2 -g -fno-pie -no-pie -static,,,foreign,i686-linux-gnu-))
$(eval $(call utet_library,powerpc,powerpc-linux-gnu-,,-Os -g))
$(eval $(call test_variant,powerpc,powerpc,powerpc-linux-gnu-gcc,-O2 -g -static,,qemu-ppc,foreign,powerpc-linux-gnu-))
$(foreach v,msan ubsan i386 powerpc,$(eval TEST_ENV_$v := SUITE_LIGHT=1 QUIET_SKIPS=1))

# Fuzz targets: libFuzzer with AddressSanitizer and UBSan; seeds are made, the corpus stays in build/. FUZZ_SECONDS: the time
# of each.
FUZZ_TARGETS := $(patsubst test/fuzz/fuzz_%.c,%,$(filter-out %/fuzz_main.c,$(wildcard test/fuzz/fuzz_*.c)))
FUZZ_SECONDS ?=
FUZZ_LIBS_szip := -laec
TEST_FUZZ    := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
FUZZ_HARNESS := guard faultport rig tetgen tetref hash tgm scenario fickle metalook querylook
$(eval $(call utet_library,fuzz,$(T)/bin/clang-,,$(TEST_FUZZ) -fsanitize=fuzzer-no-link))
$(LIB_OBJS_fuzz) $(ZSTD_PARTS_fuzz) $(BUILD)/lib/fuzz/zstd/zstd_adapter.o: | $(T)/bin/clang-gcc

$(T)/fuzz/zstd.o: $(T)/host/zstd.o
	@mkdir -p $(@D)
	$(Q)cp $< $@

# Edges of the harness are not interesting, and would take half of a run's time: coverage only counts library and
# target.
FUZZ_OBJS := $(FUZZ_HARNESS:%=$(T)/fuzz/harness/%.o) $(T)/fuzz/fuzz/fuzz.o
$(T)/fuzz/%.o: test/%.c $(BUILD)/lib/fuzz/flags test/test.mk | $(BUILD)/setup/full.ok
	@mkdir -p $(@D)
	$(Q)clang $(TEST_FLAGS) -Itest/harness/foreign -isystem $(ZSTD_INCLUDE) $(TEST_FUZZ) -c $< -o $@
-include $(wildcard $(T)/fuzz/*/*.d)

$(FUZZ_TARGETS:%=$(T)/fuzz/%): $(T)/fuzz/%: test/fuzz/fuzz_%.c $(FUZZ_OBJS) $(wildcard test/harness/*.h) test/fuzz/fuzz.h \
        $(BUILD)/lib/fuzz/libutet.a $(T)/fuzz/zstd.o test/test.mk | $(BUILD)/setup/full.ok
	$(call say,FUZZ,$*)
	$(Q)clang $(filter-out -MMD -MP,$(TEST_FLAGS)) -Itest/harness/foreign -Itest/fuzz -isystem $(ZSTD_INCLUDE) $(TEST_FUZZ) -fsanitize=fuzzer \
	    $(filter %.c,$^) $(filter %.o,$^) $(filter %.a,$^) $(FUZZ_LIBS_$*) -o $@

.PHONY: fuzz $(FUZZ_TARGETS:%=fuzz-%)
fuzz: $(FUZZ_TARGETS:%=fuzz-%)
$(FUZZ_TARGETS:%=fuzz-%): fuzz-%: $(T)/fuzz/%
	@BUILD=$(BUILD) test/tools/fuzz_run.sh $* test/golden $(FUZZ_SECONDS)

# Coverage of src/ by the quick suites of this folder, without libzstd's codec; test/tools/coverage.py is the gate.
# native.c only has work to do on a big-endian machine, and decimals of 32-bit machines are computed otherwise: their counts come
# from a machine that is both. The small decoder is covered by suites
# of its own (coverage-zstd).
$(eval $(call utet_library,cov,,,-O0 -g --coverage '-DFOLD_HOT_INLINE=static inline'))
$(eval $(call test_variant,cov,cov,$(CC),-O0 -g --coverage -DLIBRARY_ANSWERS,-lcmocka))
TEST_ENV_cov := SUITE_LIGHT=1 QUIET_SKIPS=1

COV_BIG := $(T)/coverage/big-endian
$(COV_BIG)/suite_show: src/base/native.c test/tet/suite_show.c test/harness/suite.c test/harness/guard.c \
        test/harness/foreign/cmocka.c $(wildcard src/tet/show/*.c) src/base/bytes.c src/base/strerror.c src/base/build_info.c test/test.mk | $(BUILD)/setup/full.ok
	@mkdir -p $(@D)
	$(Q)powerpc-linux-gnu-gcc $(CFLAGS_STD) $(CPPFLAGS_LIB) -O0 -g --coverage -c $< -o $(@D)/native.o
	$(Q)powerpc-linux-gnu-gcc -std=gnu99 $(CPPFLAGS_LIB) -Itest/harness -Itest/harness/foreign -O0 -static \
	    $(filter %.c,$(filter-out $<,$^)) $(@D)/native.o --coverage -lm -o $@

COV_APART := $(wildcard src/zstd/*.[ch]) src/inflate/
# Checks the assumption of src/tet/show/digits.c, for each exponent of each format; takes a second.
test: run-show-distance
.PHONY: run-show-distance
run-show-distance:
	@BUILD=$(BUILD) test/tools/suite_run.sh show-distance python3 test/tools/show_distance.py

# Counts are added over runs, and some of an earlier state of the sources are still valid for the compiler: each make that
# counts begins with none.
.PHONY: cov-counts coverage
cov-counts:
	@mkdir -p $(BUILD)/lib/cov $(COV_MORE) $(COV_BIG)
	@find $(BUILD)/lib/cov $(COV_MORE) $(COV_BIG) -name '*.gcda' -delete
$(addprefix run-cov-,$(notdir $(TEST_SUITES)) query szip tensordata): | cov-counts
coverage: run-cov $(COV_BIG)/suite_show | cov-counts
	@SUITE_LIGHT=1 test/tools/suite_run.sh cov-native qemu-ppc $(COV_BIG)/suite_show
	@gcovr --root . --filter src/ $(BUILD)/lib/cov --html-details $(T)/coverage/index.html >$(T)/log/coverage-html.log 2>&1
	@test/tools/suite_run.sh coverage python3 test/tools/coverage.py $(COV_APART:%=--apart %) \
	    $(BUILD)/lib/cov $(COV_MORE) $(COV_BIG):powerpc-linux-gnu-gcov
	@sed -n '/^  /p' $(T)/log/coverage.log

# Analysers over the library.
.PHONY: analyse
analyse: $(DEPS_ZSTD) | $(BUILD)/setup/full.ok
	@CC=$(CC) BUILD=$(BUILD) ZSTD_INCLUDE=$(ZSTD_INCLUDE) test/tools/suite_analyse.sh $(LIB_SRCS) $(if $(ZSTD_OBJ_host),$(ZSTD_ADAPTER))

# The long tier: sweeps, other builds and machines, analysers, fuzzing.
.PHONY: run-full run-valgrind
run-full: $(TEST_SUITES:%=$(T)/host/%)
	@for s in $(addprefix tet/suite_,golden sweep damage geometry media meta metazonedata calls lookups) zstd/suite_agree; do \
	    $(TEST_ENV) SUITE_FULL=1 QUIET_SKIPS=1 test/tools/suite_run.sh full-$${s##*suite_} $(T)/host/$$s || bad=1; done; test -z "$$bad"

VALGRIND := valgrind -q --error-exitcode=99 --exit-on-first-error=no --track-origins=no
# All of each suite except the two that would take minutes (MemorySanitizer has all of the geometry), and the frames of foreign encoders,
# which would take a minute and a half for calls that other suites also make.
VALGRIND_ONLY_suite_golden   := facts
VALGRIND_ONLY_suite_geometry := strided_column_is_cheap
define valgrind_suite
.PHONY: run-valgrind-$(notdir $1)
run-valgrind-$(notdir $1): $(T)/host/$1 | $(BUILD)/setup/full.ok
	@$$(TEST_ENV) SUITE_LIGHT=1 SUITE_ONLY=$$(VALGRIND_ONLY_$(notdir $1)) QUIET_SKIPS=1 test/tools/suite_run.sh \
	    valgrind-$(patsubst suite_%,%,$(notdir $1)) $$(VALGRIND) $(T)/host/$1
run-valgrind: run-valgrind-$(notdir $1)
endef
$(foreach s,$(filter-out %/suite_foreign,$(TEST_SUITES)),$(eval $(call valgrind_suite,$s)))

# Emulated and instrumented code is slow: it runs what exercises every call, but not the sweeps.
TEST_SOME := suite_golden suite_footer suite_calls suite_lookups suite_status suite_filestatus suite_payloadstatus suite_turnsstatus suite_reads suite_geometry suite_check suite_checkcost \
             suite_show suite_upstream suite_upstreamfaults \
             suite_metadata suite_metalimits suite_metaanswers suite_metazones suite_metastatus suite_meta suite_metazonedata suite_protocol suite_otherwise suite_repeats suite_groups \
             suite_groupmembers suite_common suite_anywhere
# MemorySanitizer leaves out the faults of libzstd's adapter, because valgrind has them and looks for the same errors.
MSAN_SOME := $(filter-out suite_upstreamfaults,$(TEST_SOME))
check-full: run-full run-ubsan $(MSAN_SOME:%=run-msan-%) run-i386 $(TEST_SOME:%=run-powerpc-%) run-valgrind analyse fuzz coverage

# By hand before a release: the fuzz targets for an hour each (SOAK_SECONDS).
SOAK_SECONDS ?= 3600
.PHONY: soak-fuzz
soak-fuzz:
	$(Q)FUZZ_SEED=0 $(MAKE) fuzz FUZZ_SECONDS=$(SOAK_SECONDS)
	@sed -n 's/^stat::number_of_executed_units: *//p' $(T)/log/fuzz-*.log | awk '{ n += $$1 } END { printf "  figure: soak: %d executions over %d targets\n", n, NR }'
soak: soak-fuzz

# Mutation testing (test/tools/mutate.py): MUTANTS changes of src/, chosen by SEED; ONLY=text takes all whose
# description contains it, ROOMS="stream meta" those of these components. MUTATE_JOBS at a time.
MUTANTS     ?= 2000
SEED        ?= 1
MUTATE_JOBS ?= 2
$(eval $(call utet_library,mutant,,,-O2 -fPIC -fvisibility=default))
.PHONY: mutate
mutate: $(BUILD)/utet $(TEST_SUITES:%=$(T)/host/%) $(T)/host/tet/json_run $(T)/host/tet/meta_dump $(ZS_SUITES:%=$(ZS)/host/%) \
        $(ZS)/host/zs_diff $(ZS)/decodecorpus $(T)/inflate/host/suite_inflate $(BUILD)/lib/mutant/libutet.a
	@DECODECORPUS=$(ZS)/decodecorpus test/zstd/corpus.sh $(ZS)/corpus 300 >/dev/null
	@PATH="$(TEST_PATH)" $(TEST_ENV) python3 test/tools/mutate.py --lib $(BUILD)/lib/mutant --tests $(T)/host --zstd $(ZS) \
	    --count $(MUTANTS) --seed $(SEED) --adapter "$(ZSTD_CONFIG) -isystem $(ZSTD_INCLUDE)" --only "$(ONLY)" --rooms "$(ROOMS)" \
	    --libs "$(TOOL_LIBS)" --jobs $(MUTATE_JOBS)
soak: mutate

# By hand, as root: what a user of the next Debian does, in a bare system. RELEASE=sid looks further ahead.
RELEASE ?= trixie
.PHONY: run-newer
run-newer:
	test/tools/bare.sh --suite=$(RELEASE) --once -k demo test all install build/setup/cross.ok \
	    "lib CROSS=arm-none-eabi- CFLAGS_CPU='-mcpu=cortex-m0plus -mthumb'" "lib CROSS=avr- CFLAGS_CPU=-mmcu=atmega1284p" \
	    "lib CROSS=riscv64-unknown-elf- CFLAGS_CPU='--specs=picolibc.specs -march=rv32imac -mabi=ilp32'"
