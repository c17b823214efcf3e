# microtet: builds the library, the tool `utet`, the boards' firmware and the tests. GNU make; everything lands in build/.
#
#   make            build/libutet.a and build/utet for this machine
#   make help       all targets
#
# Variables of the user (command line or environment)
#   CROSS=          compiler prefix:  make lib CROSS=arm-none-eabi- CFLAGS_CPU="-mcpu=cortex-m0plus -mthumb"
#   CFLAGS_CPU=     flags that choose the core, for CROSS
#   CC, OPT         host compiler (gcc) and optimisation (-O2 -g for the host, -Os for CROSS)
#   WERROR=         empty: warnings do not stop the build (compilers newer than ours)
#   ZSTD_DIR=       a copy of zstd of your own (the folder with lib/, or with a single zstd.c), else fetched into build/
#   ZSTD_UPSTREAM=no  leaves the zstd package out of the library (nothing is fetched; for 16-bit cores)
#   FATFS_DIR=      a copy of FatFs (the folder with ff.c and ff.h);  LITTLEFS_DIR= the same for littlefs (lfs.c)
#   SHARED=         folder with the large test vectors (../shared); tests that need it are skipped, by name, without it
#   V=1             show commands
#
# Variables and rules for the fragments boards/boards.mk, test/test.mk, test/size/size.mk, test/bench/bench.mk
#   $(BUILD)        build                   each fragment keeps to a folder of its own in it: $(BUILD)/boards, …
#   $(CFLAGS_STD)   -std=c99                $(WARN)  all warnings, as errors        $(CFLAGS_DEP)  -MMD -MP
#   $(CFLAGS_SEC)   one section per function and object          $(CPPFLAGS_LIB)  -Iinclude -Isrc
#   $(CFLAGS_LIB)   = STD + WARN + SEC + DEP + CPPFLAGS_LIB: what library sources are compiled with
#   $(CFLAGS_THIRD) for third-party sources: no warnings, sections, no dependency files
#   $(HOST_PORTS)   folders of ports that the tool uses, each with -I: port/posix port/mmap
#   $(Q)            @ unless V=1;  $(call say,CC,file) prints one short line
#   $(BUILD)/setup/GROUP.ok   order-only prerequisite: the packages of test/tools/setup.sh's GROUP are installed
#                   (build arm demo test full interop …)
#   $(DEPS_ZSTD) $(DEPS_FATFS) $(DEPS_LITTLEFS)   prerequisites: sources are in $(ZSTD_DIR)/lib, $(FATFS_DIR), $(LITTLEFS_DIR)
#   $(BUILD)/deps/NAME.ok     prerequisite: test/tools/fetch.sh NAME has unpacked build/deps/NAME
#   $(eval $(call utet_library,NAME,CROSS,CPU,OPT))   defines $(BUILD)/lib/NAME/libutet.a for any compiler and flags;
#                   already there: host m0plus m3 m4.  LIB_GCC_NAME, LIB_CFLAGS_NAME, LIB_OBJS_NAME tell how it is built.
#                   ZSTD_UPSTREAM_NAME := no, set before, leaves the zstd package out of library NAME.
#   $(LIB_SRCS)     every source of the library but the adapter to the zstd package, which is built with it

BUILD   := build
SHARED  ?= ../shared
CROSS   ?=
OPT     ?= $(if $(CROSS),-Os,-O2 -g)
WERROR  ?= -Werror
ifeq ($(origin CC),default)
CC      := gcc
endif

Q       := $(if $(V),,@)
say      = @printf '  %-5s %s\n' '$1' '$2'

CFLAGS_STD   := -std=c99
WARN         := -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wcast-align -Wcast-qual \
                -Wstrict-prototypes -Wundef -Wvla -Wswitch-enum $(WERROR)
CFLAGS_SEC   := -ffunction-sections -fdata-sections
CFLAGS_DEP   := -MMD -MP
CPPFLAGS_LIB := -Iinclude -Isrc
CFLAGS_LIB   := $(CFLAGS_STD) $(WARN) $(CFLAGS_SEC) $(CFLAGS_DEP) $(CPPFLAGS_LIB)
CFLAGS_THIRD := -w $(CFLAGS_SEC)

.DELETE_ON_ERROR:
.SECONDARY:
MAKEFLAGS += --no-builtin-rules
export PYTHONDONTWRITEBYTECODE := 1

.PHONY: all lib tool deps demo test check-full soak interop size bench clean distclean help FORCE
all: lib tool

help:
	@sed -n 's/^#: //p' Makefile

#: make              library build/libutet.a and tool build/utet
#: make lib          the library alone; with CROSS= CFLAGS_CPU= in build/lib/<target>/
#: make deps         fetches all third-party sources, so that later runs need no network
#: make demo         firmware on emulated boards reads the demonstration files off an SD card image
#: make test         all tests, quick tier (at most 10 minutes on two cores)
#: make check-full   analysers, sanitizers, longer sweeps
#: make soak         long fuzzing and mutation runs, by hand before a release
#: make arch         the golden files on 18 machines and builds, one digest line each;  make eva, make analyse: static analysis
#: make dist         the release archive of the committed tree, build/microtet-VERSION.tar.gz
#: make interop      against the reference implementation (builds it, about 5 minutes)
#: make size         code, data and stack per core and configuration, against test/size's limits
#: make bench        instruction counts under the emulator
#: make clean        removes what was built, keeps fetched packages;  make distclean  removes build/
#: Variables: CROSS= CFLAGS_CPU= CC= OPT= WERROR= ZSTD_DIR= ZSTD_UPSTREAM=no FATFS_DIR= LITTLEFS_DIR= SHARED= V=1 (see the top of the Makefile)

# ---- packages and dependencies ----

$(BUILD)/setup/%.ok: test/tools/setup.sh $(wildcard /var/lib/dpkg/status)
	@BUILD=$(BUILD) test/tools/setup.sh $*

$(BUILD)/deps/%.ok: test/tools/fetch.sh | $(BUILD)/setup/build.ok
	@BUILD=$(BUILD) test/tools/fetch.sh $*

# $(call dependency,VARIABLE,NAME): VARIABLE_DIR as the user set it, else the fetched copy and the rule that fetches it.
define dependency
DEPS_$1 := $(if $($1_DIR),,$(BUILD)/deps/$2.ok)
$1_DIR  := $(or $($1_DIR),$(BUILD)/deps/$2)
endef
$(eval $(call dependency,ZSTD,zstd))
$(eval $(call dependency,FATFS,fatfs))
$(eval $(call dependency,LITTLEFS,littlefs))

deps: $(DEPS_ZSTD) $(DEPS_FATFS) $(DEPS_LITTLEFS) $(BUILD)/deps/zstd157.ok

# ---- the library, once for each compiler and core ----

include src/codec/zstd_upstream.mk

LIB_SRCS  := $(sort $(filter-out $(ZSTD_ADAPTER),$(wildcard src/*/*.c)))
setup_for  = $(BUILD)/setup/$(if $1,$(if $(filter arm-none-eabi-,$1),arm,full),build).ok

# $(call utet_library,NAME,CROSS,CPU,OPT)
define utet_library
LIB_GCC_$1    := $(if $2,$2gcc,$(CC))
LIB_CFLAGS_$1 := $(CFLAGS_LIB) $3 $4
LIB_OBJS_$1   := $(LIB_SRCS:src/%.c=$(BUILD)/lib/$1/obj/%.o)

$(BUILD)/lib/$1/flags: FORCE | $(call setup_for,$2)
	@mkdir -p $$(@D); echo '$(if $2,$2gcc,$(CC)) $(CFLAGS_LIB) $3 $4 $(ZSTD_DIR)' | cmp -s - $$@ || \
	    echo '$(if $2,$2gcc,$(CC)) $(CFLAGS_LIB) $3 $4 $(ZSTD_DIR)' > $$@

$(BUILD)/lib/$1/obj/%.o: src/%.c $(BUILD)/lib/$1/flags Makefile
	$$(call say,CC,$$< [$1])
	@mkdir -p $$(@D)
	$(Q)$$(LIB_GCC_$1) $$(LIB_CFLAGS_$1) -c $$< -o $$@

$(call zstd_upstream,$1,$2,$3 $4)

$(BUILD)/lib/$1/libutet.a: $$(LIB_OBJS_$1) $$(ZSTD_OBJ_$1) $(BUILD)/lib/$1/flags
	$$(call say,AR,$$@)
	$(Q)rm -f $$@; $(if $2,$2ar,ar) Drcs $$@ $$(LIB_OBJS_$1) $$(ZSTD_OBJ_$1)

-include $$(wildcard $(BUILD)/lib/$1/obj/*/*.d)
endef

TARGET := $(if $(CROSS),$(CROSS:%-=%)$(subst $() $(),,$(patsubst -mcpu=%,-%,$(filter -mcpu=%,$(CFLAGS_CPU)))),host)

$(eval $(call utet_library,host,,,$(if $(CROSS),-O2 -g,$(OPT))))
$(eval $(call utet_library,m0plus,arm-none-eabi-,-mcpu=cortex-m0plus -mthumb,-Os))
$(eval $(call utet_library,m3,arm-none-eabi-,-mcpu=cortex-m3 -mthumb,-Os))
$(eval $(call utet_library,m4,arm-none-eabi-,-mcpu=cortex-m4 -mthumb -mfloat-abi=soft,-Os))
ifneq ($(TARGET),host)
$(eval $(call utet_library,$(TARGET),$(CROSS),$(CFLAGS_CPU),$(OPT)))
endif

lib: $(if $(CROSS),$(BUILD)/lib/$(TARGET)/libutet.a,$(BUILD)/libutet.a)

$(BUILD)/libutet.a: $(BUILD)/lib/host/libutet.a
	$(Q)cp $< $@

# ---- the tool ----

HOST_PORTS    := $(wildcard port/posix port/mmap)
TOOL_SRCS     := $(wildcard boards/host/*.c) $(foreach p,$(HOST_PORTS),$(wildcard $p/*.c))
TOOL_OBJS     := $(TOOL_SRCS:%.c=$(BUILD)/tool/%.o)
TOOL_CPPFLAGS := -Iinclude $(HOST_PORTS:%=-I%) -D_FILE_OFFSET_BITS=64 $(if $(ZSTD_OBJ_host),,-DTOOL_NO_UPSTREAM)
TOOL_LIBS     ?= -lpng -lm

tool: $(BUILD)/utet

$(BUILD)/tool/%.o: %.c $(BUILD)/lib/host/flags Makefile
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_STD) $(WARN) $(CFLAGS_DEP) $(TOOL_CPPFLAGS) $(OPT) -c $< -o $@

$(BUILD)/utet: $(TOOL_OBJS) $(BUILD)/libutet.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(TOOL_OBJS) $(BUILD)/libutet.a $(TOOL_LIBS) -o $@

-include $(wildcard $(BUILD)/tool/boards/host/*.d $(BUILD)/tool/port/*/*.d)

# ---- the other rooms bring rules of their own; their packages come first ----

demo bench:      | $(BUILD)/setup/demo.ok
test:            | $(BUILD)/setup/test.ok
check-full soak: | $(BUILD)/setup/full.ok
interop:         | $(BUILD)/setup/interop.ok
size:            | $(BUILD)/setup/arm.ok

-include boards/boards.mk
-include test/test.mk
-include test/size/size.mk
-include test/bench/bench.mk

clean:
	$(Q)find $(BUILD) -mindepth 1 -maxdepth 1 ! -name deps ! -name setup -exec rm -rf {} + 2>/dev/null || true

distclean:
	$(Q)rm -rf $(BUILD)
