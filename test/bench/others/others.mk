# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# `make bench-others`, by hand: other decoders in the firmware of `make bench`, on the same payloads; others.py writes the
# table to test/results/others.md. It uses bench.mk; src/tools/fetch.sh fetches the decoders.

OTHERS      := $(BENCH)/others
OTHERS_DEPS := $(BUILD)/deps
UZLIB       := micropython/lib/uzlib

# $(call others_source,CORE,NAME,PACKAGE,FILE,FLAGS): a file of a fetched package.
define others_source
$(OTHERS)/$1/$2/$(notdir $4).o: $(OTHERS_DEPS)/$3.ok test/bench/others/others.mk | $(BUILD)/setup/arm.ok
	@mkdir -p $$(@D)
	$(Q)arm-none-eabi-gcc $(BENCH_CPU_$1) -std=gnu99 $(CFLAGS_THIRD) -O2 -DNDEBUG $5 -c $(OTHERS_DEPS)/$4 -o $$@
endef
# $(call others_decoder,CORE,NAME,PACKAGE,FILES,FLAGS,HEADERS): the image of a fetched decoder and its adapter; without FILES: only memcpy.
# HEADERS: their folder, if it is not the package's own.
define others_decoder
$(OTHERS)/$1/$2/adapter.o: test/bench/others/$2.c test/bench/others/others.mk $(if $3,$(OTHERS_DEPS)/$3.ok) | $(BUILD)/setup/arm.ok
	@mkdir -p $$(@D)
	$(Q)arm-none-eabi-gcc $(BENCH_CPU_$1) $(filter-out $(CFLAGS_DEP),$(BENCH_CFLAGS)) $(if $3,-isystem $(OTHERS_DEPS)/$(or $6,$3)) $5 -c $$< -o $$@
$(foreach f,$4,$(eval $(call others_source,$1,$2,$3,$f,$5)))
$(call others_image,$1,$2,$(foreach f,$4,$(OTHERS)/$1/$2/$(notdir $f).o))
endef
# $(call others_image,CORE,NAME,OBJECTS)
define others_image
$(OTHERS)/$1/$2.elf: $(BENCH_OBJS_$1) $(BENCH)/$1/decode_main.c.o $(OTHERS)/$1/$2/adapter.o $3
	$$(call say,LINK,$$@)
	$(Q)arm-none-eabi-gcc $(BENCH_CPU_$1) -nostartfiles --specs=nano.specs -Wl,--gc-sections,--defsym=_sbrk=0 \
	    -Lboards/common -T boards/$(BENCH_MACHINE_$1)/board.ld $$(filter %.o,$$^) -o $$@
OTHERS_IMAGES += $(OTHERS)/$1/$2.elf
endef
# $(call others_ours,CORE,NAME,ADAPTER,SOURCES,FLAGS): a decoder of this project, compiled as the library is for Cortex-M.
define others_ours
$(OTHERS)/$1/$2/adapter.o: $3 $(wildcard src/*/*.h include/*.h test/bench/*.h) test/bench/others/others.mk | $(BUILD)/setup/arm.ok
	@mkdir -p $$(@D)
	$(Q)arm-none-eabi-gcc $(BENCH_CPU_$1) $(BENCH_CFLAGS) -Isrc $5 -c $$< -o $$@
$(foreach f,$4,$(eval $(call others_own,$1,$2,$f,$5)))
$(call others_image,$1,$2,$(foreach f,$4,$(OTHERS)/$1/$2/$(notdir $f).o))
endef
define others_own
$(OTHERS)/$1/$2/$(notdir $3).o: $3 $(wildcard src/*/*.h include/*.h) test/bench/others/others.mk | $(BUILD)/setup/arm.ok
	@mkdir -p $$(@D)
	$(Q)arm-none-eabi-gcc $(BENCH_CPU_$1) $(CFLAGS_LIB) -Os $(call hot_flags,$3,-Os) $4 -c $$< -o $$@
endef

$(foreach c,m3 m0plus, \
    $(eval $(call others_decoder,$c,copy,,,)) \
    $(eval $(call others_ours,$c,utet-zstd-tables,test/bench/decode_small.c,$(BENCH_SMALL),-DUTET_ZSTD_PACKED=0)) \
    $(eval $(call others_ours,$c,utet-zstd-packed,test/bench/decode_small.c,$(BENCH_SMALL),-DUTET_ZSTD_TABLES=0)) \
    $(eval $(call others_ours,$c,utet-inflate,test/inflate/inf_bench.c,$(wildcard src/inflate/*.c),)) \
    $(eval $(call others_decoder,$c,sevenzip,sevenzip,sevenzip/ZstdDec.c sevenzip/Xxh64.c,)) \
    $(eval $(call others_decoder,$c,lz4,lz4,lz4/lz4.c,)) \
    $(eval $(call others_decoder,$c,miniz,miniz,miniz/miniz.c,-DMINIZ_NO_STDIO -DMINIZ_NO_TIME -DMINIZ_NO_ARCHIVE_APIS)) \
    $(eval $(call others_decoder,$c,uzlib,micropython,$(addprefix $(UZLIB)/,tinflate.c header.c adler32.c crc32.c),,$(UZLIB))) \
    $(eval $(call others_decoder,$c,heatshrink,heatshrink,heatshrink/heatshrink_decoder.c,-DHEATSHRINK_DYNAMIC_ALLOC=0)))

# The encoders of the payloads, on this machine.
$(OTHERS)/encoders.so: $(OTHERS_DEPS)/lz4.ok $(OTHERS_DEPS)/heatshrink.ok
	@mkdir -p $(@D)
	$(Q)$(CC) -O2 -w -shared -fPIC $(addprefix $(OTHERS_DEPS)/,lz4/lz4.c lz4/lz4hc.c heatshrink/heatshrink_encoder.c) -o $@

$(OTHERS_DEPS)/miniz.ok: | $(BUILD)/setup/others.ok

.PHONY: bench-others
bench-others: $(BENCH)/count.so $(OTHERS)/encoders.so $(OTHERS_IMAGES) $(BENCH)/m3/zstd157-default-O2.elf $(BENCH)/m0plus/zstd157-default-O2.elf | $(BUILD)/setup/others.ok
	@python3 test/bench/others/others.py $(BENCH) $(SHARED)/bench/payloads test/results/others.md

# The cells of data, tile and level that our decoder loses; cells.py writes them to the same page.
.PHONY: bench-cells
bench-cells: $(BENCH)/count.so $(foreach c,m3 m0plus,$(foreach i,utet-zstd-tables utet-zstd-packed sevenzip,$(OTHERS)/$c/$i.elf) $(BENCH)/$c/zstd157-default-O2.elf) | \
    $(BUILD)/setup/others.ok
	@python3 test/bench/others/cells.py $(BENCH) $(SHARED)/bench/packs test/results/others.md
