# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# microtet: builds the library, the tool `utet`, the boards' firmware and the tests. GNU make; all results are in build/.
#
#   make            build/libutet.a and build/utet for this machine
#   make help       all targets
#
# `make`, `make lib` and `make tool` only build: they install and fetch nothing. They leave out what is missing (libzstd,
# libpng), and report it; `make setup` fetches it. All other targets install and fetch what they need.
#
# Variables of the user (command line or environment)
#   CROSS=          compiler prefix, any path:  make lib CROSS=arm-none-eabi- CFLAGS_CPU="-mcpu=cortex-m0plus -mthumb"
#   CFLAGS_CPU=     flags that choose the core, for CROSS
#   CC, OPT         compiler (gcc; with CROSS its gcc) and optimisation (-O2 -g for the host, -Os for CROSS)
#   CFLAGS=         further flags for library and tool
#   PREFIX= LIBDIR= DESTDIR=  where `make install` puts things: /usr/local, PREFIX/lib, and a folder in front of both
#   WERROR=         -Werror: warnings stop the build; that is the default for the project's own tests alone, with the compiler
#                   that they were written with (GCC_KNOWN)
#   ZSTD_DIR=       a copy of zstd of your own, 1.5.7 or later (the folder with lib/, or with a single zstd.c), else what was fetched
#                   into build/
#   ZSTD_UPSTREAM=no  leaves libzstd out of the library (nothing is fetched); =yes also includes it in a library for CROSS,
#                   as ZSTD_DIR= does
#   ZSTD_TOOL=no    builds the tool without the system's libzstd: `utet pack` then writes raw tiles (also ZLIB_TOOL, PNG_TOOL)
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
#   $(HOST_PORTS)   folders of ports that the tool uses, each with -I: port/posix port/mmap port/uart
#   $(Q)            @ unless V=1;  $(call say,CC,file) prints one short line
#   $(BUILD)/setup/GROUP.ok   order-only prerequisite: the packages of src/tools/setup.sh's GROUP are installed
#                   (build arm cross demo test full interop …)
#   $(DEPS_ZSTD) $(DEPS_FATFS) $(DEPS_LITTLEFS)   prerequisites: sources are in $(ZSTD_DIR)/lib, $(FATFS_DIR), $(LITTLEFS_DIR)
#   $(BUILD)/deps/NAME.ok     prerequisite: src/tools/fetch.sh NAME has unpacked build/deps/NAME
#   $(eval $(call utet_library,NAME,CROSS,CPU,OPT))   defines $(BUILD)/lib/NAME/libutet.a for any compiler and flags;
#                   already there: host m0plus m3 m4.  LIB_GCC_NAME, LIB_CFLAGS_NAME, LIB_OBJS_NAME tell how it is built.
#                   LIB_WITHOUT_NAME := packages, set before, leaves these out of library NAME.
#                   ZSTD_UPSTREAM_NAME := no, set before, leaves libzstd out of library NAME.
#   $(LIB_SRCS)     every source of the library except the adapter to libzstd, which is built with it

BUILD   := build
SHARED  ?= ../shared
CROSS   ?=
OPT     ?= $(if $(CROSS),-Os,-O2 -g)
CC_TOLD := $(filter-out default,$(firstword $(origin CC)))
ifeq ($(CC_TOLD),)
CC      := gcc
endif
# With CROSS, the compiler is its gcc unless the command line names another; a CC in the environment is the host's.
CROSS_CC := $(if $(filter command,$(CC_TOLD)),$(CC),$(CROSS)gcc)

Q       := $(if $(V),,@)
say      = @printf '  %-5s %s\n' '$1' '$2'

# With only these goals, nothing is installed and nothing is fetched.
ONLY_BUILD  := all lib lib-% packages tool shared install uninstall amalgamation reference clean distclean help $(BUILD)/utet $(BUILD)/libutet.a
MAY_INSTALL := $(filter-out $(ONLY_BUILD),$(MAKECMDGOALS))
# Goals that are not tests of this project. The others stop at a warning, and compare figures with those of the compiler that
# produced them: gcc with this major number, on the host and for Cortex-M. With another compiler, both are only printed.
NO_TEST     := setup deps demo browser size bench bench-others bench-avr bench-cycles dist dist-source dist-joined dist-arduino dist-platformio dist-espidf dist-npm figures
GCC_KNOWN   := 12
ifneq ($(filter-out $(NO_TEST),$(MAY_INSTALL)),)
WERROR      ?= $(if $(CROSS)$(filter command,$(CC_TOLD)),,$(if $(filter $(GCC_KNOWN),$(firstword $(subst ., ,$(shell $(CC) -dumpversion 2>&1)))),-Werror))
endif

CFLAGS_STD   := -std=c99
WARN         := -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wcast-align -Wcast-qual \
                -Wstrict-prototypes -Wundef -Wvla -Wswitch-enum $(WERROR)
CFLAGS_SEC   := -ffunction-sections -fdata-sections
CFLAGS_DEP   := -MMD -MP
CPPFLAGS_LIB := -Iinclude -Isrc
CFLAGS_VIS   := -fvisibility=hidden
CFLAGS_LIB   := $(CFLAGS_STD) $(WARN) $(CFLAGS_SEC) $(CFLAGS_VIS) $(CFLAGS_DEP) $(CPPFLAGS_LIB)
CFLAGS_THIRD := -w $(CFLAGS_SEC)

.DELETE_ON_ERROR:
.SECONDARY:
MAKEFLAGS += --no-builtin-rules
export PYTHONDONTWRITEBYTECODE := 1

.PHONY: all lib tool shared install uninstall setup deps demo test check-full soak interop size bench clean distclean help FORCE
all: lib tool

help:
	@sed -n 's/^#: //p' Makefile

#: make              library build/libutet.a and tool build/utet
#: make lib          the library alone; with CROSS= CFLAGS_CPU= in build/lib/<target>/
#: make lib-NAME     build/libutet-NAME.a: one package (base zstd inflate szip tet lz4 cbor tiledb tensogram fold query) and those it stands on
#: make amalgamation   build/amalgamation: the reader as utet.c and utet.h; each package NAME as NAME/utet_NAME.c and NAME/utet_NAME.h
#: make install      tool with man page and completion, libraries, headers, utet.pc, CMake package, ports. PREFIX= LIBDIR= DESTDIR=;  make uninstall
#: make reference    the API reference from the headers: build/reference/index.html, manual pages in build/man/man3
#: make shared       the shared library for this machine, build/libutet.so; it exports what the headers in include/ declare
#: make setup        installs and fetches what library and tool can use: compiler, libpng, the zstd package
#: make deps         fetches all third-party sources, so that later runs need no network
#: make demo         firmware on emulated boards reads the demonstration files off an SD card image
#: make browser      the page that reads files in a browser, with the library inside as WebAssembly: build/utet.html;  make dist-npm: a package for npm
#: make test         all tests, quick tier (at most 10 minutes on two cores)
#: make check-full   analysers, sanitizers, longer sweeps
#: make soak         long fuzzing and mutation runs, by hand before a release
#: make arch         the golden files on 20 machines and builds, one digest line each;  make eva, make analyse: static analysis
#: make dist         what a release consists of, from the last commit: build/dist with source archive, joined files and SHA256SUMS
#: make wheel        the Python package microtet (port/python) in build/python/dist;  make python  tests it, also with xarray and others
#: make wheel-aarch64  the same for 64-bit Arm Linux in build/python/aarch64;  make run-python-aarch64  tests it in QEMU
#: make interop      against the references: Tetration (builds it, about 5 minutes), TileDB, Tensogram; sums up;  make interop-zstd: foreign zstd encoders
#: make size         code, data and stack per core and configuration, against test/size's limits
#: make bench        instruction counts under the emulator;  make bench-others, by hand: other decoders, to test/results/others.md;  make bench-avr, bench-cycles, by hand: cycles
#: make format       clang-format over all sources;  make run-format checks it
#: make clean        removes what was built, keeps fetched packages;  make distclean  removes build/
#: Variables: PREFIX= LIBDIR= DESTDIR= CROSS= CFLAGS_CPU= CC= CFLAGS= OPT= WERROR= ZSTD_DIR= ZSTD_UPSTREAM=no FATFS_DIR= LITTLEFS_DIR= SHARED= V=1 (see the top of the Makefile)

# ---- packages and dependencies ----

$(BUILD)/setup/%.ok: src/tools/setup.sh $(wildcard /var/lib/dpkg/status)
	@BUILD=$(BUILD) src/tools/setup.sh $*

$(BUILD)/deps/%.ok: src/tools/fetch.sh | $(BUILD)/setup/build.ok
	@BUILD=$(BUILD) src/tools/fetch.sh $*

# What has been fetched does not change the result of a target: a library for CROSS has libzstd if it is requested.
ZSTD_ASKED := $(ZSTD_DIR)$(filter yes,$(ZSTD_UPSTREAM))

# $(call dependency,VARIABLE,NAME): VARIABLE_DIR as the user has set it, otherwise the fetched copy and the rule that
# fetches it.
define dependency
DEPS_$1 := $(if $($1_DIR)$(if $(MAY_INSTALL),,plain),,$(BUILD)/deps/$2.ok)
$1_DIR  := $(or $($1_DIR),$(BUILD)/deps/$2)
endef
$(eval $(call dependency,ZSTD,zstd157))
# libzstd's tests, generators and golden frames, from an older release: only for the tests of this project.
$(eval $(call dependency,ZSTD154,zstd154))
$(eval $(call dependency,FATFS,fatfs))
$(eval $(call dependency,LITTLEFS,littlefs))

# What goals that only build do without, and report as missing.
missing_header = $(if $(MAY_INSTALL),,$(shell printf '\043include <$1>\n' | $(CC) $(CFLAGS) -E -x c - >/dev/null 2>&1 || echo missing))
ifneq ($(CROSS),)
ifeq ($(ZSTD_ASKED)$(filter no,$(ZSTD_UPSTREAM))$(filter clean distclean help,$(MAKECMDGOALS)),)
$(info The library for $(CROSS) is without the codec utet_codec_zstd_upstream, the zstd package: ZSTD_UPSTREAM=yes takes it in.)
endif
endif
ifeq ($(MAY_INSTALL)$(wildcard $(ZSTD_DIR)/zstd.c $(ZSTD_DIR)/lib/zstd.h)$(filter no,$(ZSTD_UPSTREAM)),)
ZSTD_UPSTREAM := no
ifeq ($(filter clean distclean help,$(MAKECMDGOALS))$(if $(ZSTD_ASKED),,$(CROSS)),)
$(info The zstd package is not in $(ZSTD_DIR): the library has no codec utet_codec_zstd_upstream. `make setup` fetches it.)
endif
endif

setup: $(DEPS_ZSTD) | $(BUILD)/setup/build.ok

deps: $(DEPS_ZSTD) $(DEPS_ZSTD154) $(DEPS_FATFS) $(DEPS_LITTLEFS) $(BUILD)/deps/zstd157.ok

# ---- the library, once for each compiler and core ----

include src/packages.mk
include src/tet/codec/zstd_upstream.mk

LIB_SRCS  := $(sort $(filter-out $(ZSTD_ADAPTER),$(wildcard src/*/*.c src/*/*/*.c)))
setup_for  = $(if $(MAY_INSTALL),$(BUILD)/setup/$(if $1,$(if $(filter arm-none-eabi-,$1),arm,full),build).ok)

# Files that are compiled for speed where the rest is small: hot loops of the zstd decoder (src/zstd/INSIDE.md, "Your own build") and
# of szip.
hot_flags  = $(if $(filter %_hot.c,$1),$(if $(filter -Os,$2),-O2))

# $(call archive,AR,LIBRARY,OBJECTS): without dates and owners where ar has D for that (GNU and LLVM have it).
archive = rm -f $2; $1 Drcs $2 $3 2>/dev/null || { rm -f $2; $1 rcs $2 $3; }

# $(call utet_library,NAME,CROSS,CPU,OPT)
define utet_library
LIB_GCC_$1    := $(if $2,$(if $(filter $2,$(CROSS)),$(CROSS_CC),$2gcc),$(CC))
LIB_CFLAGS_$1 := $(CFLAGS_LIB) $3 $4
LIB_OBJS_$1   := $(patsubst src/%.c,$(BUILD)/lib/$1/obj/%.o,$(filter-out $(LIB_WITHOUT_$1:%=src/%/%),$(LIB_SRCS)))

$(BUILD)/lib/$1/flags: FORCE | $(call setup_for,$2)
	@mkdir -p $$(@D); line='$$(LIB_GCC_$1) $(subst ','\'',$(CFLAGS_LIB) $3 $4) $(ZSTD_DIR) $(ZSTD_UPSTREAM)'; \
	    echo "$$$$line" | cmp -s - $$@ || echo "$$$$line" > $$@

$(BUILD)/lib/$1/obj/%.o: src/%.c $(BUILD)/lib/$1/flags Makefile
	$$(call say,CC,$$< [$1])
	@mkdir -p $$(@D)
	$(Q)$$(LIB_GCC_$1) $$(LIB_CFLAGS_$1) $$(call hot_flags,$$<,$$(LIB_CFLAGS_$1)) -c $$< -o $$@

$(call zstd_upstream,$1,$2,$3 $4)

$(BUILD)/lib/$1/libutet.a: $$(LIB_OBJS_$1) $$(ZSTD_OBJ_$1) $(BUILD)/lib/$1/flags
	$$(call say,AR,$$@)
	$(Q)$$(call archive,$(if $2,$2ar,ar),$$@,$$(LIB_OBJS_$1) $$(ZSTD_OBJ_$1))

-include $$(wildcard $(BUILD)/lib/$1/obj/*/*.d $(BUILD)/lib/$1/obj/*/*/*.d)
endef

TARGET := $(if $(CROSS),$(patsubst %-,%,$(notdir $(CROSS)))$(subst $() $(),,$(patsubst -mcpu=%,-%,$(filter -mcpu=%,$(CFLAGS_CPU)))),host)

# Position-independent, because the library becomes part of shared libraries, such as modules of Python.
$(eval $(call utet_library,host,,,-fPIC $(if $(CROSS),-O2 -g,$(OPT) $(CFLAGS))))
$(eval $(call utet_library,m0plus,arm-none-eabi-,-mcpu=cortex-m0plus -mthumb,-Os -g))
$(eval $(call utet_library,m3,arm-none-eabi-,-mcpu=cortex-m3 -mthumb,-Os -g))
$(eval $(call utet_library,m4,arm-none-eabi-,-mcpu=cortex-m4 -mthumb -mfloat-abi=soft,-Os -g))
ifneq ($(TARGET),host)
ifeq ($(ZSTD_ASKED),)
ZSTD_UPSTREAM_$(TARGET) := no
endif
# Packages that need longer pointers than 16 bits.
ifneq ($(shell printf '\043include <stdint.h>\n\043if SIZE_MAX < 0xFFFFFFFF\nnarrow\n\043endif\n' | \
    $(CROSS_CC) $(CFLAGS_CPU) $(CFLAGS) -E -P -x c - 2>/dev/null | grep narrow),)
LIB_WITHOUT_$(TARGET) := cbor lz4 tensogram tiledb
$(info This processor has pointers of 16 bits: the library for it is without $(LIB_WITHOUT_$(TARGET)).)
endif
$(eval $(call utet_library,$(TARGET),$(CROSS),$(CFLAGS_CPU),$(OPT) $(CFLAGS)))
endif

lib: $(if $(CROSS),$(BUILD)/lib/$(TARGET)/libutet.a,$(BUILD)/libutet.a)

$(BUILD)/libutet.a: $(BUILD)/lib/host/libutet.a
	$(Q)cp $< $@

# ---- libraries of single packages: each holds the package and those that it stands on (src/packages.mk) ----

package_all     = $(sort $1 $(foreach p,$(STANDS_ON_$1),$(call package_all,$p)))
package_sources = $(filter-out $(ZSTD_ADAPTER),$(sort $(FILES_$1) $(wildcard $(foreach p,$(call package_all,$1),src/$p/*.c src/$p/*/*.c))))

# $(call package_library,NAME)
define package_library
.PHONY: lib-$1
lib-$1: $(if $(CROSS),$(BUILD)/lib/$(TARGET)/libutet-$1.a,$(BUILD)/libutet-$1.a)

$(BUILD)/lib/$(TARGET)/libutet-$1.a: $(patsubst src/%.c,$(BUILD)/lib/$(TARGET)/obj/%.o,$(call package_sources,$1))
	$$(call say,AR,$$@)
	$(Q)$$(call archive,$(if $(CROSS),$(CROSS)ar,ar),$$@,$$^)
ifeq ($(CROSS),)
$(BUILD)/libutet-$1.a: $(BUILD)/lib/host/libutet-$1.a
	$(Q)cp $$< $$@
endif
endef
$(foreach package,$(PACKAGES),$(eval $(call package_library,$(package))))

.PHONY: packages
packages: $(PACKAGES:%=lib-%)

# ---- the same objects as a shared library: hidden is what the headers in include/ do not declare ----

# The numbers of include/utet.h: all three, and those of the shared library's name.
UTET_VERSION := $(shell awk '/define UTET_VERSION_(MAJOR|MINOR|PATCH) / { printf "%s%d", dot, $$3; dot = "." }' include/utet.h)
UTET_SONAME  := $(basename $(UTET_VERSION))
ifeq ($(shell uname -s),Darwin)
SHARED_FILE  := libutet.$(UTET_VERSION).dylib
SHARED_LINKS := libutet.$(UTET_SONAME).dylib libutet.dylib
SHARED_FLAGS  = -dynamiclib -install_name $(LIBDIR)/$(firstword $(SHARED_LINKS))
else
SHARED_FILE  := libutet.so.$(UTET_VERSION)
SHARED_LINKS := libutet.so.$(UTET_SONAME) libutet.so
SHARED_FLAGS  = -shared -Wl,-soname,$(firstword $(SHARED_LINKS))
endif
SHARED_LIB   := $(BUILD)/$(lastword $(SHARED_LINKS))

$(SHARED_LIB): $(BUILD)/lib/host/libutet.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(SHARED_FLAGS) $(CFLAGS) $(LIB_OBJS_host) $(ZSTD_OBJ_host) -o $(BUILD)/$(SHARED_FILE)
	$(Q)for link in $(SHARED_LINKS); do ln -sf $(SHARED_FILE) $(BUILD)/$$link || exit 1; done
shared: $(SHARED_LIB)

# ---- joined into one file each: the reader of .tet files, and each package with those that it stands on ----

AMALGAMATION := $(BUILD)/amalgamation
.PHONY: amalgamation
amalgamation: $(AMALGAMATION)/utet.c

$(AMALGAMATION)/utet.c: src/tools/amalgamate.py src/tools/packages.py src/packages.mk $(wildcard src/*/*.[ch] src/*/*/*.[ch] include/*.h)
	$(call say,JOIN,$@ and utet.h; of each package NAME/utet_NAME.c and utet_NAME.h)
	$(Q)python3 src/tools/amalgamate.py $(AMALGAMATION)

# ---- the API reference: the comments of the headers, as pages and as manual pages of section 3 ----

.PHONY: reference
reference: $(BUILD)/reference/index.html

$(BUILD)/reference/index.html: src/tools/reference.py $(wildcard include/*.h)
	$(call say,PAGES,$@ and $(BUILD)/man/man3)
	$(Q)python3 src/tools/reference.py $(@D) $(BUILD)/man/man3

# The dependency files of an older build name sources that have moved since: the files that depend on them are built
# again.
src/%.c: ;
boards/%.c: ;
port/%.c: ;
test/%.c: ;

# ---- the tool ----

HOST_PORTS    := $(wildcard port/posix port/mmap port/uart)
TOOL_SRCS     := $(wildcard boards/host/*.c boards/host/*/*.c) $(foreach p,$(HOST_PORTS),$(wildcard $p/*.c))
TOOL_OBJS     := $(TOOL_SRCS:%.c=$(BUILD)/tool/%.o)
TOOL_CPPFLAGS := -Iinclude -Iboards/host $(HOST_PORTS:%=-I%) -D_FILE_OFFSET_BITS=64 $(if $(ZSTD_OBJ_host),,-DTOOL_NO_UPSTREAM)
TOOL_PACKAGES :=
# $(call tool_package,HEADER,LIBRARY,NAME,WHAT THE TOOL DOES NOT DO WITHOUT IT)
define tool_package
ifeq ($(call missing_header,$1)$(filter no,$($3_TOOL)),)
TOOL_PACKAGES += -l$2
else
TOOL_CPPFLAGS += -DTOOL_NO_$3
ifneq ($(filter all tool $(BUILD)/utet,$(or $(MAKECMDGOALS),all)),)
$$(info lib$2 is not there: the tool $4. `make setup` installs it.)
endif
endif
endef
$(eval $(call tool_package,png.h,png,PNG,reads no PNG (and compresses none)))
$(eval $(call tool_package,zlib.h,z,ZLIB,reads no compressed .npz))
$(eval $(call tool_package,zstd.h,zstd,ZSTD,packs raw tiles only))
TOOL_LIBS     ?= $(TOOL_PACKAGES) -lm -lpthread

tool: $(BUILD)/utet

$(BUILD)/tool/%.o: %.c $(BUILD)/lib/host/flags Makefile
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_STD) $(WARN) $(CFLAGS_DEP) $(TOOL_CPPFLAGS) $(OPT) $(CFLAGS) -c $< -o $@

# The targets that fit and pack know, as one array of texts.
TOOL_TARGETS := $(sort $(wildcard boards/host/targets/*.txt))

$(BUILD)/tool/targets.c: $(TOOL_TARGETS) Makefile
	@mkdir -p $(@D)
	$(Q){ echo 'extern const char *const targets_builtin[];'; echo 'const char *const targets_builtin[] = {'; \
	    for f in $(TOOL_TARGETS); do sed 's/\\/\\\\/g; s/"/\\"/g; s/.*/    "&\\n"/' $$f; echo '    ,'; done; echo '    0 };'; } > $@

$(BUILD)/tool/targets.o: $(BUILD)/tool/targets.c
	$(Q)$(CC) $(CFLAGS_STD) $(OPT) -c $< -o $@

$(BUILD)/utet: $(TOOL_OBJS) $(BUILD)/tool/targets.o $(BUILD)/libutet.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(TOOL_OBJS) $(BUILD)/tool/targets.o $(BUILD)/libutet.a $(TOOL_LIBS) -o $@

-include $(wildcard $(BUILD)/tool/boards/host/*.d $(BUILD)/tool/boards/host/*/*.d $(BUILD)/tool/port/*/*.d)

include port/install.mk

# ---- the other fragments add rules of their own; their packages come first ----

demo bench:      | $(BUILD)/setup/demo.ok
test:            | $(BUILD)/setup/test.ok
check-full soak: | $(BUILD)/setup/full.ok
interop:         | $(BUILD)/setup/interop.ok
size:            | $(BUILD)/setup/arm.ok

-include boards/boards.mk
-include boards/browser/browser.mk
-include test/test.mk
-include test/size/size.mk
-include test/bench/bench.mk

clean:
	$(Q)find $(BUILD) -mindepth 1 -maxdepth 1 ! -name deps ! -name setup -exec rm -rf {} + 2>/dev/null || true

distclean:
	$(Q)rm -rf $(BUILD)
