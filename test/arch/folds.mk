# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# All folds on the machines of `make arch`: boards/common/folds.c over the files of folds.txt, one digest line each, equal to the
# host's. Not on AVR, whose double has 32 bits, nor in the microbit's 16 KB of RAM. Otherwise as in arch.mk.

FOLDS_SOURCES := $(addprefix boards/common/,folds.c print.c words.c) port/semihosting/utet_semihosting.c
folds_hosted = $(call arch_program,folds-$1,$2,-Dmain=digest_main $3,test/arch/hosted.c,$(FOLDS_SOURCES))

$(eval $(call folds_hosted,x86-64,host,-O2))
$(eval $(call folds_hosted,x86-64-O3,o3,-O3))
$(eval $(call folds_hosted,x86-64-Os,os,-Os))
$(eval $(call folds_hosted,x86-64-lto,lto,-O2 -flto))
$(eval $(call folds_hosted,x86-64-clang,clang,-O2))
$(eval $(call folds_hosted,x86-64-fused,fused,$(ARCH_FAST)))
$(foreach n,i386 powerpc s390x mips armhf rv64 arm64-page,$(eval $(call folds_hosted,$n,$n,-O2 $(if $(filter i386,$n),-fno-pie -no-pie) -static)))
$(eval $(call arch_rv32,folds-rv32,$(FOLDS_SOURCES)))
$(A)/folds-rv32.elf: boards/virt-rv32/virt.ld boards/common/sections.ld

FOLDS_ARM := $(ARCH_ARRAYS_ARM)
$(foreach b,$(FOLDS_ARM),$(eval $(call board_program,folds-$b,$b,boards/common/folds.c port/semihosting/utet_semihosting.c,library,,)))

FOLDS_RUNS := $(foreach n,$(ARCH_USER),'$n folds raw user $(ARCH_QEMU_$n) $(A)/folds-$n.elf') \
    'rv32 folds raw rv32 - $(A)/folds-rv32.elf' \
    $(foreach b,$(FOLDS_ARM),'$b folds raw arm $b $(BUILD)/boards/folds-$b.elf') \
    'm7-page folds raw arm mps2-an500 $(A)/folds-m7-page.elf'
ARCH_RUNS += $(FOLDS_RUNS)
FOLDS_ELFS := $(ARCH_USER:%=$(A)/folds-%.elf) $(A)/folds-rv32.elf $(A)/folds-m7-page.elf $(FOLDS_ARM:%=$(BUILD)/boards/folds-%.elf)
arch: $(FOLDS_ELFS)

# These lines alone.
.PHONY: arch-folds
arch-folds: $(FOLDS_ELFS) | $(BUILD)/setup/full.ok
	@printf '%s\n' $(FOLDS_RUNS) | BUILD=$(BUILD) SHARED=$(SHARED) test/arch/arch.sh
