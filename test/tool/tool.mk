# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# Tests of the command line, with the tool as `make` builds it: the golden files through it, then its contract with
# scripts and terminals. Long tier: once more with the tool under ASan and UBSan, and 10 GiB read through 16 MiB of address space.

TOOL_TEST_ENV = PATH=$(TEST_PATH) TEST_ROOT=test TEST_SHARED=$(SHARED) BUILD=$(BUILD) PYTHONDONTWRITEBYTECODE=1

.PHONY: test-tool test-tool-full
test: test-tool
check-full: test-tool-full

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

test-tool: $(EXPORTED)/exported $(BUILD)/boards/exported-mps2-an385.elf $(BUILD)/shortest_draw
test-tool: $(BUILD)/utet $(BUILD)/tool-nopng/utet $(PATH_BOARDS) $(FIT_BOARDS:%=$(BUILD)/boards/needs-%.elf) | $(BUILD)/setup/test.ok
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/utet test/tools/suite_run.sh tool-vectors test/tool/vectors_test.py
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/utet test/tools/suite_run.sh tool-verify test/tool/verify_test.py
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/utet test/tools/suite_run.sh tool-work test/tool/work_test.py
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/utet test/tools/suite_run.sh tool-table test/tool/work_table.py
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/utet test/tools/suite_run.sh tool-cli test/tool/cli_test.py
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/utet test/tools/suite_run.sh tool-output test/tool/output_test.py
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/utet QUIET_SKIPS=1 test/tools/suite_run.sh tool-readjobs test/tool/readjobs_test.py
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/utet test/tools/suite_run.sh tool-picture test/tool/picture_test.py
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/utet test/tools/suite_run.sh tool-lines test/tool/lines_test.py $(BUILD)/tool-nopng/utet
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/utet test/tools/suite_run.sh tool-help test/tool/help_test.py
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/utet MEMORY_MB=64 MEMORY_TILE=1x64 MEMORY_MOST=32 \
	    test/tools/suite_run.sh tool-memory-small test/tool/memory_test.py
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/utet test/tools/suite_run.sh tool-pack test/tool/pack_test.py
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/utet test/tools/suite_run.sh tool-packfaults test/tool/packfaults_test.py
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/utet test/tools/suite_run.sh tool-table-input test/tool/table_test.py
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/utet test/tools/suite_run.sh tool-array test/tool/array_test.py
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/utet test/tools/suite_run.sh tool-safetensors test/tool/safetensors_test.py
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/utet test/tools/suite_run.sh tool-ask test/tool/ask_test.py
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/utet test/tools/suite_run.sh tool-stats test/tool/stats_test.py
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/utet test/tools/suite_run.sh tool-physical test/tool/physical_test.py
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/utet test/tools/suite_run.sh tool-strict test/tool/strict_test.py
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/utet test/tools/suite_run.sh tool-exact test/tool/exact_test.py
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/utet test/tools/suite_run.sh tool-shortest test/tool/shortest_test.py $(BUILD)/shortest_draw
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/utet test/tools/suite_run.sh tool-field test/tool/field_test.py
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/utet test/tools/suite_run.sh tool-fit test/tool/fit_test.py $(foreach b,$(FIT_BOARDS),$b=$(BUILD)/boards/needs-$b.elf)
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/utet test/tools/suite_run.sh tool-desktop test/tool/desktop_test.py
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/utet test/tools/suite_run.sh tool-export test/tool/export_test.py $(CC) $(EXPORTED)/exported \
	    $(BUILD)/boards/exported-mps2-an385.elf
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/utet test/tools/suite_run.sh tool-path test/tool/path_test.py $(BUILD)/boards
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/utet test/tools/suite_run.sh tool-pages test/tool/pages_test.py $(CC) $(BUILD)/libutet.a $(BUILD)/boards

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

# The address sanitizer needs address space: the memory limits are for the plain tool.
test-tool-full: $(PATH_BOARDS) $(BUILD)/tool-asan/utet $(BUILD)/tool-nopng/utet $(BUILD)/tool-work/utet $(BUILD)/utet | $(BUILD)/setup/full.ok
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/tool-asan/utet QUIET_SKIPS=1 \
	    test/tools/suite_run.sh tool-vectors-asan test/tool/vectors_test.py
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/tool-asan/utet test/tools/suite_run.sh tool-verify-asan test/tool/verify_test.py
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/tool-asan/utet NO_LIMITS=1 QUIET_SKIPS=1 \
	    test/tools/suite_run.sh tool-cli-asan test/tool/cli_test.py
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/tool-asan/utet NO_LIMITS=1 QUIET_SKIPS=1 \
	    test/tools/suite_run.sh tool-output-asan test/tool/output_test.py
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/tool-asan/utet NO_LIMITS=1 QUIET_SKIPS=1 \
	    test/tools/suite_run.sh tool-picture-asan test/tool/picture_test.py
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/tool-asan/utet test/tools/suite_run.sh tool-sixel-asan test/tool/sixel_test.py $(BUILD)/tool-nopng/utet
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/utet UTET_WORK=$(BUILD)/tool-work/utet SUITE_FULL=1 test/tools/suite_run.sh tool-work-full test/tool/work_test.py
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/utet UTET_WORK=$(BUILD)/tool-work/utet SUITE_FULL=1 test/tools/suite_run.sh tool-table-full test/tool/work_table.py
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/utet SUITE_FULL=1 QUIET_SKIPS=1 \
	    test/tools/suite_run.sh tool-output-full test/tool/output_test.py

test-tool-full: test-tool-long
.PHONY: test-tool-long
test-tool-long: $(PATH_BOARDS) $(BUILD)/tool-asan/utet $(BUILD)/utet | $(BUILD)/setup/full.ok
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/tool-asan/utet NO_LIMITS=1 \
	    test/tools/suite_run.sh tool-desktop-asan test/tool/desktop_test.py
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/tool-asan/utet test/tools/suite_run.sh tool-strict-asan test/tool/strict_test.py
	@$(TOOL_TEST_ENV) EXACT_TABLES=30 UTET=$(BUILD)/tool-asan/utet test/tools/suite_run.sh tool-exact-asan test/tool/exact_test.py
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/tool-asan/utet test/tools/suite_run.sh tool-table-input-asan test/tool/table_test.py
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/tool-asan/utet test/tools/suite_run.sh tool-array-asan test/tool/array_test.py
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/tool-asan/utet test/tools/suite_run.sh tool-safetensors-asan test/tool/safetensors_test.py
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/tool-asan/utet test/tools/suite_run.sh tool-ask-asan test/tool/ask_test.py
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/tool-asan/utet test/tools/suite_run.sh tool-stats-asan test/tool/stats_test.py
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/tool-asan/utet NO_LIMITS=1 \
	    test/tools/suite_run.sh tool-pack-asan test/tool/pack_test.py
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/tool-asan/utet NO_LIMITS=1 \
	    test/tools/suite_run.sh tool-packfaults-asan test/tool/packfaults_test.py
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/utet PATH_MB=512 test/tools/suite_run.sh tool-path-full test/tool/path_test.py $(BUILD)/boards
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/utet test/tools/suite_run.sh tool-auto test/tool/auto_test.py
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/utet PACK_RUNS=10000 test/tools/suite_run.sh tool-pack-full test/tool/pack_test.py

# The complete table of work, to 10^5 (WORK.md), by hand: half an hour.
.PHONY: work-table
work-table: $(BUILD)/tool-work/utet $(BUILD)/utet
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/utet UTET_WORK=$(BUILD)/tool-work/utet SUITE_FULL=1 WORK_TABLE=all python3 test/tool/work_table.py

# Longer runs of packing.
.PHONY: test-tool-more
check-more: test-tool-more
test-tool-more: $(BUILD)/tool-asan/utet $(BUILD)/utet | $(BUILD)/setup/full.ok
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/tool-asan/utet NO_LIMITS=1 PACK_RUNS=2000 \
	    test/tools/suite_run.sh tool-pack-asan-more test/tool/pack_test.py
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/utet test/tools/suite_run.sh tool-memory test/tool/memory_test.py

# The throughput of pack compared with libzstd's, by hand on an idle machine.
.PHONY: bench-pack
$(BUILD)/pack_speed: test/tool/pack_speed.c
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_STD) $(WARN) -O2 $< -lzstd -o $@

bench-pack: $(BUILD)/utet $(BUILD)/pack_speed
	@$(TOOL_TEST_ENV) python3 test/tool/pack_speed.py $(BUILD)/utet $(BUILD)/pack_speed

.PHONY: bench-read
$(BUILD)/read_bound: test/tool/read_bound.c
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_STD) $(WARN) -O2 $< -lzstd -o $@

bench-read: $(BUILD)/utet $(BUILD)/read_bound
	@$(TOOL_TEST_ENV) python3 test/tool/read_speed.py $(BUILD)/utet $(BUILD)/read_bound

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
