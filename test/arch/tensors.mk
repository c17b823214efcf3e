# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# Tensogram files on the machines of `make arch`: boards/common/tensors.c, the golden vectors and 20,000 packed values (packed/), one digest line
# each. Not on AVR, whose pointers are too short for these packages. Otherwise as in arch.mk.

TENSORS_SOURCES := $(addprefix boards/common/,tensors.c print.c sha256.c words.c) port/semihosting/utet_semihosting.c

# $(call tensors_program,NAME,LIBRARY,FLAGS,SOURCES)
define tensors_program
$(A)/tensors-$1.elf: $4 $(ARCH_DEPS) $(BUILD)/lib/$2/libutet.a test/arch/tensors.mk | $(BUILD)/setup/$(if $(filter host,$2),test,full).ok
	$$(call say,LINK,$$@)
	@mkdir -p $$(@D)
	$(Q)$$(LIB_GCC_$2) $(ARCH_FLAGS) $3 $(filter %.c,$4) $(TENSORS_SOURCES) $(BUILD)/lib/$2/libutet.a -o $$@
endef
tensors_hosted = $(call tensors_program,$1,$2,-Dmain=digest_main $3,test/arch/hosted.c)

$(eval $(call tensors_hosted,x86-64,host,-O2))
$(eval $(call tensors_hosted,x86-64-O3,o3,-O3))
$(eval $(call tensors_hosted,x86-64-Os,os,-Os))
$(eval $(call tensors_hosted,x86-64-lto,lto,-O2 -flto))
$(eval $(call tensors_hosted,x86-64-clang,clang,-O2))
$(eval $(call tensors_hosted,x86-64-fused,fused,$(ARCH_FAST)))
$(eval $(call tensors_hosted,i386,i386,-O2 -fno-pie -no-pie -static))
$(eval $(call tensors_hosted,powerpc,powerpc,-O2 -static))
$(eval $(call tensors_hosted,s390x,s390x,-O2 -static))
$(eval $(call tensors_hosted,mips,mips,-O2 -static))
$(eval $(call tensors_hosted,armhf,armhf,-O2 -static))
$(eval $(call tensors_hosted,rv64,rv64,-O2 -static))
$(eval $(call tensors_hosted,arm64-page,arm64-page,-O2 -static))
$(eval $(call tensors_program,rv32,rv32,$(RV32) -Os $(CFLAGS_SEC) -nostartfiles \
    -Wl$(comma)--gc-sections$(comma)--no-warn-rwx-segments -Lboards/common -T boards/virt-rv32/virt.ld,\
    boards/common/start_rv32.c boards/common/memory.c boards/common/semihost.c))
$(A)/tensors-rv32.elf: boards/virt-rv32/virt.ld boards/common/sections.ld

TENSORS_ARM := lm3s6965evb $(ARCH_ARM)
$(foreach b,$(TENSORS_ARM),$(eval $(call board_program,tensors-$b,$b,\
    boards/common/tensors.c port/semihosting/utet_semihosting.c,library,,-Wl$(comma)--defsym=stack_size=2560)))

# NAME WORKSPACE KIND …, as in arch.sh; microbit has 16 KB of RAM in total.
TENSORS_HERE := 'x86-64 40960 user $(A)/tensors-x86-64.elf' 'lm3s6965evb 40960 arm lm3s6965evb $(BUILD)/boards/tensors-lm3s6965evb.elf'
TENSORS_RUNS := $(foreach n,$(ARCH_USER),'$n 40960 user $(ARCH_QEMU_$n) $(A)/tensors-$n.elf') 'rv32 40960 rv32 - $(A)/tensors-rv32.elf' \
    $(foreach b,lm3s6965evb $(filter mps2%,$(ARCH_ARM)),'$b 40960 arm $b $(BUILD)/boards/tensors-$b.elf') \
    'm7-page 40960 arm mps2-an500 $(A)/tensors-m7-page.elf' \
    'x86-64 6144 user $(A)/tensors-x86-64.elf' 'microbit 6144 arm microbit $(BUILD)/boards/tensors-microbit.elf'

.PHONY: run-tensors-board arch-tensors
run-tensors-board: $(A)/tensors-x86-64.elf $(BUILD)/boards/tensors-lm3s6965evb.elf | $(BUILD)/setup/demo.ok
	@printf '%s\n' $(TENSORS_HERE) >$(A)/tensors-here.runs
	@BUILD=$(BUILD) test/tools/suite_run.sh tensors-board python3 test/arch/tensors.py $(A)/tensors-here.runs
arch-tensors: $(ARCH_USER:%=$(A)/tensors-%.elf) $(A)/tensors-rv32.elf $(A)/tensors-m7-page.elf $(TENSORS_ARM:%=$(BUILD)/boards/tensors-%.elf) | $(BUILD)/setup/full.ok
	@printf '%s\n' $(TENSORS_RUNS) >$(A)/tensors.runs
	@BUILD=$(BUILD) test/tools/suite_run.sh arch-tensors python3 test/arch/tensors.py $(A)/tensors.runs
arch: arch-tensors
test: run-tensors-board
