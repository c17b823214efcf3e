# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# Builds the zstd package, decompress-only, together with its adapter src/tet/codec/zstd_upstream.c into ONE object for each
# library: joined by ld -r, unused functions dropped (malloc with them), and every symbol but the adapter's utet_* made
# local, so that an application may link a zstd of its own. Relies on DEPS_ZSTD and ZSTD_DIR of the Makefile. At least
# 1.5.7: older releases have no switch for the Huffman loops that do not check where a stream ends.
#
# The configuration is the smallest one, and the same on a desktop as on a board: the one-symbol Huffman decoder and the
# two-symbol one differ in which damaged streams they notice, and a file must get the same verdict everywhere.
# Only inlining is a matter of speed alone, three times on text: ZSTD_NO_INLINE goes with -Os.
# ZSTD_DECODER_INTERNAL_BUFFER sets the size of the context and with it utet_chunk_need, so it is part of the contract.

ZSTD_ADAPTER := src/tet/codec/zstd_upstream.c
ZSTD_FIRST   := src/tet/codec/zstd_bmi2.h
ZSTD_UNITS   := common/debug common/entropy_common common/error_private common/fse_decompress common/zstd_common \
                common/xxhash decompress/huf_decompress decompress/zstd_ddict decompress/zstd_decompress \
                decompress/zstd_decompress_block
ZSTD_INCLUDE := $(ZSTD_DIR)/lib
ZSTD_SOURCE  := $(ZSTD_DIR)/lib
DEPS_ZSTD_SOURCE := $(DEPS_ZSTD)
# A copy that is one file, zstd.c, as what is fetched by default and some packages ship it.
ifneq ($(filter $(BUILD)/deps/zstd157,$(ZSTD_DIR))$(wildcard $(ZSTD_DIR)/zstd.c),)
ZSTD_UNITS   := zstd
ZSTD_INCLUDE := $(ZSTD_DIR)
ZSTD_SOURCE  := $(BUILD)/zstd-decompress
DEPS_ZSTD_SOURCE := $(ZSTD_SOURCE)/zstd.c

# The linker would drop the compressor and the dictionary builder, but compiling them takes ten times as long as the rest: they are
# cut out where the file that was joined says that they begin and end. Where it does not say so, all of it is compiled. Threads are for the
# compressor, and few boards have a pthread.h.
$(ZSTD_SOURCE)/zstd.c: $(DEPS_ZSTD) $(if $(DEPS_ZSTD),,$(ZSTD_DIR)/zstd.c) src/tet/codec/zstd_upstream.mk
	$(call say,CUT,$@)
	@mkdir -p $(@D)
	$(Q)awk '/^\/\*\*\*\* start inlining compress\// { cut = 1 } /^\/\*\*\*\* start inlining decompress\// { cut = 0 } \
	    /^\/\*\*\*\* start inlining dictBuilder\// { cut = 1 } /^#define ZSTD_MULTITHREAD$$/ { next } !cut' $(ZSTD_DIR)/zstd.c > $@
endif
# Its memory is static; the paths that would allocate are compiled against nothing, so no heap is linked.
ZSTD_NO_HEAP := -DZSTD_DEPS_MALLOC '-DZSTD_malloc(s)=((void*)0)' '-DZSTD_calloc(n,s)=((void*)0)' '-DZSTD_free(p)=((void)(p))'
ZSTD_CONFIG  := -DUTET_ZSTD_UPSTREAM -DZSTD_DECODER_INTERNAL_BUFFER=64 -DHUF_FORCE_DECOMPRESS_X1 -DZSTD_FORCE_DECOMPRESS_SEQUENCES_SHORT \
                -DZSTD_STRIP_ERROR_STRINGS -DZSTD_DISABLE_ASM=1 -DZSTD_LEGACY_SUPPORT=0 -DZSTD_TRACE=0 \
                -DHUF_DISABLE_FAST_DECODE=1 -DDEBUGLEVEL=0 -DZSTDLIB_VISIBLE= -DZSTDERRORLIB_VISIBLE= \
                $(ZSTD_NO_HEAP)
# Its functions are hidden (ZSTDLIB_VISIBLE, CFLAGS_VIS): otherwise -fPIC forbids to inline even ZSTD_isError.
# For the memory sanitizer zstd.c names intptr_t before it includes stdint.h.
ZSTD_CONFIG  += -include stdint.h
# Of a library's flags, those that are about our code only.
zstd_flags    = $(filter-out --coverage -fprofile% -ftest-coverage -flto% -fanalyzer,$1)

comma_ := ,
# $(call zstd_upstream,LIBRARY,CROSS,FLAGS): defines ZSTD_OBJ_LIBRARY, empty with ZSTD_UPSTREAM=no or ZSTD_UPSTREAM_LIBRARY=no.
define zstd_upstream
ZSTD_OBJ_$1   := $(if $(filter no,$(ZSTD_UPSTREAM) $(ZSTD_UPSTREAM_$1)),,$(BUILD)/lib/$1/zstd_upstream.o)
ZSTD_PARTS_$1 := $(ZSTD_UNITS:%=$(BUILD)/lib/$1/zstd/%.o)

$$(ZSTD_PARTS_$1): $(BUILD)/lib/$1/zstd/%.o: $(DEPS_ZSTD_SOURCE) $(BUILD)/lib/$1/flags src/tet/codec/zstd_upstream.mk $(ZSTD_FIRST)
	$$(call say,CC,zstd/$$*.c [$1])
	@mkdir -p $$(@D)
	$(Q)$$(LIB_GCC_$1) -std=gnu99 $(CFLAGS_THIRD) $(CFLAGS_VIS) $(call zstd_flags,$3) $(ZSTD_CONFIG) \
	    $(if $(filter -Os,$3),-DZSTD_NO_INLINE) -include $(ZSTD_FIRST) -I$(ZSTD_INCLUDE) \
	    -c $(ZSTD_SOURCE)/$$*.c -o $$@

$(BUILD)/lib/$1/zstd/zstd_adapter.o: $(ZSTD_ADAPTER) $(DEPS_ZSTD) $(BUILD)/lib/$1/flags src/tet/codec/zstd_upstream.mk
	$$(call say,CC,$$< [$1])
	@mkdir -p $$(@D)
	$(Q)$$(LIB_GCC_$1) $$(filter-out -flto%,$$(LIB_CFLAGS_$1)) $(ZSTD_CONFIG) \
	    -isystem $(ZSTD_INCLUDE) -c $$< -o $$@

# The adapter's global symbols are the roots of what is kept; undefined symbols that nothing kept refers to go too.
# Sanitizers and profilers have tables that no root leads to.
$(BUILD)/lib/$1/zstd_upstream.o: $(BUILD)/lib/$1/zstd/zstd_adapter.o $$(ZSTD_PARTS_$1)
	$$(call say,LD,$$@)
	$(Q)$$(LIB_GCC_$1) $(filter -m%,$3) -nostdlib -r $(if $(findstring -fsanitize,$3)$(findstring --coverage,$3),,-Wl$(comma_)--gc-sections) \
	    $$$$($2nm -g --defined-only $$< | awk '{ print "-u", $$$$3 }') $$^ -o $$@
	$(Q)$2objcopy --wildcard --keep-global-symbol='utet_*' \
	    $$$$($2nm -u $$@ | awk '{ print "--strip-unneeded-symbol=" $$$$2 }') $$@

-include $$(wildcard $(BUILD)/lib/$1/zstd/zstd_adapter.d)
endef
