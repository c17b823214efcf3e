# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# The firmware of the boards against the host and the files. (Start-up, cards, golden files: test/port/port.mk.)

BT := $(BUILD)/test/boards

# The demonstration as `make demo` runs it, with both codecs, and what it draws on its display.
DEMO_LOGS := $(BT)/demo-small.log $(BT)/demo-upstream.log

$(DEMO_LOGS): $(BT)/demo-%.log: $(BOARDS)/demo-%.elf $(BOARDS)/card-fat32.img test/tools/screen.py \
        $(LM3S)/demo.png test/golden/demo/digests.txt | $(BUILD)/setup/demo.ok
	@mkdir -p $(@D)/screen-$*
	$(Q)$(call DEMO_SCREEN,$*,$(@D)/screen-$*) --out planet=$(@D)/screen-$*/planet.png \
	    --out ripple=$(@D)/screen-$*/ripple.png -- $(call QEMU_LM3S,fat32) $< >$@ || { tail -n 20 $@; exit 1; }

.PHONY: run-demo-labels
run-demo-labels: $(DEMO_LOGS) $(BUILD)/utet
	@BUILD=$(BUILD) test/tools/suite_run.sh demo-labels test/boards/labels_test.py $< $(BT)/screen-small \
	    $(LM3S)/font.c test/golden/demo test/golden/demo/digests.txt $(BUILD)/utet

test: run-demo-labels

# The planet and the ripple from one file, in turn.
.PHONY: run-together
$(BT)/together.log: $(BOARDS)/together.elf $(BOARDS)/card-together.img test/tools/screen.py $(LM3S)/demo.png | $(BUILD)/setup/demo.ok
	$(Q)$(call TOGETHER_SCREEN,$(@D)/screen-together) >$@ || { tail -n 20 $@; exit 1; }
run-together: $(BT)/together.log $(BUILD)/utet
	@BUILD=$(BUILD) test/tools/suite_run.sh together test/boards/together_test.py $< $(BT)/screen-together $(BOARDS)/together.tet \
	    $(LM3S)/demo.png $(BUILD)/utet

test: run-together

# Unusual cards: the demonstration shows their files, or names the reason in a message.
.PHONY: run-cards
run-cards: $(BOARDS)/demo-small.elf $(BUILD)/test/port/small-exfat.img $(BUILD)/utet | $(BUILD)/setup/demo.ok
	@BUILD=$(BUILD) test/tools/suite_run.sh demo-cards test/boards/cards_test.py $< test/golden/demo/demo_tiny.tet \
	    $(BUILD)/test/port/small-exfat.img $(BUILD)/utet $(BT)/cards

test: run-cards

# Fields of a Tensogram message, compared with what the tool decodes.
.PHONY: run-forecast
$(BT)/forecast.log: $(BOARDS)/forecast.elf $(BOARDS)/card-forecast.img test/tools/screen.py | $(BUILD)/setup/demo.ok
	@mkdir -p $(@D)/screen-forecast
	$(Q)test/tools/screen.py --work $(@D)/screen-forecast --out field0=$(@D)/screen-forecast/field0.png \
	    --out field1=$(@D)/screen-forecast/field1.png -- $(call QEMU_LM3S,forecast) $< >$@ || { tail -n 20 $@; exit 1; }
run-forecast: $(BT)/forecast.log $(BUILD)/utet
	@BUILD=$(BUILD) test/tools/suite_run.sh forecast test/boards/forecast_test.py $< $(BT)/screen-forecast \
	    $(LM3S)/font.c test/golden/demo/forecast.tgm $(BUILD)/utet

test: run-forecast

# The same message with one bit of a payload flipped: no value is shown, and the hash of the frame gives the reason.
.PHONY: run-forecast-damaged
$(BOARDS)/card-forecast-damaged.img: test/golden/demo/forecast.tgm test/boards/damaged_test.py test/tools/card_make.sh | $(BUILD)/setup/demo.ok
	$(Q)python3 test/boards/damaged_test.py --make $< $(BOARDS)/damaged/forecast.tgm
	$(Q)test/tools/card_make.sh fat32 $@ $(BOARDS)/damaged/forecast.tgm
$(BT)/forecast-damaged.log: $(BOARDS)/forecast.elf $(BOARDS)/card-forecast-damaged.img
	@mkdir -p $(@D)
	$(Q)$(call QEMU_LM3S,forecast-damaged) $< -semihosting-config enable=on,target=native >$@ 2>&1; [ $$? = 1 ] || { tail -n 20 $@; exit 1; }
run-forecast-damaged: $(BT)/forecast-damaged.log
	@BUILD=$(BUILD) test/tools/suite_run.sh forecast-damaged python3 test/boards/damaged_test.py $< $(BOARDS)/damaged/forecast.tgm

test: run-forecast-damaged

# Schemas of TileDB arrays, compared with what the tool prints for the same folders.
.PHONY: run-array
$(BT)/array.log: $(BOARDS)/array.elf $(BOARDS)/card-array.img | $(BUILD)/setup/demo.ok
	@mkdir -p $(@D)
	$(Q)$(call QEMU_LM3S,array) $< -semihosting-config enable=on,target=native >$@ 2>&1 || { tail -n 20 $@; exit 1; }
run-array: $(BT)/array.log $(BUILD)/utet
	@BUILD=$(BUILD) test/tools/suite_run.sh array test/boards/array_test.py $< $(BUILD)/utet $(BOARDS)/arrays

test: run-array

# A littlefs volume in flash: every dataset has the digest of the list.
.PHONY: run-volume
run-volume: $(BOARDS)/volume.elf | $(BUILD)/setup/demo.ok
	@BUILD=$(BUILD) test/tools/suite_run.sh volume test/boards/volume_test.py $< test/golden/demo/digests.txt $(notdir $(VOLUME_FILES))

test: run-volume

# All files of an SD card on an RP2040, and three faults of the card.
.PHONY: run-rp2040
$(BUILD)/deps/rp2040js.ok: | $(BUILD)/setup/rp2040.ok
run-rp2040: $(BOARDS)/rp2040.uf2 $(BOARDS)/card-sdhc.img $(BUILD)/deps/rp2040js.ok
	@BUILD=$(BUILD) test/tools/suite_run.sh rp2040 node test/boards/rp2040_test.mjs $< $(BOARDS)/card-sdhc.img test/golden/demo/digests.txt

check-full: run-rp2040

# Sound from the card: each sample, the time that is left, and faults. Four sounds, 0.5 s each.
AUDIO_SOUNDS := 16000-raw 16000-zstd 44100-raw 44100-zstd
$(BT)/audio/%.img: test/boards/audio_test.mjs test/tools/card_make.sh $(BUILD)/utet $(BUILD)/deps/rp2040js.ok | $(BUILD)/setup/demo.ok
	@rm -rf $(@:.img=) && mkdir -p $(@:.img=)
	$(Q)BUILD=$(BUILD) node $< --make $(firstword $(subst -, ,$*)) $(@:.img=)
	$(Q)$(BUILD)/utet pack $(@:.img=)/rate.npy $(@:.img=)/sound.npy -o $(@:.img=)/sound.tet --tile 1024 --codec $(lastword $(subst -, ,$*)) --checksum all >$(@:.img=)/pack.log
	$(Q)test/tools/card_make.sh fat16 $@ $(@:.img=)/sound.tet

$(BT)/audio/other.img: test/golden/demo/demo_tiny.tet test/tools/card_make.sh | $(BUILD)/setup/demo.ok
	@mkdir -p $(@:.img=)
	$(Q)cp $< $(@:.img=)/sound.tet
	$(Q)test/tools/card_make.sh fat16 $@ $(@:.img=)/sound.tet

.PHONY: run-audio
run-audio: $(BOARDS)/audio.uf2 $(AUDIO_SOUNDS:%=$(BT)/audio/%.img) $(BT)/audio/other.img $(BUILD)/utet $(BUILD)/deps/rp2040js.ok
	@BUILD=$(BUILD) UTET=$(abspath $(BUILD)/utet) test/tools/suite_run.sh audio node test/boards/audio_test.mjs $< $(BT)/audio

check-full: run-audio

# Commands of the card, including those for several sectors, with and without port/cache.
.PHONY: run-cached
run-cached: $(BOARDS)/cached.elf $(BOARDS)/card-sdhc.img | $(BUILD)/setup/demo.ok
	@BUILD=$(BUILD) test/tools/suite_run.sh cached test/boards/cached_test.py $^ test/golden/demo/digests.txt

check-full: run-cached

# Files over a UART, from `utet serve` on this computer.
.PHONY: run-serial
run-serial: $(BOARDS)/serial.elf $(BUILD)/utet | $(BUILD)/setup/demo.ok
	@BUILD=$(BUILD) test/tools/suite_run.sh serial test/boards/serial_test.py $^ test/golden/demo

check-full: run-serial

# A logger's CSV as a picture of letters, in 8 KB.
.PHONY: run-plot
run-plot: $(BOARDS)/plot.elf $(BUILD)/utet | $(BUILD)/setup/demo.ok
	@BUILD=$(BUILD) PATH="$(TEST_PATH)" test/tools/suite_run.sh plot python3 test/boards/plot_test.py $^ $(BT)/plot

check-full: run-plot

# The same program built by CMake's preset, by hand.
.PHONY: run-rp2040-cmake
run-rp2040-cmake: $(DEPS_FATFS) $(BOARDS)/card-sdhc.img $(BUILD)/deps/rp2040js.ok | $(BUILD)/setup/ecosystem.ok
	@rm -rf $(BUILD)/cmake/rp2040 && cd port/cmake/rp2040 && cmake --preset rp2040 -B $(abspath $(BUILD))/cmake/rp2040 -DFATFS_DIR=$(abspath $(FATFS_DIR)) >/dev/null
	@cmake --build $(BUILD)/cmake/rp2040 >$(BUILD)/cmake/rp2040.log
	@BUILD=$(BUILD) test/tools/suite_run.sh rp2040-cmake node test/boards/rp2040_test.mjs $(BUILD)/cmake/rp2040/rp2040.uf2 \
	    $(BOARDS)/card-sdhc.img test/golden/demo/digests.txt other

# Two and four FreeRTOS tasks share one card; locks that do nothing are found, and FatFs without locks is named. Then a file
# that arrives by interrupt, without an operating system and in a task; the usual mistake of each is found.
$(eval $(call board_program,tasks-fault,lm3s6965evb,$(TASKS_SOURCES) test/boards/no_locks.c,library,tasks,$(TASKS_FLAGS) -DTASKS=2 -DFF_FS_REENTRANT=1))
$(call wait_program,wait-bare-fault,test/boards/racy_bare.c)
$(call wait_program,wait-task-fault,test/boards/racy_task.c,freertos)
TASKS_PROGRAMS := $(patsubst %,$(BOARDS)/%.elf,tasks-2 tasks-4 tasks-fault tasks-unlocked wait-bare wait-bare-fault wait-task wait-task-fault)

.PHONY: run-tasks
run-tasks: $(TASKS_PROGRAMS) $(BOARDS)/card-fat32.img | $(BUILD)/setup/demo.ok
	@BUILD=$(BUILD) test/tools/suite_run.sh tasks test/boards/tasks_test.py $(BOARDS) $(BOARDS)/card-fat32.img test/golden/demo/digests.txt \
	    $(BOARD_CC) $(BOARD_CPU_lm3s6965evb) $(FILES_FLAGS_tasks) -fsyntax-only port/fatfs/freertos/ff_mutex.c

test: run-tasks

# A serial NOR flash that a DMA engine reads: interrupts at every instruction, damaged flashes, an interrupt that does not come, and
# the usual mistake, which is found.
$(call nor_slow,nor-sweep,$(AST1030)/wait.c,-DMEDIUM_SWEEP=3)
$(call nor_slow,nor-fault,test/boards/racy_nor.c,-DMEDIUM_SWEEP=3)
$(call nor_slow,nor-lost,$(AST1030)/wait.c,-DMEDIUM_LOST=20)
$(call nor_overlap,overlap-sweep,-DMEDIUM_SWEEP=1)
NOR_PROGRAMS := $(patsubst %,$(BOARDS)/%.elf,nor nor-slow nor-sweep nor-fault nor-lost overlap overlap-sweep)

.PHONY: run-nor
run-nor: $(NOR_PROGRAMS) $(BOARDS)/nor.img $(BUILD)/utet | $(BUILD)/setup/demo.ok
	@BUILD=$(BUILD) test/tools/suite_run.sh nor test/boards/nor_test.py $(BOARDS) test/golden/demo $(BUILD)/utet

check-full: run-nor

# Files in the flash that a RISC-V core addresses: digests, the start-up, damaged files, for which the same source as a
# program of this computer gives the statuses and offsets.
$(BT)/sifive_host: test/boards/sifive_host.c boards/sifive_e/main.c boards/common/report.c boards/common/print.c \
        boards/common/sha256.c port/partition/utet_partition.c $(BUILD)/lib/host/libutet.a $(wildcard boards/common/*.h) \
        | $(BUILD)/setup/test.ok
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_STD) $(WARN) -O2 -g -Dmain=flash_main -Iinclude -Iboards/common -Iport/partition -c \
	    boards/sifive_e/main.c -o $@.main.o
	$(Q)$(CC) $(CFLAGS_STD) $(WARN) -O2 -g -Iinclude -Iboards/common -Iport/partition \
	    $(filter-out %/main.c,$(filter %.c,$^)) $@.main.o $(filter %.a,$^) -o $@

.PHONY: run-sifive
run-sifive: $(BOARDS)/flash-sifive_e.hex $(BOARDS)/selftest-sifive_e.elf $(BT)/sifive_host | $(BUILD)/setup/full.ok
	@BUILD=$(BUILD) test/tools/suite_run.sh sifive test/boards/sifive_test.py $(BOARDS) test/golden/demo $(BT)/sifive_host

check-full: run-sifive

# The reference's conformance pack: answers and statuses of the board, by the pack's manifest and against the host's.
CONFORM_PACK := $(SHARED)/conformance
.PHONY: run-conform
ifneq ($(wildcard $(CONFORM_PACK)/conformance/manifest.v1.json),)
$(BOARDS)/card-conform.img: $(CONFORM_PACK)/conformance/manifest.v1.json test/boards/conform_test.py test/tools/card_make.sh | $(BUILD)/setup/demo.ok
	$(Q)rm -rf $(BOARDS)/conform-card
	$(Q)python3 test/boards/conform_test.py --card $(BOARDS)/conform-card $(CONFORM_PACK)
	$(Q)test/tools/card_make.sh fat32 $@ $(BOARDS)/conform-card/*
$(BT)/conform.log: $(BOARDS)/conform.elf $(BOARDS)/card-conform.img | $(BUILD)/setup/demo.ok
	@mkdir -p $(@D)
	$(Q)$(call QEMU_LM3S,conform) $< -semihosting-config enable=on,target=native >$@ 2>&1 || { tail -n 20 $@; exit 1; }
run-conform: $(BT)/conform.log
endif
run-conform: $(BUILD)/utet
	@BUILD=$(BUILD) test/tools/suite_run.sh board-conformance test/boards/conform_test.py $(BUILD)/utet $(CONFORM_PACK) $(BT)/conform.log

test: run-conform

# The boards with 8 and 16 KB: the file is in flash, or read through semihosting.
.PHONY: run-pocket
run-pocket: $(POCKET_BOARDS:%=$(BOARDS)/pocket-%.elf) $(POCKET_FILE) | $(BUILD)/setup/demo.ok
	@mkdir -p $(BT)
	@for b in $(POCKET_BOARDS); do for how in flash host; do \
	    test/tools/qemu_pocket.py --from $$how $$b $(BOARDS)/pocket-$$b.elf $(POCKET_FILE) test/golden/golden.txt boards \
	    >$(BT)/pocket-$$b-$$how.log || bad=1; cat $(BT)/pocket-$$b-$$how.log; done; done; test -z "$$bad"

test: run-pocket

# Everything in the footers, read on this machine, on a Cortex-M3, on a big-endian machine.
FOOTERS_SOURCES := $(addprefix boards/common/,footers.c meta_walk.c words.c print.c sha256.c) \
    port/semihosting/utet_semihosting.c test/arch/hosted.c
FOOTERS_TEST = @BUILD=$(BUILD) test/tools/suite_run.sh footers-$* test/boards/footers_test.py $(BT)/footers-host \
    test/golden/tet test/golden/demo $(SHARED)/vectors/tet --

# $(call footers_program,NAME,COMPILER,FLAGS): the firmware as a program, with library NAME
define footers_program
$(BT)/footers-$1: $(FOOTERS_SOURCES) $(BUILD)/lib/$1/libutet.a $(wildcard boards/common/*.h) \
        | $(BUILD)/setup/$(if $(filter host,$1),test,full).ok
	$$(call say,LINK,$$@)
	@mkdir -p $$(@D)
	$$(Q)$2 $(CFLAGS_STD) $(WARN) -Dmain=digest_main -Iinclude -Iboards/common -Iport/semihosting $3 \
	    $$(filter %.c %.a,$$^) -o $$@
endef
$(eval $(call footers_program,host,$(CC),-O2 -g))
$(eval $(call footers_program,powerpc,powerpc-linux-gnu-gcc,-O2 -g -static))
$(eval $(call footers_program,s390x,s390x-linux-gnu-gcc,-O2 -g -static))

FOOTERS_BOARDS := lm3s6965evb stm32vldiscovery microbit mps2-an386 sifive_e
.PHONY: $(addprefix run-footers-,$(FOOTERS_BOARDS) powerpc s390x)
$(FOOTERS_BOARDS:%=run-footers-%): run-footers-%: $(BT)/footers-host $(BOARDS)/footers-%.elf | $(BUILD)/setup/demo.ok
	$(FOOTERS_TEST) board $* $(BOARDS)/footers-$*.elf

run-footers-powerpc run-footers-s390x: run-footers-%: $(BT)/footers-host $(BT)/footers-%
	$(FOOTERS_TEST) qemu-$(patsubst powerpc,ppc,$*) $(BT)/footers-$*

run-footers-sifive_e: | $(BUILD)/setup/full.ok

test: run-footers-lm3s6965evb
check-full: $(addprefix run-footers-,stm32vldiscovery microbit mps2-an386 sifive_e powerpc s390x)

# A network on the board with 8 KB: each sum is NumPy's, and damage is reported; also with the same weights as C arrays.
DIGITS_ARRAYS := pictures labels shift8 w8.1 w8.2 w8.3 b8.1 b8.2 b8.3 shift4 w4.1 w4.2 w4.3 b4.1 b4.2 b4.3
DIGITS_CONSTANT := boards/common/digits.c test/boards/network_arrays.c boards/common/report.c
$(eval $(call board_program,digits-arrays,stm32vldiscovery,$(DIGITS_CONSTANT),,,-I$(BT)/arrays $(DIGITS_STACK)))
$(eval $(call board_program,digits-arrays-rp2040,rp2040,$(DIGITS_CONSTANT) $(DIGITS_RP2040),,,-I$(BT)/arrays))
$(eval $(call board_program,digits-arrays-rp2040-cut,rp2040,$(DIGITS_CONSTANT) $(DIGITS_RP2040),,,-I$(BT)/arrays $(DIGITS_CUT)))
$(foreach p,digits-arrays digits-arrays-rp2040 digits-arrays-rp2040-cut,$(BOARDS)/$p/test/boards/network_arrays.o): $(BT)/arrays/arrays.h
$(BT)/arrays/arrays.h: $(DIGITS_FILE) $(BUILD)/utet
	@mkdir -p $(@D)
	$(Q)for name in $(DIGITS_ARRAYS); do c=$$(echo $$name | tr . _); \
	    $(BUILD)/utet export $< $$name --c --name $$c -o $(@D)/$$c.c && echo "#include \"$$c.c\"" || exit 1; done >$@

$(BT)/digits_mutants: test/boards/digits_mutants.c boards/common/network.c boards/common/network.h $(BUILD)/libutet.a | $(BUILD)/setup/test.ok
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_STD) $(WARN) -O2 -g -Iinclude -Iboards/common $(filter %.c %.a,$^) -o $@

# DIGITS_STEP=1: one bit of every byte, by hand. DIGITS_PICTURE= writes the picture of the page.
DIGITS_STEP ?= 61
.PHONY: run-digits digits-train
run-digits: $(BOARDS)/digits.elf $(BOARDS)/digits-arrays.elf $(BT)/digits_mutants $(BUILD)/utet | $(BUILD)/setup/test.ok
	@BUILD=$(BUILD) UTET=$(abspath $(BUILD)/utet) PATH="$(TEST_PATH)" test/tools/suite_run.sh digits python3 test/boards/digits_test.py $(DIGITS_FILE) \
	    $(BOARDS)/digits.elf $(BOARDS)/digits-arrays.elf $(abspath $(BT)/digits_mutants) $(DIGITS_STEP) $(DIGITS_PICTURE)

check-full: run-digits

# The same on RP2040, with the first pictures; run-digits-rp2040-all, by hand, has all of them.
$(BT)/card-digits.img: $(DIGITS_FILE) test/tools/card_make.sh | $(BUILD)/setup/demo.ok
	@mkdir -p $(@D)
	$(Q)test/tools/card_make.sh fat16 $@ $<

# $(call digits_rp2040_test,GOAL,SUFFIX,EXTENT)
define digits_rp2040_test
.PHONY: run-$1
run-$1: $(patsubst %,$(BOARDS)/digits-%-rp2040$2.uf2,flash card arrays) $(BT)/card-digits.img $(BUILD)/utet $(BUILD)/deps/rp2040js.ok | $(BUILD)/setup/test.ok
	@BUILD=$(BUILD) UTET=$(abspath $(BUILD)/utet) PATH="$(TEST_PATH)" test/tools/suite_run.sh $1 python3 test/boards/digits_rp2040_test.py $(DIGITS_FILE) \
	    $(BT)/card-digits.img $3
endef
$(eval $(call digits_rp2040_test,digits-rp2040,-cut,CUT))
$(eval $(call digits_rp2040_test,digits-rp2040-all,,ALL))

# Trains the network again, by hand: the same kind of machine gives the same bytes.
DIGITS_FILES := $(DIGITS_ARRAYS:%=$(BT)/train/%.npy)
digits-train: $(BUILD)/interop/digits/done $(BUILD)/utet
	@rm -rf $(BT)/train && mkdir -p $(BT)/train
	PYTHONPATH=$(BUILD)/interop/digits python3 test/tools/digits_train.py $(BT)/train
	SOURCE_DATE_EPOCH=1764115200 $(BUILD)/utet pack $(DIGITS_FILES) -o $(BT)/digits.tet --for stm32vldiscovery --tile 8x64 \
	    --codec zstd --level 19 --checksum all
	$(BUILD)/utet diff $(BT)/digits.tet $(DIGITS_FILE)

# The viewer of a logger's readings while buttons are pressed, compared with pictures that NumPy computes from the CSV file; faults.
VIEWER_DATA := $(BT)/viewer
VIEWER_PACK  = $(BUILD)/utet pack $< --units --scale 0.01 --tile 512 --checksum all --budget none
$(VIEWER_DATA)/readings.csv: test/boards/viewer_data.py | $(BUILD)/setup/test.ok
	$(Q)PATH="$(TEST_PATH)" python3 $< $(@D)
$(VIEWER_DATA)/readings.tet: $(VIEWER_DATA)/readings.csv test/golden/demo/demo_tiny.tet $(BUILD)/utet test/boards/boards.mk
	$(Q)cp test/golden/demo/demo_tiny.tet $(@D)/other.tet
	$(Q)$(VIEWER_PACK) --times time=ms -o $(@D)/milliseconds.tet >$(@D)/pack.log
	$(Q)$(VIEWER_PACK) --times time=s -o $@ >>$(@D)/pack.log

.PHONY: run-viewer
run-viewer: $(BOARDS)/viewer.elf $(VIEWER_DATA)/readings.tet | $(BUILD)/setup/demo.ok
	@BUILD=$(BUILD) PATH="$(TEST_PATH)" test/tools/suite_run.sh viewer python3 test/boards/viewer_test.py $(VIEWER_DATA) $< \
	    $(LM3S) test/tools/card_make.sh

check-full: run-viewer

# The climate field while the cursor moves, compared with the arrays before they were packed; faults.
CLIMATE_DATA   := $(BT)/climate
CLIMATE_ARRAYS := $(patsubst %,$(CLIMATE_DATA)/%.npy,temperature lat lon)
$(CLIMATE_DATA)/climate.tet: test/boards/climate_data.py test/golden/demo/demo_tiny.tet $(BUILD)/utet test/boards/boards.mk | $(BUILD)/setup/test.ok
	$(Q)PATH="$(TEST_PATH)" python3 $< $(@D)
	$(Q)cp test/golden/demo/demo_tiny.tet $(@D)/other.tet
	$(Q)$(BUILD)/utet pack $(CLIMATE_ARRAYS) -o $@ --scale 0.02 --add-offset 10 --checksum all --dims temperature:lat,lon \
	    --attr temperature:units=degC --attr lat:scale_factor=0.03125 --attr lon:scale_factor=0.03125 >$(@D)/pack.log
	$(Q)cp $(@D)/temperature.npy $(@D)/t2m.npy
	$(Q)$(BUILD)/utet pack $(@D)/t2m.npy -o $(@D)/labels.tet --scale 0.02 --add-offset 10 --checksum all --dims t2m:lat,x \
	    --attr t2m:units=degC --labels "lat=$$(cat $(@D)/lat.labels)" >>$(@D)/pack.log

.PHONY: run-climate
run-climate: $(BOARDS)/climate.elf $(CLIMATE_DATA)/climate.tet | $(BUILD)/setup/demo.ok
	@BUILD=$(BUILD) PATH="$(TEST_PATH)" test/tools/suite_run.sh climate python3 test/boards/climate_test.py $(CLIMATE_DATA) $< \
	    $(LM3S) test/tools/card_make.sh

check-full: run-climate
