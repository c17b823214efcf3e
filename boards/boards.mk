# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# Firmware of the emulated boards, the demonstration card, and `make demo`. Included by the Makefile, whose variables it
# uses; everything lands in build/boards.

BOARDS := $(BUILD)/boards
comma  := ,

# Who decodes zstd on the boards: small (4 to 10 KB) or upstream (the zstd package, 30 KB and a block).
CODEC  ?= small
ifeq ($(filter small upstream,$(CODEC)),)
$(error CODEC is small or upstream, not $(CODEC))
endif

# One line for each board: compiler flags of its core, and which build of the library it links (a NAME of utet_library).
BOARD_CPU_lm3s6965evb := -mcpu=cortex-m3 -mthumb
BOARD_LIB_lm3s6965evb := m3
BOARD_CPU_mps2-an385  := -mcpu=cortex-m3 -mthumb
BOARD_LIB_mps2-an385  := m3
BOARD_CPU_mps2-an386  := -mcpu=cortex-m4 -mthumb -mfloat-abi=soft
BOARD_LIB_mps2-an386  := m4
BOARD_CPU_mps2-an500  := -mcpu=cortex-m7 -mthumb -mfloat-abi=hard -mfpu=fpv5-d16
BOARD_LIB_mps2-an500  := m7
BOARD_CPU_mps2-an505  := -mcpu=cortex-m33 -mthumb -mfloat-abi=soft
BOARD_LIB_mps2-an505  := m33
BOARD_CPU_ast1030     := -mcpu=cortex-m4 -mthumb -mfloat-abi=soft
BOARD_LIB_ast1030     := m4
BOARD_CPU_microbit    := -mcpu=cortex-m0 -mthumb
BOARD_LIB_microbit    := m0plus
BOARD_CPU_rp2040      := -mcpu=cortex-m0plus -mthumb
BOARD_LIB_rp2040      := m0plus
BOARD_CPU_stm32vldiscovery := -mcpu=cortex-m3 -mthumb
BOARD_LIB_stm32vldiscovery := m3
# 32-bit RISC-V: picolibc's specs bring the headers and memcpy.
RV32                  := -march=rv32imac -mabi=ilp32 -misa-spec=2.2 --specs=picolibc.specs
BOARD_CPU_sifive_e    := $(RV32)
BOARD_LIB_sifive_e    := rv32
BOARD_CC_sifive_e     := riscv64-unknown-elf-gcc
BOARD_LINK_sifive_e   := -Wl,--no-warn-rwx-segments
BOARD_SETUP_sifive_e  := cross

$(eval $(call utet_library,m7,arm-none-eabi-,-mcpu=cortex-m7 -mthumb -mfloat-abi=hard -mfpu=fpv5-d16,-Os -g))
$(eval $(call utet_library,m33,arm-none-eabi-,-mcpu=cortex-m33 -mthumb -mfloat-abi=soft,-Os -g))
ZSTD_UPSTREAM_rv32 := no
$(eval $(call utet_library,rv32,riscv64-unknown-elf-,$(RV32),-Os -g))

BOARD_CC := arm-none-eabi-gcc
# The project's own sources: all warnings.
BOARD_FLAGS = -Os -g $(CFLAGS_STD) $(WARN) $(CFLAGS_SEC) $(CFLAGS_DEP) -Iinclude -Iboards/common -Iport/semihosting
BOARD_COMMON := start memory print semihost sha256 words
# The console of rp2040 and ast1030 is a UART: board.c in their folders.
BOARD_COMMON_rp2040  := $(filter-out semihost words,$(BOARD_COMMON))
BOARD_COMMON_ast1030 := $(BOARD_COMMON_rp2040)
BOARD_COMMON_sifive_e := $(patsubst start,start_rv32,$(BOARD_COMMON))
BOARD_COMMON_flash-sifive_e := $(filter-out semihost words,$(BOARD_COMMON_sifive_e))

# File systems. Their headers are system headers; FatFs' configuration comes first, because ff.h searches its own folder
# first.
FILES_OBJS_fatfs     := ff ffunicode
FILES_DIR_fatfs       = $(FATFS_DIR)
FILES_DEPS_fatfs      = $(DEPS_FATFS) port/fatfs/ffconf.h
FILES_FLAGS_fatfs     = -isystem $(FATFS_DIR) -Iport/fatfs -include port/fatfs/ffconf.h
FILES_OBJS_littlefs  := lfs lfs_util
FILES_DIR_littlefs    = $(LITTLEFS_DIR)
FILES_DEPS_littlefs   = $(DEPS_LITTLEFS)
FILES_FLAGS_littlefs  = -isystem $(LITTLEFS_DIR) -Iport/littlefs -DLFS_READONLY -DLFS_NO_MALLOC -DLFS_NO_DEBUG \
                        -DLFS_NO_WARN -DLFS_NO_ERROR '-DLFS_ASSERT(x)=((x) ? (void)0 : __builtin_trap())'

# The kernel of FreeRTOS, by itself and with FatFs.
FREERTOS_DIR         := $(BUILD)/deps/freertos
FREERTOS_CORE        := $(FREERTOS_DIR)/portable/GCC/ARM_CM3
FILES_OBJS_freertos  := tasks queue list port
FILES_DIR_freertos    = $(FREERTOS_DIR) $(FREERTOS_CORE)
FILES_DEPS_freertos   = $(FREERTOS_DIR).ok $(LM3S)/FreeRTOSConfig.h
FILES_FLAGS_freertos  = -isystem $(FREERTOS_DIR)/include -isystem $(FREERTOS_CORE) -I$(LM3S)
FILES_OBJS_tasks     := $(FILES_OBJS_fatfs) $(FILES_OBJS_freertos)
FILES_DIR_tasks       = $(FILES_DIR_fatfs) $(FILES_DIR_freertos)
FILES_DEPS_tasks      = $(FILES_DEPS_fatfs) $(FILES_DEPS_freertos)
FILES_FLAGS_tasks     = $(FILES_FLAGS_fatfs) $(FILES_FLAGS_freertos)
$(FREERTOS_DIR).ok: | $(BUILD)/setup/tasks.ok

# $(call board_program,NAME,BOARD,SOURCES,LIBRARY?,FILES,FLAGS)   build/boards/NAME.elf from SOURCES and boards/common.
# LIBRARY: not empty = link it. FILES: what to link in addition, fatfs, littlefs, freertos, tasks (both) or none. FLAGS: for compiling and linking, for example -Wl,--defsym=stack_size=3072.
define board_program
BOARD_OBJS_$1 := $$(patsubst %.S,$(BOARDS)/$1/%.o,$$(patsubst %.c,$(BOARDS)/$1/%.o,$3 $(patsubst %,boards/common/%.c,$(or $(BOARD_COMMON_$1),$(BOARD_COMMON_$2),$(BOARD_COMMON))))) \
                 $$(FILES_OBJS_$5:%=$(BOARDS)/$1/$5/%.o)

$(BOARDS)/$1/%.o: %.c Makefile boards/boards.mk $$(FILES_DEPS_$5) | $(BUILD)/setup/$(or $(BOARD_SETUP_$2),arm).ok
	$$(call say,CC,$$< [$1])
	@mkdir -p $$(@D)
	$$(Q)$(or $(BOARD_CC_$2),$(BOARD_CC)) $(BOARD_CPU_$2) $$(BOARD_FLAGS) $$(FILES_FLAGS_$5) -Iboards/$2 $(filter-out -Wl%,$6) \
	    -c $$< -o $$@

$(BOARDS)/$1/%.o: %.S boards/boards.mk | $(BUILD)/setup/$(or $(BOARD_SETUP_$2),arm).ok
	$$(call say,AS,$$< [$1])
	@mkdir -p $$(@D)
	$$(Q)$(or $(BOARD_CC_$2),$(BOARD_CC)) -c $$< -o $$@

$(if $5,$(BOARDS)/$1/$5/%.o: $$(FILES_DEPS_$5) boards/boards.mk | $(BUILD)/setup/$(or $(BOARD_SETUP_$2),arm).ok
	$$(call say,CC,$$*.c of $5 [$1])
	@mkdir -p $$(@D)
	$$(Q)$(or $(BOARD_CC_$2),$(BOARD_CC)) $(BOARD_CPU_$2) -Os $$(CFLAGS_THIRD) $$(FILES_FLAGS_$5) $(filter-out -Wl%,$6) \
	    -c $$$$(ls $$(FILES_DIR_$5:%=%/$$*.c) 2>/dev/null) -o $$@)

$(BOARDS)/$1.elf: $$(BOARD_OBJS_$1) $(if $4,$(BUILD)/lib/$(BOARD_LIB_$2)/libutet.a) \
        boards/$2/board.ld boards/common/sections.ld
	$$(call say,LINK,$$@)
	$$(Q)$(or $(BOARD_CC_$2),$(BOARD_CC)) $(BOARD_CPU_$2) -nostartfiles $(or $(BOARD_LINK_$2),--specs=nano.specs) -Wl,--gc-sections -Lboards/common \
	    $(filter -Wl%,$6) -T boards/$2/board.ld -Wl,-Map,$(BOARDS)/$1.map $$(BOARD_OBJS_$1) \
	    $(if $4,$(BUILD)/lib/$(BOARD_LIB_$2)/libutet.a) -o $$@

-include $$(wildcard $$(BOARD_OBJS_$1:.o=.d))
endef

LM3S := boards/lm3s6965evb
CARD_DRIVERS := $(addprefix boards/common/,pl022.c sdcard.c diskio.c)
LM3S_DRIVERS := $(LM3S)/spi.c $(CARD_DRIVERS)

$(eval $(call board_program,cardtest,lm3s6965evb,$(LM3S)/cardtest.c $(LM3S_DRIVERS),,fatfs,-DFF_FS_EXFAT=1))

# Reads .tet files of the host and prints digests; for every board that has the RAM, see boards/common/digest.c.
# The same for footers, see boards/common/footers.c.
BOARD_NAMES := $(filter-out rp2040 ast1030,$(patsubst boards/%/board.ld,%,$(wildcard boards/*/board.ld)))
$(foreach b,$(filter-out stm32vldiscovery,$(BOARD_NAMES)),$(eval $(call board_program,digest-$b,$b,\
    boards/common/digest.c port/semihosting/utet_semihosting.c $(if $(filter rv32,$(BOARD_LIB_$b)),test/arch/no_upstream.c),library,,-Wl$(comma)--defsym=stack_size=2048)))
# Rows of a file that is far larger than the RAM, see boards/common/rows.c.
$(foreach b,lm3s6965evb stm32vldiscovery,$(eval $(call board_program,rows-$b,$b,\
    boards/common/rows.c port/semihosting/utet_semihosting.c,library,,-Wl$(comma)--defsym=stack_size=1152)))

# The memory that datasets need there, see boards/common/needs.c.
$(foreach b,$(filter-out stm32vldiscovery sifive_e,$(BOARD_NAMES)),$(eval $(call board_program,needs-$b,$b,\
    boards/common/needs.c port/semihosting/utet_semihosting.c,library,,-Wl$(comma)--defsym=stack_size=1536)))
$(foreach b,$(BOARD_NAMES),$(eval $(call board_program,footers-$b,$b,\
    $(addprefix boards/common/,footers.c meta_walk.c) port/semihosting/utet_semihosting.c,library,,\
    -Wl$(comma)--defsym=stack_size=1024)))
# Files of TileDB arrays, see boards/common/arrays.c.
$(foreach b,lm3s6965evb $(filter mps2%,$(BOARD_NAMES)),$(eval $(call board_program,arrays-$b,$b,\
    $(addprefix boards/common/,arrays.c tiledb_walk.c) port/semihosting/utet_semihosting.c,library,,\
    -Wl$(comma)--defsym=stack_size=2048)))
$(foreach b,$(BOARD_NAMES),$(eval $(call board_program,selftest-$b,$b,boards/common/selftest.c)))

# A file in flash, on the boards with the smallest RAM; see boards/common/pocket.c.
POCKET_BOARDS := stm32vldiscovery microbit
POCKET_STACK_stm32vldiscovery := 1088
POCKET_STACK_microbit         := 1216
POCKET_FILE   := test/golden/demo/demo_small.tet
$(foreach b,$(POCKET_BOARDS),$(eval $(call board_program,pocket-$b,$b,\
    $(addprefix boards/common/,pocket.c flash_file.c) port/semihosting/utet_semihosting.c,library,,\
    -Isrc -DFLASH_FILE='"$(POCKET_FILE)"' -Wl$(comma)--defsym=stack_size=$(POCKET_STACK_$b))))
$(POCKET_BOARDS:%=$(BOARDS)/pocket-%/boards/common/flash_file.o): $(POCKET_FILE)

# The readings of a logger as text, from a file in the upper half of the flash.
$(eval $(call board_program,plot,stm32vldiscovery,boards/stm32vldiscovery/plot.c boards/common/report.c port/partition/utet_partition.c,library,,\
    -Iport/partition -Wl$(comma)--defsym=stack_size=1024))

# A network whose weights do not fit into 8 KB: it reads digits. digits-arrays has the weights as C arrays instead.
DIGITS_FILE   := boards/stm32vldiscovery/digits.tet
DIGITS_STACK  := -Wl$(comma)--defsym=stack_size=1024
DIGITS_COMMON := $(addprefix boards/common/,digits.c network.c report.c)
DIGITS_FLASH  := $(addprefix boards/common/,digits_flash.c flash_file.c)
$(eval $(call board_program,digits,stm32vldiscovery,$(DIGITS_COMMON) $(DIGITS_FLASH),library,,-DFLASH_FILE='"$(DIGITS_FILE)"' $(DIGITS_STACK)))
$(BOARDS)/digits/boards/common/flash_file.o: $(DIGITS_FILE)

# The demonstration: SD card, FatFs, display; one build for each codec.
DEMO_FLAGS_small    :=
DEMO_FLAGS_upstream := -DCARD_FILE_UPSTREAM
$(foreach c,small upstream,$(eval $(call board_program,demo-$c,lm3s6965evb,$(LM3S_DRIVERS) port/fatfs/utet_fatfs.c port/fatfs/utet_fatfs_words.c \
    $(addprefix $(LM3S)/,main.c notice.c screen.c card_file.c pictures.c labels.c line.c planet.c oled.c font.c),library,fatfs,\
    -DFF_MAX_LFN=63 -DFF_LFN_BUF=63 -DFF_FS_EXFAT=1 -DFF_LBA64=1 -Iport/fatfs -Wl$(comma)--defsym=stack_size=2048 $(DEMO_FLAGS_$c))))

# The planet and the ripple in turn, from one file of a card.
$(eval $(call board_program,together,lm3s6965evb,$(LM3S_DRIVERS) port/fatfs/utet_fatfs.c port/fatfs/utet_fatfs_words.c boards/common/report.c \
    $(addprefix $(LM3S)/,together.c screen.c card_file.c pictures.c labels.c line.c planet.c oled.c font.c),library,fatfs,\
    -DFF_MAX_LFN=63 -DFF_LFN_BUF=63 -DCARD_FILE_WORK=28672u -Iport/fatfs -Wl$(comma)--defsym=stack_size=2560))

$(BOARDS)/together.tet: test/golden/demo/demo_planet.tet test/golden/demo/demo_cine.tet $(LM3S)/join.py
	@mkdir -p $(@D)
	$(Q)python3 $(LM3S)/join.py $(filter %.tet,$^) -o $@

$(BOARDS)/card-together.img: $(BOARDS)/together.tet test/tools/card_make.sh | $(BUILD)/setup/demo.ok
	$(Q)test/tools/card_make.sh fat32 $@ $<

# FreeRTOS tasks that share the card: two, four, and two whose FatFs has no locks.
TASKS_SOURCES := $(addprefix $(LM3S)/,tasks.c interrupts.c) $(LM3S_DRIVERS) boards/common/report.c $(addprefix port/fatfs/,utet_fatfs.c utet_fatfs_words.c)
TASKS_FLAGS   := -DFF_MAX_LFN=63 -DFF_LFN_BUF=63 -Iport/fatfs -Wl$(comma)--defsym=stack_size=1024
$(foreach n,2 4,$(eval $(call board_program,tasks-$n,lm3s6965evb,$(TASKS_SOURCES) port/fatfs/freertos/ff_mutex.c,library,tasks,\
    $(TASKS_FLAGS) -DTASKS=$n -DFF_FS_REENTRANT=1)))
$(eval $(call board_program,tasks-unlocked,lm3s6965evb,$(TASKS_SOURCES),library,tasks,$(TASKS_FLAGS) -DTASKS=2))

# A medium that answers by interrupt: the core sleeps meanwhile, without an operating system and in a task of FreeRTOS.
# $(call wait_program,NAME,SOURCE,FILES)
WAIT_SOURCES := $(addprefix $(LM3S)/,wait.c interrupts.c) $(addprefix boards/common/,flash_file.c report.c sums.c)
WAIT_FLAGS   := -DFLASH_FILE='"$(POCKET_FILE)"' -I$(LM3S) -Wl$(comma)--defsym=stack_size=2048
wait_program  = $(eval $(call board_program,$1,lm3s6965evb,$(WAIT_SOURCES) $2,library,$3,$(WAIT_FLAGS)))$(eval $(BOARDS)/$1/boards/common/flash_file.o: $(POCKET_FILE))
$(call wait_program,wait-bare,$(LM3S)/wait_bare.c)
$(call wait_program,wait-task,$(LM3S)/wait_task.c,freertos)

# A file of the computer at the other end of a serial line.
$(eval $(call board_program,serial,lm3s6965evb,$(addprefix $(LM3S)/,serial.c interrupts.c wait_bare.c) $(addprefix boards/common/,sums.c report.c) \
    $(addprefix port/uart/,utet_uart.c utet_uart_packet.c),library,,-Iport/uart -Wl$(comma)--defsym=stack_size=2048))

# All files of an SD card, on a part that QEMU does not have: digests on its UART. rp2040.uf2 is the image as the chip's USB drive takes it.
$(eval $(call board_program,rp2040,rp2040,$(addprefix boards/rp2040/,main.c board.c spi.c boot2.S) $(CARD_DRIVERS) $(addprefix boards/common/,report.c sums.c) \
    port/fatfs/utet_fatfs.c port/fatfs/utet_fatfs_words.c,library,fatfs,-DFF_MAX_LFN=63 -DFF_LFN_BUF=63 -Iport/fatfs -Wl$(comma)--defsym=stack_size=2048))
$(BOARDS)/%.uf2: $(BOARDS)/%.elf boards/rp2040/uf2.py
	$(Q)arm-none-eabi-objcopy -O binary $< $(@:.uf2=.bin)
	$(Q)python3 boards/rp2040/uf2.py $(@:.uf2=.bin) $@

# The network of digits on that part, with the weights from flash and from the card. DIGITS_CUT: of the first pictures alone, where time counts.
DIGITS_CUT    := -DDIGITS_PICTURES=6
DIGITS_RP2040 := $(addprefix boards/rp2040/,board.c boot2.S)
DIGITS_CARD   := $(addprefix boards/rp2040/,digits_card.c spi.c) $(CARD_DRIVERS) $(addprefix port/fatfs/,utet_fatfs.c utet_fatfs_words.c)
# $(call digits_rp2040,SUFFIX,FLAGS)
digits_rp2040  = $(eval $(call board_program,digits-flash-rp2040$1,rp2040,$(DIGITS_COMMON) $(DIGITS_FLASH) $(DIGITS_RP2040),library,,\
    -DFLASH_FILE='"$(DIGITS_FILE)"' $2 -Wl$(comma)--defsym=stack_size=2048))$(eval $(call board_program,digits-card-rp2040$1,rp2040,\
    $(DIGITS_COMMON) $(DIGITS_CARD) $(DIGITS_RP2040),library,fatfs,-DFF_MAX_LFN=63 -DFF_LFN_BUF=63 -Iport/fatfs $2 -Wl$(comma)--defsym=stack_size=2048))$(eval \
    $(BOARDS)/digits-flash-rp2040$1/boards/common/flash_file.o: $(DIGITS_FILE))
$(call digits_rp2040)
$(call digits_rp2040,-cut,$(DIGITS_CUT))

# Sound from such a card.
$(eval $(call board_program,audio,rp2040,$(addprefix boards/rp2040/,audio.c sound.c board.c spi.c boot2.S) $(CARD_DRIVERS) boards/common/report.c \
    port/fatfs/utet_fatfs.c port/fatfs/utet_fatfs_words.c,library,fatfs,-DFF_MAX_LFN=63 -DFF_LFN_BUF=63 -Iport/fatfs -Wl$(comma)--defsym=stack_size=2048))

# All files of the flash that the core addresses: digests on a UART.
$(eval $(call board_program,flash-sifive_e,sifive_e,$(addprefix boards/sifive_e/,main.c board.c) boards/common/report.c \
    port/partition/utet_partition.c,library,,-Iport/partition -Wl$(comma)--defsym=stack_size=1536))
$(BOARDS)/flash-sifive_e.hex: $(BOARDS)/flash-sifive_e.elf boards/sifive_e/image.py $(wildcard test/golden/demo/*.tet)
	$(Q)$(BOARD_CC_sifive_e:gcc=objcopy) -O binary $< $(@:.hex=.bin)
	$(Q)python3 boards/sifive_e/image.py $@ $(@:.hex=.bin) $(filter %.tet,$^)

# All files of a serial NOR flash, which a DMA engine reads: digests on a UART.
AST1030     := boards/ast1030
NOR_SOURCES := $(addprefix $(AST1030)/,board.c nor.c) boards/common/report.c port/dma/utet_dma.c
NOR_FLAGS   := -Iport/dma -Wl$(comma)--defsym=stack_size=2048
$(eval $(call board_program,nor,ast1030,$(NOR_SOURCES) boards/common/sums.c $(addprefix $(AST1030)/,main.c wait.c),library,,$(NOR_FLAGS)))
# The same with the time that the flash takes, which the emulator does not have.
MEDIUM_WRAP := $(patsubst %,-Wl$(comma)--wrap=%,nor_init fmc_handler systick_handler)
nor_slow     = $(eval $(call board_program,$1,ast1030,$(NOR_SOURCES) boards/common/sums.c $(addprefix $(AST1030)/,main.c medium.c) $2,library,,\
               $(NOR_FLAGS) -I$(AST1030) $(MEDIUM_WRAP) $3))
$(call nor_slow,nor-slow,$(AST1030)/wait.c)
# Reading and decoding at the same time.
nor_overlap  = $(eval $(call board_program,$1,ast1030,$(NOR_SOURCES) $(addprefix $(AST1030)/,overlap.c medium.c) port/dma/utet_ahead.c,library,,\
               $(NOR_FLAGS) $(MEDIUM_WRAP) $2))
$(call nor_overlap,overlap)

$(BOARDS)/nor.img: $(BOARDS)/nor.elf $(AST1030)/image.py $(wildcard test/golden/demo/*.tet)
	$(Q)arm-none-eabi-objcopy -O binary $< $(@:.img=.bin)
	$(Q)python3 $(AST1030)/image.py $@ $(@:.img=.bin) $(filter %.tet,$^)

# The card through FatFs and without it, each with and without port/cache; counts the commands.
$(eval $(call board_program,cached,lm3s6965evb,$(LM3S_DRIVERS) port/fatfs/utet_fatfs.c port/fatfs/utet_fatfs_words.c port/cache/utet_cache.c \
    $(LM3S)/cached.c $(addprefix boards/common/,report.c sums.c),library,fatfs,-DFF_MAX_LFN=63 -DFF_LFN_BUF=63 -Iport/fatfs -Iport/cache \
    -Wl$(comma)--wrap=sdcard_read -Wl$(comma)--defsym=stack_size=2048))

# Forecast fields of a Tensogram message, on lm3s6965evb.
$(eval $(call board_program,forecast,lm3s6965evb,$(LM3S_DRIVERS) port/fatfs/utet_fatfs.c port/fatfs/utet_fatfs_words.c \
    $(addprefix $(LM3S)/,forecast.c screen.c line.c oled.c font.c) boards/common/report.c,library,fatfs,\
    -DFF_MAX_LFN=63 -DFF_LFN_BUF=63 -Iport/fatfs -Wl$(comma)--defsym=stack_size=2048))

$(BOARDS)/card-forecast.img: test/golden/demo/forecast.tgm test/tools/card_make.sh | $(BUILD)/setup/demo.ok
	@mkdir -p $(@D)
	$(Q)test/tools/card_make.sh fat32 $@ $<

# A logger's readings, and a climate field of integers in degrees, on the same display; buttons scroll, zoom and point.
VIEWER_SOURCES := $(LM3S_DRIVERS) port/fatfs/utet_fatfs.c port/fatfs/utet_fatfs_words.c port/cache/utet_cache.c boards/common/report.c \
    $(addprefix $(LM3S)/,retry.c quantity.c buttons.c card_file.c notice.c screen.c line.c oled.c font.c)
$(foreach v,viewer climate,$(eval $(call board_program,$v,lm3s6965evb,$(LM3S)/$v.c $(VIEWER_SOURCES),library,fatfs,\
    -DFF_MAX_LFN=63 -DFF_LFN_BUF=63 -DCARD_FILE_WORK=16384u -DCARD_FILE_LINES=8 -Iport/fatfs -Iport/cache -Wl$(comma)--defsym=stack_size=2560)))

# Schemas of TileDB arrays in folders, on the same board. Names of their files have up to 66 characters.
$(eval $(call board_program,array,lm3s6965evb,$(LM3S_DRIVERS) port/fatfs/utet_fatfs.c port/fatfs/utet_fatfs_folder.c port/fatfs/utet_fatfs_words.c \
    $(LM3S)/array.c boards/common/report.c,library,fatfs,-DFF_MAX_LFN=79 -DFF_LFN_BUF=79 -Iport/fatfs -Wl$(comma)--defsym=stack_size=2048))

# The card: an array whose schema was changed six times, one with dimension labels, one of format version 1, and a folder that is not an
# array.
ARRAYS := test/golden/tiledb/good
$(BOARDS)/card-array.img: $(wildcard $(ARRAYS)/v22_evolve_?_*.schema) $(ARRAYS)/v23_labels.0.schema $(ARRAYS)/old1_pieces_dense.schema test/tools/card_make.sh boards/boards.mk | $(BUILD)/setup/demo.ok
	$(Q)rm -rf $(BOARDS)/arrays; mkdir -p $(BOARDS)/arrays/evolved/__schema/__enumerations $(BOARDS)/arrays/labels/__schema $(BOARDS)/arrays/old $(BOARDS)/arrays/other
	$(Q)n=0; cp $(ARRAYS)/old1_pieces_dense.schema $(BOARDS)/arrays/old/__array_schema.tdb; for f in $(sort $(filter $(ARRAYS)/v%.schema,$^)); do n=$$((n + 1)); case $$f in *labels*) to=labels ;; *) to=evolved ;; esac; \
	    cp $$f $(BOARDS)/arrays/$$to/__schema/$$(printf '__170000000000%d_170000000000%d_%032x' $$n $$n $$n); done
	$(Q)test/tools/card_make.sh fat32 $@ $(BOARDS)/arrays/evolved $(BOARDS)/arrays/labels $(BOARDS)/arrays/old $(BOARDS)/arrays/other

# Files of a littlefs volume in the upper part of the flash, on the same board.
VOLUME_FILES := $(addprefix test/golden/demo/demo_,planet.tet small.tet tiny.tet)
$(eval $(call board_program,volume,lm3s6965evb,$(addprefix port/littlefs/,utet_littlefs.c utet_littlefs_folder.c) $(LM3S)/volume.c \
    $(addprefix boards/common/,flash_file.c report.c sums.c),library,littlefs,-DFLASH_FILE='"$(BOARDS)/volume.img"' -Wl$(comma)--defsym=stack_size=2048))
$(BOARDS)/volume/boards/common/flash_file.o: $(BOARDS)/volume.img

# The reference's conformance pack, from SHARED.
$(eval $(call board_program,conform,lm3s6965evb,$(LM3S_DRIVERS) port/fatfs/utet_fatfs.c port/fatfs/utet_fatfs_words.c $(LM3S)/conform.c boards/common/report.c,library,fatfs,\
    -DFF_MAX_LFN=63 -DFF_LFN_BUF=63 -Iport/fatfs -Wl$(comma)--defsym=stack_size=4096))

DEMO_FILES := $(wildcard test/golden/demo/*.tet)

$(BOARDS)/card-%.img: $(DEMO_FILES) test/tools/card_make.sh | $(BUILD)/setup/demo.ok
	@mkdir -p $(@D)
	$(Q)test/tools/card_make.sh $* $@ $(DEMO_FILES)

QEMU_LM3S = qemu-system-arm -M lm3s6965evb -display none -monitor none -serial none \
            -drive if=sd,format=raw,file=$(BOARDS)/card-$1.img,snapshot=on -kernel

# The demonstration: SD card, FatFs, library and display on a Cortex-M3, then the same core on another board.
demo: demo-card demo-together demo-array demo-second demo-pocket demo-page

# Datasets that do not fit in the budget of their file with libzstd: those of demo_small.tet.
DEMO_REFUSED_small    := 0
DEMO_REFUSED_upstream := 2

# $(call DEMO_SCREEN,CODEC,FOLDER): runs the emulator behind `--`, photographs, and compares digests and the picture.
DEMO_SCREEN = test/tools/screen.py --work $2 --digests test/golden/demo/digests.txt --refused $(DEMO_REFUSED_$1) \
    --same planet=$(LM3S)/demo.png

.PHONY: demo-card demo-together demo-array demo-second demo-pocket demo-page
demo-card: $(BOARDS)/demo-$(CODEC).elf $(BOARDS)/card-fat32.img | $(BUILD)/setup/demo.ok
	@echo "== lm3s6965evb: Cortex-M3, 256 KB of flash, 64 KB of RAM; four files on a FAT32 SD card"
	$(Q)$(call DEMO_SCREEN,$(CODEC),$(BOARDS)/screen) --out planet=$(BUILD)/demo.png \
	    --scaled planet=$(BOARDS)/screen/planet.png --scaled ripple=$(BOARDS)/screen/ripple.png \
	    -- $(call QEMU_LM3S,fat32) $<
	@echo "the display with the planet: $(BUILD)/demo.png; four times as large, and the last frame of the ripple:" \
	    "$(BOARDS)/screen/planet.png, ripple.png"

# $(call TOGETHER_SCREEN,FOLDER): photographs half the way and at the end, and compares the end with the demonstration's picture.
TOGETHER_SCREEN = test/tools/screen.py --work $1 --out half=$1/half.png --out whole=$1/whole.png --out planet=$1/planet.png \
    --scaled half=$1/half-large.png --same planet=$(LM3S)/demo.png -- $(call QEMU_LM3S,together) $(BOARDS)/together.elf

demo-together: $(BOARDS)/together.elf $(BOARDS)/card-together.img | demo-card
	@echo; echo "== lm3s6965evb: the ripple plays while the planet is drawn: three datasets of one file, in turn"
	$(Q)mkdir -p $(BOARDS)/screen-together && $(call TOGETHER_SCREEN,$(BOARDS)/screen-together)
	@echo "the display half the way, four times as large: $(BOARDS)/screen-together/half-large.png"

demo-array: $(BOARDS)/array.elf $(BOARDS)/card-array.img | demo-together
	@echo; echo "== lm3s6965evb: schemas of TileDB arrays in folders of the card"
	$(Q)$(call QEMU_LM3S,array) $< -semihosting-config enable=on,target=native

demo-second: $(BOARDS)/digest-mps2-an385.elf | demo-array
	@echo; echo "== mps2-an385: another Cortex-M3; the same files through semihosting, each dataset with exactly its need"
	$(Q)test/tools/qemu_golden.py --names --codec $(CODEC) --only golden/demo mps2-an385 $< test/golden/golden.txt test \
	    $(SHARED) include/utet_io.h

demo-pocket: $(POCKET_BOARDS:%=$(BOARDS)/pocket-%.elf) | demo-second
	@echo; echo "== 8 KB of RAM, and 16: $(notdir $(POCKET_FILE)) in flash, in the least memory; every byte of RAM"
	$(Q)for b in $(POCKET_BOARDS); do \
	    test/tools/qemu_pocket.py $$b $(BOARDS)/pocket-$$b.elf $(POCKET_FILE) test/golden/golden.txt boards || exit 1; done

# The page for browsers, with the same code and a file of the card inside.
demo-page: $(BUILD)/demo.html | demo-pocket
	@echo; echo "== any browser: the same C code as WebAssembly modules of 64 KB; the page with demo_planet.tet inside: $<"
