# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# Tests of the ports on the host, and of the library on the emulated boards over the golden files. Included by test/test.mk.

PT       := $(BUILD)/test/port
PT_FLAGS := $(CFLAGS_STD) $(WARN) $(CFLAGS_DEP) -D_FILE_OFFSET_BITS=64 -Iinclude -Itest/harness -Itest/port \
            -Iport/posix -Iport/mmap -Iport/dma -Iport/fatfs -Iport/littlefs -Iport/partition -Iport/uart -isystem $(LITTLEFS_DIR) -Iboards/common -Iboards/lm3s6965evb
# FatFs as the port configures it, with exFAT; for card_write it is writable.
PT_FATFS := -isystem $(FATFS_DIR) -include port/fatfs/ffconf.h -DFF_FS_EXFAT=1
PT_WRITE := $(PT_FATFS) -DFF_FS_READONLY=0 -DFF_USE_MKFS=1 -DFF_FS_RPATH=1
PT_KINDS := $(foreach k,fat16 fat32 mbr sdhc exfat,$k $k-fragmented)
PT_IMAGES := $(PT_KINDS:%=$(PT)/card-%.img)
# Small images for suite_chains and suite_cards, which damage them, and one with a file over 4 GiB, which has gaps.
PT_CARDS := $(foreach k,fat12 fat16 fat32 exfat big,$(PT)/small-$k.img)
PT_FILES := $(wildcard test/golden/demo/*.tet test/golden/demo/*.tgm)

# ---- card images: the demonstration files, and two more that distinguish FAT32 and MBR cards ----

$(PT)/extra/%: $(PT_FILES)
	@mkdir -p $@
	$(Q)rm -f $@/*; cp test/golden/demo/demo_tiny.tet "$@/Messwerte über dem Äquator, Station 17.tet"
	$(Q)cp test/golden/demo/$(if $(findstring mbr,$*),demo_small,demo_tiny).tet $@/changed.tet

$(PT)/card-exfat.img $(PT)/card-exfat-fragmented.img: $(PT)/card_write $(PT_FILES)
	$(Q)rm -f $@; truncate -s 64M $@; $< $(if $(findstring fragmented,$@),-f) $@ $(PT_FILES)

$(PT)/small-%.img: $(PT)/card_write test/golden/demo/demo_tiny.tet
	$(Q)rm -f $@; truncate -s $(if $(findstring fat12,$@),256K,$(if $(findstring fat16,$@),4M,$(if $(findstring fat32,$@),40M,$(if $(findstring big,$@),6G,4M)))) $@
	$(Q)$< $(if $(findstring big,$@),-g $@,-t $* $@ test/golden/demo/demo_tiny.tet)

# mtools converts names from the user's locale; the locale C would not work.
$(PT)/card-%.img: $(PT)/extra/% test/tools/card_make.sh | $(BUILD)/setup/demo.ok
	$(Q)LC_ALL=C.UTF-8 test/tools/card_make.sh $* $@ $(PT_FILES) $</*

# ---- programs ----

$(PT)/write/%.o: test/port/%.c $(DEPS_FATFS) test/port/port.mk | $(BUILD)/setup/test.ok
	@mkdir -p $(@D)
	$(Q)$(CC) $(PT_FLAGS) $(PT_WRITE) -O1 -g -c $< -o $@

$(PT)/card_write: $(PT)/write/card_write.o $(PT)/write/disk_image.o $(DEPS_FATFS) port/fatfs/ffconf.h
	$(call say,LINK,$@)
	$(Q)$(CC) -w $(PT_WRITE) -O1 $(filter %.o,$^) $(FATFS_DIR)/ff.c $(FATFS_DIR)/ffunicode.c -o $@

# A littlefs volume for the board's flash (boards/lm3s6965evb/volume.c).
$(PT)/volume_write: test/port/volume_write.c boards/lm3s6965evb/volume.h $(DEPS_LITTLEFS) test/port/port.mk | $(BUILD)/setup/test.ok
	@mkdir -p $(@D)
	$(Q)$(CC) $(filter-out $(CFLAGS_DEP),$(PT_FLAGS)) -O1 -g -c $< -o $@.o
	$(Q)$(CC) -w -isystem $(LITTLEFS_DIR) -DLFS_NO_MALLOC -DLFS_NO_DEBUG -O1 $@.o $(LITTLEFS_DIR)/lfs.c $(LITTLEFS_DIR)/lfs_util.c -o $@

$(BOARDS)/volume.img: $(PT)/volume_write $(VOLUME_FILES)
	@mkdir -p $(@D)
	$(Q)$< $@ $(VOLUME_FILES)

# $(call port_variant,NAME,LIBRARY,FLAGS): suites of the ports with this library.
define port_variant
PT_OBJS_$1 := $(PT)/$1/harness/suite.o $(PT)/$1/harness/hash.o

$(PT)/$1/%.o: test/%.c test/port/port.mk $$(DEPS_FATFS) $$(DEPS_LITTLEFS) | $(BUILD)/setup/test.ok
	@mkdir -p $$(@D)
	$(Q)$(CC) $(PT_FLAGS) $$(PT_FATFS) $3 -c $$< -o $$@

$(PT)/$1/%.o: port/%.c test/port/port.mk $$(DEPS_FATFS) $$(DEPS_LITTLEFS) | $(BUILD)/setup/test.ok
	@mkdir -p $$(@D)
	$(Q)$(CC) $(PT_FLAGS) $$(PT_FATFS) $3 -c $$< -o $$@

$(PT)/$1/third/%.o: $$(DEPS_FATFS) port/fatfs/ffconf.h test/port/port.mk
	@mkdir -p $$(@D)
	$(Q)$(CC) -w $$(PT_FATFS) $3 -c $$(FATFS_DIR)/$$*.c -o $$@

$(PT)/$1/lfs/%.o: $$(DEPS_LITTLEFS) test/port/port.mk
	@mkdir -p $$(@D)
	$(Q)$(CC) -w -isystem $$(LITTLEFS_DIR) -DLFS_NO_MALLOC -DLFS_NO_DEBUG -DLFS_NO_ERROR -DLFS_NO_WARN $3 -c $$(LITTLEFS_DIR)/$$*.c -o $$@

$(PT)/$1/suite_ports: $$(PT_OBJS_$1) $(addprefix $(PT)/$1/,port/suite_ports.o posix/utet_posix.o posix/utet_posix_folder.o mmap/utet_mmap.o) $(BUILD)/lib/$2/libutet.a
	$(Q)$(CC) $3 $$^ -lcmocka -o $$@

$(PT)/$1/suite_dma: $$(PT_OBJS_$1) $(addprefix $(PT)/$1/,port/suite_dma.o dma/utet_dma.o dma/utet_ahead.o) $(BUILD)/lib/$2/libutet.a
	$(Q)$(CC) $3 $$^ -lcmocka -o $$@

$(PT)/$1/boards/%.o: boards/common/%.c test/port/port.mk
	@mkdir -p $$(@D)
	$(Q)$(CC) $(PT_FLAGS) $3 -c $$< -o $$@

$(PT)/$1/suite_sdcard: $$(PT_OBJS_$1) $(PT)/$1/port/suite_sdcard.o $(PT)/$1/boards/sdcard.o
	$(Q)$(CC) $3 $$^ -lcmocka -o $$@

$(PT)/$1/suite_fatfs: $$(PT_OBJS_$1) $(addprefix $(PT)/$1/,port/suite_fatfs.o port/demo_files.o port/disk_image.o fatfs/utet_fatfs.o third/ff.o third/ffunicode.o) $(BUILD)/lib/$2/libutet.a
	$(Q)$(CC) $3 $$^ -lcmocka -o $$@

$(PT)/$1/suite_cards $(PT)/$1/suite_chains: $(PT)/$1/%: $(PT)/$1/port/%.o $$(PT_OBJS_$1) $(addprefix $(PT)/$1/,port/demo_files.o port/disk_image.o fatfs/utet_fatfs.o fatfs/utet_fatfs_words.o third/ff.o third/ffunicode.o) $(BUILD)/lib/$2/libutet.a
	$(Q)$(CC) $3 $$^ -lcmocka -o $$@

$(PT)/$1/suite_littlefs $(PT)/$1/suite_littlefsfaults: $(PT)/$1/%: $(PT)/$1/port/%.o $$(PT_OBJS_$1) $(addprefix $(PT)/$1/,port/demo_files.o littlefs/utet_littlefs.o littlefs/utet_littlefs_folder.o lfs/lfs.o lfs/lfs_util.o) $(BUILD)/lib/$2/libutet.a
	$(Q)$(CC) $3 $$^ -lcmocka -o $$@

$(PT)/$1/suite_uart: $$(PT_OBJS_$1) $(addprefix $(PT)/$1/,port/suite_uart.o port/uartlink.o port/demo_files.o uart/utet_uart.o uart/utet_uart_packet.o) $(BUILD)/lib/$2/libutet.a
	$(Q)$(CC) $3 $$^ -lcmocka -o $$@

$(PT)/$1/suite_partition: $$(PT_OBJS_$1) $(addprefix $(PT)/$1/,port/suite_partition.o port/demo_files.o partition/utet_partition.o) $(BUILD)/lib/$2/libutet.a
	$(Q)$(CC) $3 $$^ -lcmocka -o $$@

.PHONY: run-port-$1
run-port-$1: $(PT)/$1/suite_uart $(PT)/$1/suite_partition $(PT)/$1/suite_ports $(PT)/$1/suite_fatfs $(PT)/$1/suite_cards $(PT)/$1/suite_chains $(PT)/$1/suite_littlefs $(PT)/$1/suite_littlefsfaults \
    $(PT)/$1/suite_sdcard $(PT)/$1/suite_dma $(PT_IMAGES) $(PT_CARDS)
	@BUILD=$(BUILD) test/tools/suite_run.sh $1-ports $(PT)/$1/suite_ports
	@IMAGES=$(PT) FILES=test/golden/demo BUILD=$(BUILD) test/tools/suite_run.sh $1-fatfs $(PT)/$1/suite_fatfs
	@IMAGES=$(PT) FILES=test/golden/demo BUILD=$(BUILD) test/tools/suite_run.sh $1-cards $(PT)/$1/suite_cards
	@IMAGES=$(PT) FILES=test/golden/demo BUILD=$(BUILD) test/tools/suite_run.sh $1-chains $(PT)/$1/suite_chains
	@FILES=test/golden/demo BUILD=$(BUILD) test/tools/suite_run.sh $1-littlefs $(PT)/$1/suite_littlefs
	@FILES=test/golden/demo BUILD=$(BUILD) test/tools/suite_run.sh $1-littlefsfaults $(PT)/$1/suite_littlefsfaults
	@BUILD=$(BUILD) test/tools/suite_run.sh $1-sdcard $(PT)/$1/suite_sdcard
	@FILES=test/golden/demo $(if $(filter asan,$1),SUITE_LIGHT=1) BUILD=$(BUILD) test/tools/suite_run.sh $1-uart $(PT)/$1/suite_uart
	@GOLDEN=test/golden/tet FILES=test/golden/demo BUILD=$(BUILD) test/tools/suite_run.sh $1-partition $(PT)/$1/suite_partition
	@BUILD=$(BUILD) test/tools/suite_run.sh $1-dma $(PT)/$1/suite_dma

-include $$(wildcard $(PT)/$1/*/*.d)
endef

$(eval $(call port_variant,host,host,-O2 -g))
$(eval $(call port_variant,asan,asan,$(TEST_ASAN)))

# ---- the port for serial lines, and the tool at the other end, as processes ----

$(PT)/uart_read: $(PT_OBJS_host) $(addprefix $(PT)/host/,port/uart_read.o uart/utet_uart.o uart/utet_uart_packet.o) $(BUILD)/lib/host/libutet.a
	$(Q)$(CC) $^ -lcmocka -o $@

.PHONY: run-port-uart
run-port-uart: $(PT)/uart_read $(BUILD)/utet
	@BUILD=$(BUILD) test/tools/suite_run.sh port-uart test/port/uart_test.py $(BUILD)/utet $< test/golden/demo
test: run-port-uart

# ---- the port for web servers, by hand: it needs libcurl's headers ----

$(PT)/http_read: test/port/http_read.c test/port/digest_lines.h test/harness/hash.c $(wildcard port/http/*.[ch]) $(BUILD)/lib/host/libutet.a | $(BUILD)/setup/http.ok
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_STD) $(WARN) -D_POSIX_C_SOURCE=200809L -Iinclude -Itest/harness -Iport/http -O1 -g $(filter %.c %.a,$^) -lcurl -o $@

.PHONY: run-http
run-http: $(PT)/http_read
	@BUILD=$(BUILD) test/tools/suite_run.sh http test/port/http_test.py $< test/golden/demo

# ---- FatFs with the names of R0.12, without fast seek; with it the port compiles as well ----

PT_OLD := $(PT)/old
PT_OLD_FLAGS := $(filter-out $(CFLAGS_DEP),$(PT_FLAGS)) -isystem $(PT_OLD) -O1 -g

$(PT_OLD)/ff.o: $(DEPS_FATFS) port/fatfs/ffconf.h test/port/port.mk
	@mkdir -p $(@D)
	$(Q)for f in $(FATFS_DIR)/ff.c $(FATFS_DIR)/ff.h $(FATFS_DIR)/diskio.h $(FATFS_DIR)/ffunicode.c port/fatfs/ffconf.h; do \
	    sed -E 's/\bFF_(MAX_SS|MIN_SS|USE_FASTSEEK|USE_LABEL|FS_EXFAT|FS_REENTRANT|VOLUMES)\b/_\1/g' $$f >$(PT_OLD)/$$(basename $$f); done
	$(Q)! grep -rqwE 'FF_(MAX_SS|MIN_SS|USE_FASTSEEK|USE_LABEL|FS_EXFAT|FS_REENTRANT|VOLUMES)' $(PT_OLD)/*.[ch]
	$(Q)$(CC) -w -D_USE_FASTSEEK=0 -c $(PT_OLD)/ff.c -o $@ && $(CC) -w -c $(PT_OLD)/ffunicode.c -o $(PT_OLD)/ffunicode.o

$(PT_OLD)/suite_oldfatfs: $(PT_OLD)/ff.o test/port/suite_oldfatfs.c test/port/demo_files.c test/port/disk_image.c $(PT_OBJS_host) \
                          port/fatfs/utet_fatfs.c port/fatfs/utet_fatfs.h $(BUILD)/lib/host/libutet.a
	$(Q)$(CC) $(PT_OLD_FLAGS) -D_USE_FASTSEEK=1 -c port/fatfs/utet_fatfs.c -o $(PT_OLD)/with.o
	$(Q)$(CC) $(PT_OLD_FLAGS) -D_USE_FASTSEEK=0 $(filter %.c %.o %.a,$^) $(PT_OLD)/ffunicode.o -lcmocka -o $@

.PHONY: run-port-old
run-port-old: $(PT_OLD)/suite_oldfatfs $(PT_IMAGES)
	@IMAGES=$(PT) FILES=test/golden/demo BUILD=$(BUILD) test/tools/suite_run.sh fatfs-old $<
test: run-port-old

# ---- a card with sectors of 4,096 bytes, and FatFs for such cards ----

PT_4K := $(PT)/4k
PT_4K_FLAGS := $(filter-out $(CFLAGS_DEP),$(PT_FLAGS)) -O1 -g -DFF_MIN_SS=4096 -DFF_MAX_SS=4096

$(PT_4K)/%.ff: $(DEPS_FATFS) port/fatfs/ffconf.h test/port/port.mk
	@mkdir -p $@
	$(Q)for f in ff ffunicode; do $(CC) -w $(PT_4K_FLAGS) $(PT_$*) -c $(FATFS_DIR)/$$f.c -o $@/$$f.o || exit 1; done

$(PT)/sectors-4k.img: $(PT_4K)/WRITE.ff test/port/card_write.c test/port/disk_image.c $(PT_FILES)
	$(Q)$(CC) $(PT_4K_FLAGS) $(PT_WRITE) $(filter %.c,$^) $</ff.o $</ffunicode.o -o $(PT_4K)/card_write
	$(Q)rm -f $@; truncate -s 16M $@; $(PT_4K)/card_write -t fat16 $@ $(PT_FILES)

$(PT_4K)/suite_4k: $(PT_4K)/FATFS.ff test/port/suite_4k.c test/port/demo_files.c test/port/disk_image.c $(PT_OBJS_host) \
                   port/fatfs/utet_fatfs.c port/fatfs/utet_fatfs.h $(BUILD)/lib/host/libutet.a
	$(Q)$(CC) $(PT_4K_FLAGS) $(PT_FATFS) $(filter %.c %.o %.a,$^) $</ff.o $</ffunicode.o -lcmocka -o $@

.PHONY: run-port-4k
run-port-4k: $(PT_4K)/suite_4k $(PT)/sectors-4k.img
	@IMAGES=$(PT) FILES=test/golden/demo BUILD=$(BUILD) test/tools/suite_run.sh fatfs-4k $<
test: run-port-4k

# ---- posix and mmap with 32-bit pointers ----

$(eval $(call utet_library,port32,i686-linux-gnu-,,-O1 -g))

$(PT)/suite_ports32: test/port/suite_ports.c test/harness/suite.c test/harness/foreign/cmocka.c port/posix/utet_posix.c port/posix/utet_posix_folder.c \
                     port/mmap/utet_mmap.c $(BUILD)/lib/port32/libutet.a | $(BUILD)/setup/full.ok
	@mkdir -p $(@D)
	$(Q)i686-linux-gnu-gcc $(filter-out $(CFLAGS_DEP),$(PT_FLAGS)) -Itest/harness/foreign -O1 -g -static $^ -o $@

.PHONY: run-port-32
run-port-32: $(PT)/suite_ports32 | $(BUILD)/setup/full.ok
	@BUILD=$(BUILD) test/tools/suite_run.sh ports-32-bit qemu-i386 $<

# ---- boards under QEMU: start-up, card driver, the golden files ----

.PHONY: run-boards
run-boards: $(patsubst %,$(BUILD)/boards/selftest-%.elf,$(filter-out sifive_e,$(BOARD_NAMES))) \
            $(BUILD)/boards/cardtest.elf $(PT_IMAGES) | $(BUILD)/setup/demo.ok
	@test/tools/qemu_boards.sh $(BUILD)/boards $(PT) test/golden/demo/SHA256SUMS

# Quick tier: a Cortex-M3 with ample memory, the 64 KB of lm3s6965evb, and the 16 KB of a Cortex-M0.
GOLDEN_BOARDS := mps2-an385 lm3s6965evb microbit
GOLDEN_BOARDS_FULL := mps2-an386 mps2-an500 mps2-an505 sifive_e
GOLDEN_CODECS := upstream small
GOLDEN_CODECS_sifive_e := small

.PHONY: $(addprefix run-golden-,$(GOLDEN_BOARDS) $(GOLDEN_BOARDS_FULL))
$(addprefix run-golden-,$(GOLDEN_BOARDS) $(GOLDEN_BOARDS_FULL)): run-golden-%: $(BUILD)/boards/digest-%.elf | $(BUILD)/setup/demo.ok
	@mkdir -p $(BUILD)/test/log
	@for c in $(or $(GOLDEN_CODECS_$*),$(GOLDEN_CODECS)); do \
	    test/tools/qemu_golden.py --codec $$c $* $< test/golden/golden.txt test $(SHARED) include/utet_io.h || bad=1; done; test -z "$$bad"

run-golden-sifive_e: | $(BUILD)/setup/full.ok

test: run-port-host run-port-asan run-boards $(addprefix run-golden-,$(GOLDEN_BOARDS))
check-full: run-port-32 $(addprefix run-golden-,$(GOLDEN_BOARDS_FULL))
