# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# `make size`: code, data and stack of minimal programs for each core and configuration (size.py), forbidden symbols
# (symbols.py); `make test` also runs it. It uses utet_library of the Makefile, but builds libraries of its own, because
# the stack bound needs the compiler's call graph files. `make size-accept` records the figures in last.tsv.

# Scripts that import each other must leave nothing in the tree.
export PYTHONDONTWRITEBYTECODE := 1

SIZE         := $(BUILD)/size
SIZE_CORES   := m0plus m3 m4
# A codec's configuration exists if its descriptor does.
SIZE_CODECS  := $(foreach c,upstream small,$(if $(shell grep -ls 'utet_codec_zstd_$c = ' src/tet/codec/*.c),$c))
SIZE_CONFIGURATIONS := raw slab tiles all check strict footer meta $(SIZE_CODECS) $(if $(filter small,$(SIZE_CODECS)),zstd) inflate szip metadata messages tensor values masks tensorslab schema tiledb groups foldi16 foldby fold foldmerge foldseveral querycore queryfolds query querywords
SIZE_CPU_m0plus := -mcpu=cortex-m0plus -mthumb
SIZE_CPU_m3     := -mcpu=cortex-m3 -mthumb
SIZE_CPU_m4     := -mcpu=cortex-m4 -mthumb -mfloat-abi=soft
SIZE_CFLAGS     := $(CFLAGS_STD) $(WARN) -Os $(CFLAGS_SEC) -Iinclude -Itest/size/programs

.PHONY: size-accept run-size run-size-symbols run-size-stack

# $(call size_core,CORE)
define size_core
$(eval $(call utet_library,size_$1,arm-none-eabi-,$(SIZE_CPU_$1),-Os -fcallgraph-info=su$(,)da))

$(SIZE)/$1/%.o: test/size/programs/%.c $(wildcard test/size/programs/*) include/utet.h test/size/size.mk | $(BUILD)/setup/arm.ok
	@mkdir -p $$(@D)
	$(Q)arm-none-eabi-gcc $(SIZE_CPU_$1) $(SIZE_CFLAGS) -c $$< -o $$@

$(SIZE)/$1/%.elf: $(SIZE)/$1/%.o $(SIZE)/$1/port.o $(BUILD)/lib/size_$1/libutet.a
	$$(call say,LINK,$$@)
	$(Q)arm-none-eabi-gcc $(SIZE_CPU_$1) -nostartfiles --specs=nano.specs -Wl,--gc-sections,-e,main,-Map=$$(@:.elf=.map) \
	    $$^ -o $$@

SIZE_NEEDS += $(SIZE)/$1/structs.o $(SIZE_CONFIGURATIONS:%=$(SIZE)/$1/%.elf)
endef
, := ,
$(foreach core,$(SIZE_CORES),$(eval $(call size_core,$(core))))

SIZE_SCRIPT = python3 test/size/size.py --build $(SIZE) --lib '$(BUILD)/lib/size_%' --cores '$(SIZE_CORES)' \
              --configurations '$(SIZE_CONFIGURATIONS)'

SIZE_SYMBOLS = python3 test/size/symbols.py arm-none-eabi- $(SIZE_CORES:%=$(BUILD)/lib/size_%) $(BUILD)/lib/host
SIZE_STACK   = python3 test/tools/stack_selftest.py

size: $(SIZE_NEEDS) $(BUILD)/lib/host/libutet.a
	@$(SIZE_SCRIPT) $(if $(WHY),--why --members)
	@$(SIZE_SYMBOLS)
	@$(SIZE_STACK)

size-accept: $(SIZE_NEEDS)
	@$(SIZE_SCRIPT) --accept

# The same in the quick tier, with the output in logs.
test: run-size run-size-symbols run-size-stack
run-size: $(SIZE_NEEDS)
	@BUILD=$(BUILD) test/tools/suite_run.sh size $(SIZE_SCRIPT)
run-size-symbols: $(SIZE_NEEDS) $(BUILD)/lib/host/libutet.a
	@BUILD=$(BUILD) test/tools/suite_run.sh size-symbols $(SIZE_SYMBOLS)
run-size-stack: | $(BUILD)/setup/arm.ok
	@BUILD=$(BUILD) test/tools/suite_run.sh size-stack $(SIZE_STACK)
