# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# `make bench`: instruction counts under the emulator, one table and build/bench/bench.tsv (bench_table.py). It uses
# boards/common for the firmware's start-up, and the libraries of test/size, which have the compiler's call graph files:
# measured stacks are compared with the static bound. `make bench-accept` records the figures in last.tsv; `make
# check-full` also runs it.

BENCH := $(BUILD)/bench

# Core, machine, compiler flags. m7: only decoders.
BENCH_CORES       := m0plus m3 m4
BENCH_MACHINE_m0plus := mps2-an385
BENCH_MACHINE_m3  := mps2-an385
BENCH_MACHINE_m4  := mps2-an386
BENCH_MACHINE_m7  := mps2-an500
BENCH_CPU_m0plus  := -mcpu=cortex-m0plus -mthumb
BENCH_CPU_m3      := -mcpu=cortex-m3 -mthumb
BENCH_CPU_m4      := -mcpu=cortex-m4 -mthumb -mfloat-abi=soft
BENCH_CPU_m7      := -mcpu=cortex-m7 -mthumb -mfloat-abi=soft
# The port of core_main.c must not call memcpy, because its addresses distinguish it.
BENCH_CFLAGS      := $(CFLAGS_STD) $(WARN) -Os $(CFLAGS_SEC) $(CFLAGS_DEP) -fno-tree-loop-distribute-patterns \
                     -Iinclude -Iboards/common -Itest/bench
BENCH_FIRMWARE    := $(addprefix boards/common/,start.c memory.c semihost.c print.c) $(addprefix test/bench/,marks.S check.c)
BENCH_ZSTD_MINIMAL := -DHUF_FORCE_DECOMPRESS_X1 -DZSTD_FORCE_DECOMPRESS_SEQUENCES_SHORT -DZSTD_NO_INLINE \
                     -DZSTD_STRIP_ERROR_STRINGS -DDYNAMIC_BMI2=0 -DZSTD_DECODER_INTERNAL_BUFFER=64
BENCH_ZSTD157     := $(BUILD)/deps/zstd157

.PHONY: bench-accept run-bench

$(BENCH)/count.so: test/bench/count.c test/bench/cycles.h
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) -O2 -Wall -Wextra -Wconversion -Wshadow $(WERROR) -shared -fPIC -fvisibility=hidden $< -o $@

# Made anew each time, because SHARED may name another folder.
$(BENCH)/payloads.pak: test/bench/bench_pak.py FORCE
	@mkdir -p $(@D)
	$(Q)python3 $< $(SHARED)/bench/payloads $@ > $(BENCH)/skipped.txt

$(BENCH)/%.pak: test/bench/bench_tet.py test/bench/bench_pak.py FORCE
	@mkdir -p $(@D)
	$(Q)python3 $< $(SHARED)/bench/payloads $* $@

# $(call bench_core,CORE): the firmware's own objects.
define bench_core
BENCH_OBJS_$1 := $(patsubst %,$(BENCH)/$1/%.o,$(notdir $(BENCH_FIRMWARE)))

$(foreach f,$(BENCH_FIRMWARE) test/bench/decode_main.c,$(eval $(call bench_object,$1,$f,$(notdir $f),)))
endef
# $(call bench_object,CORE,SOURCE,NAME,FLAGS)
define bench_object
$(BENCH)/$1/$3.o: $2 test/bench/bench.mk | $(BUILD)/setup/arm.ok
	@mkdir -p $$(@D)
	$(Q)arm-none-eabi-gcc $(BENCH_CPU_$1) $(BENCH_CFLAGS) $4 -c $$< -o $$@
-include $(wildcard $(BENCH)/$1/$3.d)
endef
# $(call bench_image,CORE,NAME,OBJECTS): one image from the firmware and these objects.
define bench_image
$(BENCH)/$1/$2.elf: $(BENCH_OBJS_$1) $3 boards/$(BENCH_MACHINE_$1)/board.ld boards/common/sections.ld
	$$(call say,LINK,$$@)
	$(Q)arm-none-eabi-gcc $(BENCH_CPU_$1) -nostartfiles --specs=nano.specs -Wl,--gc-sections,--defsym=_sbrk=0 \
	    -Lboards/common -T boards/$(BENCH_MACHINE_$1)/board.ld $(BENCH_OBJS_$1) $3 -o $$@
BENCH_IMAGES += $(BENCH)/$1/$2.elf
endef

$(foreach c,$(BENCH_CORES) m7,$(eval $(call bench_core,$c)))

# ---- decoders by themselves: complete chunks, frames in RAM ----

# $(call bench_zstd157,CORE,NAME,FLAGS): 1.5.7 is one file that includes the compressor, which the linker drops.
define bench_zstd157
$(BENCH)/$1/zstd157-$2.o: $(BENCH_ZSTD157).ok | $(BUILD)/setup/arm.ok
	$$(call say,CC,zstd.c 1.5.7 $2 [$1])
	@mkdir -p $$(@D)
	$(Q)sed '/^#define ZSTD_MULTITHREAD$$$$/d' $(BENCH_ZSTD157)/zstd.c | arm-none-eabi-gcc $(BENCH_CPU_$1) -std=gnu99 $(CFLAGS_THIRD) \
	    -DZSTD_DISABLE_ASM=1 -DZSTD_LEGACY_SUPPORT=0 -I$(BENCH_ZSTD157) $3 -x c -c - -o $$@
$(BENCH)/$1/zstd157-$2-adapter.o: test/bench/decode_upstream.c $(BENCH_ZSTD157).ok | $(BUILD)/setup/arm.ok
	$(Q)arm-none-eabi-gcc $(BENCH_CPU_$1) $(BENCH_CFLAGS) -isystem $(BENCH_ZSTD157) -c $$< -o $$@
$(call bench_image,$1,zstd157-$2,$(BENCH)/$1/decode_main.c.o $(BENCH)/$1/zstd157-$2.o $(BENCH)/$1/zstd157-$2-adapter.o)
endef
$(eval $(call bench_zstd157,m3,default-O2,-O2))
$(eval $(call bench_zstd157,m3,minimal-O2,-O2 $(BENCH_ZSTD_MINIMAL)))
$(eval $(call bench_zstd157,m3,minimal-Os,-Os $(BENCH_ZSTD_MINIMAL)))
$(eval $(call bench_zstd157,m0plus,default-O2,-O2))
$(eval $(call bench_zstd157,m7,minimal-Os,-Os $(BENCH_ZSTD_MINIMAL)))
$(eval $(call bench_zstd157,m0plus,minimal-Os,-Os $(BENCH_ZSTD_MINIMAL)))

# libzstd as the library uses it, and the built-in decoder if test/bench has an adapter for it.
define bench_decoders
$(BENCH)/$1/zstd-package-adapter.o: test/bench/decode_upstream.c $(DEPS_ZSTD) | $(BUILD)/setup/arm.ok
	@mkdir -p $$(@D)
	$(Q)arm-none-eabi-gcc $(BENCH_CPU_$1) $(BENCH_CFLAGS) -isystem $(ZSTD_INCLUDE) -c $$< -o $$@
$(call bench_image,$1,zstd-package,$(BENCH)/$1/decode_main.c.o $(BENCH)/$1/zstd-package-adapter.o $(ZSTD_PARTS_size_$1))
$(if $(wildcard test/bench/decode_small.c),$(call bench_object,$1,test/bench/decode_small.c,decode_small,-Isrc)
$(call bench_image,$1,zstd-small,$(BENCH)/$1/decode_main.c.o $(BENCH)/$1/decode_small.o $(BUILD)/lib/size_$1/libutet.a))
endef
$(foreach c,$(BENCH_CORES),$(eval $(call bench_decoders,$c)))

# Frames that cause much work for a few bytes: through two caches of 512 bytes with io.step_limit, and mapped without
# it.
# $(call bench_hostile,CORE,NAME,FLAGS)
define bench_hostile
$(call bench_object,$1,test/bench/decode_small.c,decode_$2,-Isrc $3)
$(call bench_image,$1,$2,$(BENCH)/$1/hostile_main.o $(BENCH)/$1/decode_$2.o $(BUILD)/lib/size_$1/libutet.a)
endef
ifneq ($(wildcard test/bench/decode_small.c),)
$(foreach c,m0plus m3,$(eval $(call bench_object,$c,test/bench/decode_main.c,hostile_main,-DBENCH_HOSTILE)) \
    $(eval $(call bench_hostile,$c,hostile,-DSMALL_CACHE=512 -DSMALL_PAUSE=16))$(eval $(call bench_hostile,$c,hostile-map,)))
endif

$(BENCH)/hostile.pak: test/bench/hostile_pak.py test/bench/bench_pak.py
	@mkdir -p $(@D)
	$(Q)python3 $< - $@

# M7 has no library of its own here: the built-in decoder's sources are compiled for it.
BENCH_SMALL := $(wildcard src/zstd/zstd_*.c)
ifneq ($(wildcard test/bench/decode_small.c),)
$(foreach f,$(BENCH_SMALL) test/bench/decode_small.c,$(eval $(call bench_object,m7,$f,$(basename $(notdir $f)),-Isrc $(call hot_flags,$f,-Os))))
$(eval $(call bench_image,m7,zstd-small,$(BENCH)/m7/decode_main.c.o $(BENCH)/m7/decode_small.o \
    $(patsubst src/zstd/%.c,$(BENCH)/m7/%.o,$(BENCH_SMALL))))
endif

# ---- the library: raw, and each codec whose descriptor exists ----

# $(call bench_library,CORE,CODEC,FLAGS)
define bench_library
$(call bench_object,$1,test/bench/core_main.c,library-$2,$3)
$(call bench_image,$1,library-$2,$(BENCH)/$1/library-$2.o $(BUILD)/lib/size_$1/libutet.a)
endef
$(foreach c,$(BENCH_CORES),$(eval $(call bench_library,$c,raw,)) \
    $(foreach z,$(SIZE_CODECS),$(eval $(call bench_library,$c,$z,-DBENCH_CODEC=utet_codec_zstd_$z))))

# One payload in tiles of several sizes.
$(foreach c,m0plus m3,$(eval $(call bench_library,$c,tiles,-DBENCH_CODEC=utet_codec_zstd_small)))

$(BENCH)/frame: test/bench/frame.c $(BUILD)/test/zstd/judge.o
	@mkdir -p $(@D)
	$(Q)$(CC) -O2 -isystem $(BENCH_ZSTD157) $^ -lpthread -o $@

$(BENCH)/tiles.pak: test/bench/bench_tiles.py test/bench/bench_tet.py test/bench/bench_pak.py $(BENCH)/frame FORCE
	@mkdir -p $(@D)
	$(Q)python3 $< $(SHARED)/bench/payloads $(BENCH)/frame $@

# ---- zlib ----

# $(call bench_inflate,CORE)
define bench_inflate
$(call bench_object,$1,test/inflate/inf_bench.c,inf_bench,)
$(call bench_image,$1,inflate,$(BENCH)/$1/decode_main.c.o $(BENCH)/$1/inf_bench.o $(BUILD)/lib/size_$1/libutet.a)
endef
$(foreach c,m0plus m3,$(eval $(call bench_inflate,$c)))

$(BENCH)/inflate.pak: test/inflate/inf_pak.py test/bench/bench_pak.py FORCE
	@mkdir -p $(@D)
	$(Q)python3 $< $(SHARED)/bench/payloads $@ > /dev/null

# ---- szip, and simple_packing to floats if there is a floating-point unit ----

# $(call bench_szip,CORE)
define bench_szip
$(call bench_object,$1,test/szip/szip_bench.c,szip_bench,)
$(call bench_image,$1,szip,$(BENCH)/$1/decode_main.c.o $(BENCH)/$1/szip_bench.o $(BUILD)/lib/size_$1/libutet.a)
endef
$(foreach c,$(BENCH_CORES),$(eval $(call bench_szip,$c)))

# ---- folds ----

# $(call bench_fold,CORE)
define bench_fold
$(call bench_object,$1,test/bench/fold_main.c,fold_main,)
$(call bench_image,$1,fold,$(BENCH)/$1/fold_main.o $(BUILD)/lib/size_$1/libutet.a)
endef
$(foreach c,$(BENCH_CORES),$(eval $(call bench_fold,$c)))

$(BENCH)/fold.pak: test/bench/fold_pak.py test/bench/bench_tet.py test/bench/bench_pak.py test/fold/fold_model.py | $(BUILD)/setup/test.ok
	@mkdir -p $(@D)
	$(Q)PATH="$(TEST_PATH)" python3 $< - $@

# ---- slabs ----

# $(call bench_slab,CORE)
define bench_slab
$(call bench_object,$1,test/bench/slab_main.c,slab_main,)
$(call bench_image,$1,slab,$(BENCH)/$1/slab_main.o $(BUILD)/lib/size_$1/libutet.a)
endef
$(foreach c,$(BENCH_CORES),$(eval $(call bench_slab,$c)))

$(BENCH)/slab.pak: test/bench/slab_pak.py test/bench/bench_tet.py test/bench/bench_pak.py
	@mkdir -p $(@D)
	$(Q)python3 $< - $@

BENCH_FPU := -mfpu=fpv4-sp-d16 -mfloat-abi=softfp
$(eval $(call bench_object,m4,test/bench/decode_tensor.c,decode_tensor,$(BENCH_FPU)))
$(eval $(call bench_object,m4,src/tensogram/tensogram_unpack.c,tensogram_unpack,-Isrc $(BENCH_FPU)))
$(eval $(call bench_image,m4,tensor,$(BENCH)/m4/decode_main.c.o $(BENCH)/m4/decode_tensor.o $(BENCH)/m4/tensogram_unpack.o \
    $(BUILD)/lib/size_m4/libutet.a))

$(BENCH)/szip.pak: test/szip/szip_pak.py test/bench/bench_pak.py | $(BUILD)/setup/test.ok
	@mkdir -p $(@D)
	$(Q)python3 $< - $@
$(BENCH)/tensor.pak: test/bench/tensor_pak.py test/bench/bench_pak.py
	@mkdir -p $(@D)
	$(Q)python3 $< - $@

BENCH_SCRIPT = python3 test/bench/bench_table.py --build $(BENCH) --lib '$(BUILD)/lib/size_%'

BENCH_NEEDS = $(BENCH)/count.so $(BENCH)/payloads.pak $(BENCH)/raw.pak $(BENCH)/zstd.pak $(BENCH)/tiles.pak $(BENCH)/inflate.pak $(BENCH)/szip.pak $(BENCH)/tensor.pak $(BENCH)/fold.pak $(BENCH)/slab.pak $(BENCH)/hostile.pak $(BENCH_IMAGES)

bench: $(BENCH_NEEDS) | $(BUILD)/setup/demo.ok
	@$(BENCH_SCRIPT) $(BENCH_IMAGES)

bench-accept: $(BENCH_NEEDS) | $(BUILD)/setup/demo.ok
	@$(BENCH_SCRIPT) --accept $(BENCH_IMAGES)

# The same in the long tier, with the output in a log.
check-full: run-bench
run-bench: $(BENCH_NEEDS) | $(BUILD)/setup/demo.ok
	@BUILD=$(BUILD) test/tools/suite_run.sh bench $(BENCH_SCRIPT) $(BENCH_IMAGES)

# ---- modelled cycles of the zstd decoders (cycles.h), by hand ----

.PHONY: bench-cycles
bench-cycles: $(BENCH)/count.so $(BENCH)/payloads.pak $(foreach c,m3 m0plus,$(BENCH)/$c/zstd-small.elf $(BENCH)/$c/zstd157-default-O2.elf) | \
    $(BUILD)/setup/demo.ok
	@for c in m3 m0plus; do for i in zstd-small zstd157-default-O2; do echo "== $$c $$i"; \
	    python3 test/bench/bench_run.py --machine mps2-an385 --plugin $< --pak $(BENCH)/payloads.pak --core $$c $(BENCH)/$$c/$$i.elf \
	    || exit 1; done; done

# ---- an AVR: cycles of the packed layout alone, under simavr, by hand ----

BENCH_AVR     := $(BENCH)/avr
BENCH_AVR_CC   = avr-gcc $(ARCH_AVR) $(CFLAGS_STD) $(WARN) -Os $(CFLAGS_SEC) $(CFLAGS_DEP) -Iinclude -Isrc -Iboards/common
BENCH_AVR_SRC := $(BENCH_SMALL) boards/simavr/board.c boards/common/print.c test/bench/avr_main.c
BENCH_AVR_O   := $(patsubst %.c,$(BENCH_AVR)/%.o,$(notdir $(BENCH_AVR_SRC)))

define bench_avr
$(BENCH_AVR)/$(basename $(notdir $1)).o: $1 test/bench/bench.mk | $(BUILD)/setup/full.ok
	@mkdir -p $$(@D)
	$(Q)$$(BENCH_AVR_CC) $(call hot_flags,$1,-Os) -DUTET_ZSTD_TABLES=0 $(if $(findstring zstd,$1),,-std=gnu99 -Dmain=digest_main) -c $$< -o $$@
endef
$(foreach f,$(BENCH_AVR_SRC),$(eval $(call bench_avr,$f)))
-include $(wildcard $(BENCH_AVR)/*.d)

# An image of 1 KB, a field and a text of 4 KB: the beginnings of P2, P1 and P3.
$(BENCH_AVR)/files.o: $(BENCH)/frame boards/simavr/files.S boards/simavr/pack.py
	$(Q)cp $(SHARED)/bench/payloads/P2_00.zst $(@D)/image.zst && head -c 1024 $(SHARED)/bench/payloads/P2.raw > $(@D)/image.raw
	$(Q)head -c 4096 $(SHARED)/bench/payloads/P1.raw > $(@D)/field.raw && $< < $(@D)/field.raw > $(@D)/field.zst
	$(Q)head -c 4096 $(SHARED)/bench/payloads/P3.raw > $(@D)/text.raw && $< < $(@D)/text.raw > $(@D)/text.zst
	$(Q)cd $(@D) && $(CURDIR)/boards/simavr/pack.py files.bin $(foreach f,image field text,$f.zst $f.raw)
	$(Q)avr-gcc $(ARCH_AVR) '-DFILES="$(@D)/files.bin"' -c boards/simavr/files.S -o $@

$(BENCH_AVR)/bench.elf: $(BENCH_AVR_O) $(BENCH_AVR)/files.o
	$(call say,LINK,$@)
	$(Q)avr-gcc $(ARCH_AVR) -Wl,--gc-sections $^ -o $@

.PHONY: bench-avr
bench-avr: $(BENCH_AVR)/bench.elf
	@test/bench/avr.sh $<

include test/bench/others/others.mk
