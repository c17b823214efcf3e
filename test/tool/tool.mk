# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# Tests of the command line, with the tool as `make` builds it: the golden files through it, then its contract with
# scripts and terminals. Long tier: once more with the tool under ASan and UBSan, and 10 GiB read through 16 MiB of address space.

TOOL_TEST_ENV = PATH=$(TEST_PATH) TEST_ROOT=test TEST_SHARED=$(SHARED) BUILD=$(BUILD) PYTHONDONTWRITEBYTECODE=1

.PHONY: test-tool test-tool-full test-tool-more
test: test-tool
check-full: test-tool-full
check-more: test-tool-more

# $(call tool_suite,TIER,NAME,ENVIRONMENT,SCRIPT ARGUMENTS): `make run-tool-NAME`, a part of TIER, after what TOOL_NEEDS_TIER names. If NAME
# contains -asan, the script gets the tool under ASan and UBSan; that needs address space, so the memory limits are for the plain tool.
define tool_suite
.PHONY: run-tool-$2
$1: run-tool-$2
run-tool-$2: $(TOOL_NEEDS_$1)
	@$$(TOOL_TEST_ENV) UTET=$(BUILD)/$(if $(findstring -asan,$2),tool-asan/)utet $3 test/tools/suite_run.sh tool-$2 test/tool/$4
endef

# Boards whose requirements are compared with what fit prints.
FIT_BOARDS := lm3s6965evb microbit

PATH_BOARDS := $(BUILD)/boards/rows-lm3s6965evb.elf $(BUILD)/boards/rows-stm32vldiscovery.elf

# The output of export, compiled for this machine and for a Cortex-M3, with all warnings.
EXPORTED := $(BUILD)/exported
EXPORTED_C := $(EXPORTED)/planet.c $(EXPORTED)/temperature.c $(EXPORTED)/elevation.c

$(EXPORTED)/planet.c: $(BUILD)/utet test/golden/demo/demo_planet.tet
	@mkdir -p $(@D)
	$(Q)$(BUILD)/utet export test/golden/demo/demo_planet.tet --c --image -o $@

$(EXPORTED)/temperature.c $(EXPORTED)/elevation.c: $(EXPORTED)/%.c: $(BUILD)/utet test/golden/demo/demo_planet.tet
	@mkdir -p $(@D)
	$(Q)$(BUILD)/utet export test/golden/demo/demo_planet.tet $* --c -o $@

$(eval $(call board_program,exported-mps2-an385,mps2-an385,test/tool/exported.c $(EXPORTED_C),library,,-I$(EXPORTED)))
$(BUILD)/boards/exported-mps2-an385/test/tool/exported.o: $(EXPORTED_C)

$(EXPORTED)/exported: test/tool/exported.c $(EXPORTED_C) $(BUILD)/libutet.a
	$(Q)$(CC) $(CFLAGS_STD) $(WARN) -DEXPORTED_HOST -Iinclude -I$(EXPORTED) test/tool/exported.c $(EXPORTED_C) $(BUILD)/libutet.a -o $@

TOOL_NEEDS_test-tool := $(EXPORTED)/exported $(BUILD)/boards/exported-mps2-an385.elf $(BUILD)/shortest_draw $(BUILD)/utet \
    $(BUILD)/tool-nopng/utet $(PATH_BOARDS) $(FIT_BOARDS:%=$(BUILD)/boards/needs-%.elf) | $(BUILD)/setup/test.ok
$(eval $(call tool_suite,test-tool,vectors,,vectors_test.py))
$(eval $(call tool_suite,test-tool,verify,,verify_test.py))
$(eval $(call tool_suite,test-tool,work,,work_test.py))
$(eval $(call tool_suite,test-tool,table,,work_table.py))
$(eval $(call tool_suite,test-tool,cli,,cli_test.py))
$(eval $(call tool_suite,test-tool,output,,output_test.py))
$(eval $(call tool_suite,test-tool,readjobs,QUIET_SKIPS=1,readjobs_test.py))
$(eval $(call tool_suite,test-tool,picture,,picture_test.py))
$(eval $(call tool_suite,test-tool,lines,,lines_test.py $(BUILD)/tool-nopng/utet))
$(eval $(call tool_suite,test-tool,help,,help_test.py))
$(eval $(call tool_suite,test-tool,memory-small,MEMORY_MB=64 MEMORY_TILE=1x64 MEMORY_MOST=32,memory_test.py))
$(eval $(call tool_suite,test-tool,pack,,pack_test.py))
$(eval $(call tool_suite,test-tool,packfaults,,packfaults_test.py))
$(eval $(call tool_suite,test-tool,table-input,,table_test.py))
$(eval $(call tool_suite,test-tool,array,,array_test.py))
$(eval $(call tool_suite,test-tool,safetensors,,safetensors_test.py))
$(eval $(call tool_suite,test-tool,ask,,ask_test.py))
$(eval $(call tool_suite,test-tool,stats,,stats_test.py))
$(eval $(call tool_suite,test-tool,physical,,physical_test.py))
$(eval $(call tool_suite,test-tool,strict,,strict_test.py))
$(eval $(call tool_suite,test-tool,exact,,exact_test.py))
$(eval $(call tool_suite,test-tool,shortest,,shortest_test.py $(BUILD)/shortest_draw))
$(eval $(call tool_suite,test-tool,field,,field_test.py))
$(eval $(call tool_suite,test-tool,fit,,fit_test.py $(foreach b,$(FIT_BOARDS),$b=$(BUILD)/boards/needs-$b.elf)))
$(eval $(call tool_suite,test-tool,desktop,,desktop_test.py))
$(eval $(call tool_suite,test-tool,export,,export_test.py $(CC) $(EXPORTED)/exported $(BUILD)/boards/exported-mps2-an385.elf))
$(eval $(call tool_suite,test-tool,path,,path_test.py $(BUILD)/boards))
$(eval $(call tool_suite,test-tool,pages,,pages_test.py $(CC) $(BUILD)/libutet.a $(BUILD)/boards))

# A program with the tool's own sources.
TOOL_PARTS := $(filter-out $(BUILD)/tool/boards/host/main.o,$(TOOL_OBJS)) $(BUILD)/tool/targets.o $(BUILD)/libutet.a

$(BUILD)/shortest_draw: test/tool/shortest_draw.c $(TOOL_PARTS)
	$(call say,LINK,$@)
	$(Q)$(CC) $(CFLAGS_STD) $(WARN) $(TOOL_CPPFLAGS) -O2 $< $(TOOL_PARTS) $(TOOL_LIBS) -o $@

# The tool as it is built without libpng.
NOPNG := boards/host/show/png boards/host/pack/pack_png

$(BUILD)/tool-nopng/utet: $(NOPNG:%=%.c) $(BUILD)/utet
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_STD) $(WARN) $(TOOL_CPPFLAGS) -DTOOL_NO_PNG $(OPT) $(NOPNG:%=%.c) $(filter-out $(NOPNG:%=$(BUILD)/tool/%.o),$(TOOL_OBJS)) \
	    $(BUILD)/tool/targets.o $(BUILD)/libutet.a $(filter-out -lpng,$(TOOL_LIBS)) -o $@

# The tool with a built-in decoder that does not verify checksums.
$(BUILD)/tool-unverified/utet: $(BUILD)/utet $(wildcard src/zstd/*.c) src/base/build_info.c
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_STD) $(WARN) -Iinclude -Isrc -DUTET_ZSTD_CHECKSUM=0 -O1 $(wildcard src/zstd/*.c) src/base/build_info.c $(TOOL_OBJS) \
	    $(BUILD)/tool/targets.o $(BUILD)/libutet.a $(TOOL_LIBS) -o $@

TOOL_ASAN := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all

$(BUILD)/tool-asan/utet: $(TOOL_SRCS) $(BUILD)/tool/targets.c $(wildcard boards/host/*.h boards/host/*/*.h port/*/*.h include/*.h) $(BUILD)/lib/asan/libutet.a
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_STD) $(WARN) $(TOOL_CPPFLAGS) $(TOOL_ASAN) $(TOOL_SRCS) $(BUILD)/tool/targets.c $(BUILD)/lib/asan/libutet.a $(TOOL_LIBS) -o $@

# Counts the basic blocks that are entered, which is several times cheaper than counting instructions. libzstd is not
# counted.
$(BUILD)/tool-work/utet: test/tool/work_count.c $(TOOL_SRCS) $(LIB_SRCS) $(BUILD)/tool/targets.c $(wildcard boards/host/*.h boards/host/*/*.h port/*/*.h include/*.h src/*/*.h src/*/*/*.h) $(BUILD)/libutet.a
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_STD) -O1 -c test/tool/work_count.c -o $(BUILD)/tool-work/work_count.o
	$(Q)$(CC) $(CFLAGS_STD) $(TOOL_CPPFLAGS) -O1 -fsanitize-coverage=trace-pc $(TOOL_SRCS) $(filter-out src/tet/codec/zstd_upstream.c,$(LIB_SRCS)) \
	    $(BUILD)/tool/targets.c $(BUILD)/tool-work/work_count.o $(BUILD)/libutet.a $(TOOL_LIBS) -o $@

TOOL_NEEDS_test-tool-full := $(PATH_BOARDS) $(BUILD)/tool-asan/utet $(BUILD)/tool-nopng/utet $(BUILD)/tool-work/utet $(BUILD)/tool-unverified/utet \
    $(BUILD)/utet | $(BUILD)/setup/full.ok
$(eval $(call tool_suite,test-tool-full,vectors-asan,QUIET_SKIPS=1,vectors_test.py))
$(eval $(call tool_suite,test-tool-full,verify-asan,,verify_test.py))
$(eval $(call tool_suite,test-tool-full,cli-asan,NO_LIMITS=1 QUIET_SKIPS=1,cli_test.py))
$(eval $(call tool_suite,test-tool-full,output-asan,NO_LIMITS=1 QUIET_SKIPS=1,output_test.py))
$(eval $(call tool_suite,test-tool-full,picture-asan,NO_LIMITS=1 QUIET_SKIPS=1,picture_test.py))
$(eval $(call tool_suite,test-tool-full,sixel-asan,,sixel_test.py $(BUILD)/tool-nopng/utet))
$(eval $(call tool_suite,test-tool-full,work-full,UTET_WORK=$(BUILD)/tool-work/utet SUITE_FULL=1,work_test.py))
$(eval $(call tool_suite,test-tool-full,table-full,UTET_WORK=$(BUILD)/tool-work/utet SUITE_FULL=1,work_table.py))
$(eval $(call tool_suite,test-tool-full,output-full,SUITE_FULL=1 QUIET_SKIPS=1,output_test.py))
$(eval $(call tool_suite,test-tool-full,desktop-asan,NO_LIMITS=1,desktop_test.py))
$(eval $(call tool_suite,test-tool-full,unverified,UTET=$(BUILD)/tool-unverified/utet,unverified_test.py))
$(eval $(call tool_suite,test-tool-full,strict-asan,,strict_test.py))
$(eval $(call tool_suite,test-tool-full,exact-asan,EXACT_TABLES=30,exact_test.py))
$(eval $(call tool_suite,test-tool-full,table-input-asan,,table_test.py))
$(eval $(call tool_suite,test-tool-full,array-asan,,array_test.py))
$(eval $(call tool_suite,test-tool-full,safetensors-asan,,safetensors_test.py))
$(eval $(call tool_suite,test-tool-full,ask-asan,NO_LIMITS=1,ask_test.py))
$(eval $(call tool_suite,test-tool-full,stats-asan,,stats_test.py))
$(eval $(call tool_suite,test-tool-full,pack-asan,NO_LIMITS=1,pack_test.py))
$(eval $(call tool_suite,test-tool-full,packfaults-asan,NO_LIMITS=1,packfaults_test.py))
$(eval $(call tool_suite,test-tool-full,path-full,PATH_MB=512,path_test.py $(BUILD)/boards))
$(eval $(call tool_suite,test-tool-full,auto,,auto_test.py))
$(eval $(call tool_suite,test-tool-full,pack-full,PACK_RUNS=10000,pack_test.py))

# The complete table of work, to 10^5 (WORK.md), by hand: half an hour.
.PHONY: work-table
work-table: $(BUILD)/tool-work/utet $(BUILD)/utet
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/utet UTET_WORK=$(BUILD)/tool-work/utet SUITE_FULL=1 WORK_TABLE=all python3 test/tool/work_table.py

# Longer runs of packing.
TOOL_NEEDS_test-tool-more := $(TOOL_NEEDS_test-tool-full)
$(eval $(call tool_suite,test-tool-more,pack-asan-more,NO_LIMITS=1 PACK_RUNS=2000,pack_test.py))
$(eval $(call tool_suite,test-tool-more,memory,,memory_test.py))

# The throughput of pack compared with libzstd's, by hand on an idle machine.
.PHONY: bench-pack
$(BUILD)/pack_speed: test/tool/pack_speed.c
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_STD) $(WARN) -O2 $< -lzstd -o $@

bench-pack: $(BUILD)/utet $(BUILD)/pack_speed
	@$(TOOL_TEST_ENV) python3 test/tool/pack_speed.py $(BUILD)/utet $(BUILD)/pack_speed

.PHONY: bench-read
# The bound has the pinned libzstd with its own configuration and optimisation.
$(BUILD)/read_bound: test/tool/read_bound.c $(BUILD)/deps/zstd157.ok
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_STD) $(WARN) -O2 -isystem $(BUILD)/deps/zstd157 -c $< -o $@.o
	$(Q)$(CC) -std=gnu99 -w -O3 $@.o $(BUILD)/deps/zstd157/zstd.c -lpthread -o $@

bench-read: $(BUILD)/utet $(BUILD)/read_bound
	@$(TOOL_TEST_ENV) TET_NO_QUERY_HISTORY=1 python3 test/tool/read_speed.py $(BUILD)/utet $(BUILD)/read_bound $(wildcard $(REFERENCE))

# The cost of numbers as text compared with printf's.
.PHONY: bench-number
$(BUILD)/number_bound: test/tool/number_bound.c
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_STD) $(WARN) -O2 $< -o $@

bench-number: $(BUILD)/utet $(BUILD)/number_bound
	@$(TOOL_TEST_ENV) python3 test/tool/number_speed.py $(BUILD)/utet $(BUILD)/number_bound

# The cost of covariances, compared with the reference's tool if REFERENCE= names it.
.PHONY: bench-covariance
bench-covariance: $(BUILD)/utet
	@$(TOOL_TEST_ENV) REFERENCE=$(REFERENCE) python3 test/tool/covariance_speed.py $(BUILD)/utet
