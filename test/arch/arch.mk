# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# The golden files on many machines, one digest line for each (arch.sh): `make arch`, part of `make check-full`. The
# program is always the boards' firmware boards/common/digest.c: with hosted.c on systems with a C library, otherwise with
# a board's own start-up.

A := $(BUILD)/arch

ARCH_FLAGS  := $(CFLAGS_STD) $(WARN) -Iinclude -Iboards/common -Iport/semihosting
ARCH_DIGEST := $(addprefix boards/common/,digest.c print.c sha256.c words.c) port/semihosting/utet_semihosting.c
ARCH_ARRAYS := $(addprefix boards/common/,arrays.c tiledb_walk.c print.c words.c) port/semihosting/utet_semihosting.c
ARCH_DEPS   := $(wildcard boards/common/*.[ch] port/semihosting/*.[ch] include/*.h test/arch/*.c) test/arch/arch.mk

# $(call arch_program,NAME,LIBRARY,FLAGS,SOURCES,PROGRAM): build/arch/NAME.elf with the library's compiler; PROGRAM: the
# firmware's sources, by default ARCH_DIGEST.
define arch_program
$(A)/$1.elf: $4 $(ARCH_DEPS) $(BUILD)/lib/$2/libutet.a | $(BUILD)/setup/full.ok
	$$(call say,LINK,$$@)
	@mkdir -p $$(@D)
	$(Q)$$(LIB_GCC_$2) $(ARCH_FLAGS) $3 $(filter %.c,$4) $(filter %.o,$4) $(or $5,$(ARCH_DIGEST)) \
	    $$(if $$(ZSTD_OBJ_$2),,test/arch/no_upstream.c) $(BUILD)/lib/$2/libutet.a -o $$@
endef

# $(call arch_hosted,NAME,LIBRARY,FLAGS): the digests of tensors, and those of TileDB arrays
define arch_hosted
$(call arch_program,$1,$2,-Dmain=digest_main $3,test/arch/hosted.c)

$(call arch_program,arrays-$1,$2,-Dmain=digest_main $3,test/arch/hosted.c,$(ARCH_ARRAYS))
endef

ARCH_CPU := $(shell sed -n 's/^flags[^:]*://p' /proc/cpuinfo 2>&1 | head -n 1)

# This machine with other compilers and options: they treat strict aliasing, overflow and inlining differently, but the
# bytes must be the same.
ZSTD_UPSTREAM_o3 := no
ZSTD_UPSTREAM_os := no
ZSTD_UPSTREAM_lto := no
ZSTD_UPSTREAM_clang := no
ZSTD_UPSTREAM_fused := no
$(eval $(call utet_library,o3,,,-O3))
$(eval $(call utet_library,os,,,-Os))
$(eval $(call utet_library,lto,,,-O2 -flto))
$(eval $(call utet_library,clang,$(T)/bin/clang-,,-O2))
$(LIB_OBJS_clang): | $(T)/bin/clang-gcc
# All options that make GCC fuse multiplications and additions, for machines that can do so in one instruction. When it optimises a
# complete program, it assumes that values which a successful call sets are not set, and that lengths are larger than possible: these
# warnings are false alarms.
ARCH_FAST  := -O3 -funroll-loops -flto -ffp-contract=fast -march=haswell
$(eval $(call utet_library,fused,,,$(ARCH_FAST)))
ARCH_FAST  += -Wno-maybe-uninitialized -Wno-stringop-overflow
ARCH_FUSED := $(if $(and $(filter fma,$(ARCH_CPU)),$(filter avx2,$(ARCH_CPU))),x86-64-fused)
$(eval $(call arch_hosted,x86-64,host,-O2))
$(eval $(call arch_hosted,x86-64-O3,o3,-O3))
$(eval $(call arch_hosted,x86-64-Os,os,-Os))
$(eval $(call arch_hosted,x86-64-lto,lto,-O2 -flto))
$(eval $(call arch_hosted,x86-64-clang,clang,-O2))
$(eval $(call arch_hosted,x86-64-fused,fused,$(ARCH_FAST)))

# Others under qemu-user: 32 bits; big endian with 32 and 64 bits; Arm and RISC-V with 64 bits as on Linux. i386 and powerpc are libraries of test.mk.
ZSTD_UPSTREAM_mips := no
ZSTD_UPSTREAM_armhf := no
ZSTD_UPSTREAM_rv64 := no
$(eval $(call utet_library,s390x,s390x-linux-gnu-,,-O2))
$(eval $(call utet_library,mips,mips-linux-gnu-,,-O2))
$(eval $(call utet_library,armhf,arm-linux-gnueabihf-,,-O2))
$(eval $(call utet_library,rv64,riscv64-linux-gnu-,,-O2))
$(eval $(call arch_hosted,i386,i386,-O2 -fno-pie -no-pie -static))
$(eval $(call arch_hosted,powerpc,powerpc,-O2 -static))
$(eval $(call arch_hosted,s390x,s390x,-O2 -static))
$(eval $(call arch_hosted,mips,mips,-O2 -static))
$(eval $(call arch_hosted,armhf,armhf,-O2 -static))
$(eval $(call arch_hosted,rv64,rv64,-O2 -static))

# The library as a user builds it, with the lines of port/INTEGRATE.md (page.sh): for 64-bit Arm as on Linux, and for Cortex-M7, where it
# is linked with the objects of mps2-an500's firmware. Both multiply and add in one instruction if permitted.
# $(call arch_page,NAME,COMPILER,CORE): build/lib/NAME/libutet.a
define arch_page
LIB_GCC_$1 := $2
$(BUILD)/lib/$1/libutet.a: test/arch/page.sh port/INTEGRATE.md $(wildcard include/*.h src/*/*.[ch] src/*/*/*.[ch]) | $(BUILD)/setup/full.ok
	$$(call say,PAGE,$$@)
	$(Q)test/arch/page.sh $$(@D) $2 '$3'
endef
$(eval $(call arch_page,arm64-page,aarch64-linux-gnu-gcc,))
$(eval $(call arch_page,m7-page,arm-none-eabi-gcc,$(BOARD_CPU_mps2-an500)))
$(eval $(call arch_hosted,arm64-page,arm64-page,-O2 -static))
$(A)/%-m7-page.elf: $(BUILD)/boards/%-mps2-an500.elf $(BUILD)/lib/m7-page/libutet.a test/arch/no_upstream.c test/arch/arch.mk
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(BOARD_CC) $(BOARD_CPU_mps2-an500) $(CFLAGS_STD) -Iinclude $(CFLAGS_SEC) -nostartfiles --specs=nano.specs -Wl,--gc-sections \
	    -Lboards/common -Wl,-T,boards/mps2-an500/board.ld -Wl,--defsym=stack_size=2560 \
	    $(BOARD_OBJS_$*-mps2-an500) test/arch/no_upstream.c $(BUILD)/lib/m7-page/libutet.a -o $@

# QEMU's 32-bit RISC-V machine virt; boards.mk has the library.
# $(call arch_rv32,NAME,PROGRAM)
arch_rv32 = $(call arch_program,$1,rv32,$(RV32) -Os $(CFLAGS_SEC) -nostartfiles \
    -Wl$(comma)--gc-sections$(comma)--no-warn-rwx-segments -Lboards/common -T boards/virt-rv32/virt.ld,\
    boards/common/start_rv32.c boards/common/memory.c boards/common/semihost.c,$2)
$(eval $(call arch_rv32,rv32))
$(eval $(call arch_rv32,arrays-rv32,$(ARCH_ARRAYS)))
$(A)/rv32.elf $(A)/arrays-rv32.elf: boards/virt-rv32/virt.ld boards/common/sections.ld

# An 8-bit AVR: 16-bit int, 16 KB of RAM; the files are in its flash.
ARCH_AVR := -mmcu=atmega1284p
ZSTD_UPSTREAM_simavr := no
$(eval $(call utet_library,simavr,avr-,$(ARCH_AVR),-Os))
$(eval $(call arch_program,avr,simavr,$(ARCH_AVR) -Os $(CFLAGS_SEC) -Wl$(comma)--gc-sections -Dmain=digest_main,\
    boards/simavr/board.c $(A)/avr/files.o))

$(A)/avr/files.o: boards/simavr/files.S boards/simavr/pack.py test/arch/avr.txt $(wildcard test/golden/tet/*.tet) | $(BUILD)/setup/full.ok
	@mkdir -p $(@D)
	$(Q)boards/simavr/pack.py $(A)/avr/files.bin $$(sed 's|^|test/golden/tet/|' test/arch/avr.txt)
	$(Q)avr-gcc $(ARCH_AVR) '-DFILES="$(A)/avr/files.bin"' -c $< -o $@

# Frames with tables and lengths that no writer makes, through the small decoder: with int and pointers of 16 bits, and
# compiled for cores with and without unaligned loads.
$(A)/drawn-%.bin: $(T)/zstd/host/zs_diff test/arch/arch.mk
	@mkdir -p $(@D)
	$(Q)$< pack $* 1 > $@
$(A)/avr/drawn.o: $(A)/drawn-600.bin boards/simavr/files.S boards/simavr/pack.py | $(BUILD)/setup/full.ok
	@mkdir -p $(@D)
	$(Q)boards/simavr/pack.py $(A)/avr/drawn.bin $<
	$(Q)avr-gcc $(ARCH_AVR) '-DFILES="$(A)/avr/drawn.bin"' -c boards/simavr/files.S -o $@
$(A)/drawn-avr.elf: test/arch/drawn.c boards/simavr/board.c $(A)/avr/drawn.o $(BUILD)/lib/simavr/libutet.a $(ARCH_DEPS)
	$(call say,LINK,$@)
	$(Q)$(LIB_GCC_simavr) $(ARCH_FLAGS) $(ARCH_AVR) -Os $(CFLAGS_SEC) -Wl,--gc-sections -Dmain=digest_main '-DNAME="$(A)/drawn-600.bin"' \
	    test/arch/drawn.c boards/simavr/board.c boards/common/print.c $(A)/avr/drawn.o $(BUILD)/lib/simavr/libutet.a -o $@
$(foreach b,microbit mps2-an385,$(eval $(call board_program,drawn-$b,$b,test/arch/drawn.c,library,,-DNAME='"$(A)/drawn-6000.bin"')))

.PHONY: run-drawn
run-drawn: $(A)/drawn-avr.elf $(A)/drawn-6000.bin $(BUILD)/boards/drawn-microbit.elf $(BUILD)/boards/drawn-mps2-an385.elf | $(BUILD)/setup/full.ok
	@for b in microbit mps2-an385; do \
	    BUILD=$(BUILD) test/tools/suite_run.sh drawn-$$b test/arch/drawn.sh $$b $(BUILD)/boards/drawn-$$b.elf || bad=1; done; \
	BUILD=$(BUILD) test/tools/suite_run.sh drawn-avr test/arch/drawn.sh avr $< && test -z "$$bad"
check-full: run-drawn

ARCH_ARM  := microbit mps2-an385 mps2-an386 mps2-an500 mps2-an505
ARCH_USER := x86-64 x86-64-O3 x86-64-Os x86-64-lto x86-64-clang $(ARCH_FUSED) i386 powerpc s390x mips armhf rv64 arm64-page
ARCH_QEMU_powerpc := qemu-ppc
ARCH_QEMU_s390x   := qemu-s390x
ARCH_QEMU_mips    := qemu-mips
ARCH_QEMU_armhf   := qemu-arm
ARCH_QEMU_rv64    := qemu-riscv64
ARCH_QEMU_arm64-page := qemu-aarch64

# $(call arch_user,NAME,SET,CODEC): a line for arch.sh
arch_user = '$1 $2 $3 user $(ARCH_QEMU_$1) $(A)/$1.elf'
ARCH_RUNS := $(foreach n,$(ARCH_USER),$(call arch_user,$n,all,small)) \
    $(if $(ZSTD_OBJ_host),$(call arch_user,x86-64,all,upstream)) $(if $(ZSTD_OBJ_s390x),$(call arch_user,s390x,all,upstream)) \
    'rv32 all small rv32 - $(A)/rv32.elf' \
    $(foreach b,$(filter mps2%,$(ARCH_ARM)),'$b all small arm $b $(BUILD)/boards/digest-$b.elf') \
    'm7-page all small arm mps2-an500 $(A)/digest-m7-page.elf' \
    $(call arch_user,x86-64,16k,small) 'microbit 16k small arm microbit $(BUILD)/boards/digest-microbit.elf' \
    $(call arch_user,x86-64,avr,small) 'avr avr small avr atmega1284p $(A)/avr.elf'
# Files of TileDB arrays: not with pointers of 16 bits (avr), nor in the microbit's 16 KB.
ARCH_ARRAYS_ARM := lm3s6965evb $(filter mps2%,$(ARCH_ARM))
ARCH_RUNS += $(foreach n,$(ARCH_USER),'$n arrays gzip user $(ARCH_QEMU_$n) $(A)/arrays-$n.elf') \
    'rv32 arrays gzip rv32 - $(A)/arrays-rv32.elf' \
    $(foreach b,$(ARCH_ARRAYS_ARM),'$b arrays gzip arm $b $(BUILD)/boards/arrays-$b.elf') \
    'm7-page arrays gzip arm mps2-an500 $(A)/arrays-m7-page.elf'
# All shared files of arrays, if there are any: on the host, a big-endian machine, and a board.
ARCH_RUNS += $(if $(wildcard $(SHARED)/vectors/tiledb/good/.), \
    $(foreach n,x86-64 s390x,'$n vectors gzip user $(ARCH_QEMU_$n) $(A)/arrays-$n.elf') \
    'lm3s6965evb vectors gzip arm lm3s6965evb $(BUILD)/boards/arrays-lm3s6965evb.elf')

.PHONY: arch
arch: $(ARCH_USER:%=$(A)/arrays-%.elf) $(A)/arrays-rv32.elf $(ARCH_ARRAYS_ARM:%=$(BUILD)/boards/arrays-%.elf)
arch: $(A)/digest-m7-page.elf $(A)/arrays-m7-page.elf
arch: $(ARCH_USER:%=$(A)/%.elf) $(A)/rv32.elf $(A)/avr.elf $(ARCH_ARM:%=$(BUILD)/boards/digest-%.elf) | $(BUILD)/setup/full.ok
	$(if $(ARCH_FUSED),,@echo '  skipped: arch x86-64-fused, this processor does not multiply and add in one instruction')
	@printf '%s\n' $(ARCH_RUNS) | BUILD=$(BUILD) SHARED=$(SHARED) test/arch/arch.sh
check-full: arch

# The library and the tool without libzstd, in a build of their own.
.PHONY: run-no-upstream
run-no-upstream: | $(BUILD)/setup/build.ok
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/no-upstream ZSTD_UPSTREAM=no lib tool >$(BUILD)/no-upstream.log 2>&1 || tail -n 5 $(BUILD)/no-upstream.log
	@BUILD=$(BUILD) test/tools/suite_run.sh no-upstream test/arch/no_upstream.sh $(BUILD)/no-upstream/utet $(BUILD)/no-upstream/libutet.a
check-full: run-no-upstream
