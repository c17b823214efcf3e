# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# Libraries with a smaller UTET_MAX_NDIM (include/utet.h): the joined sources of the packages, with maximum ranks of 2 and 3, and an
# ATmega328P with 2 KB of RAM (rank_test.py). Included by test/test.mk; avr-gcc and simavr come with the group full.

RANK       := $(BUILD)/test/rank
RANK_FLAGS := -std=c99 -O1 -Wall -Wextra -Wpedantic -Werror -fsanitize=address -fno-sanitize-recover
RANK_AVR   := -mmcu=atmega328p -std=c99 -Os -Wall -Wextra -Wconversion -Wsign-conversion $(CFLAGS_SEC) -DUTET_MAX_NDIM=2

$(RANK)/query%.o: $(AMALGAMATION)/utet.c
	$(call say,CC,utet_query.c with UTET_MAX_NDIM=$*)
	@mkdir -p $(@D)
	$(Q)$(CC) $(RANK_FLAGS) -O0 -DUTET_MAX_NDIM=$* -c $(AMALGAMATION)/query/utet_query.c -o $@
$(RANK)/rank%.o: test/tet/rank.c $(AMALGAMATION)/utet.c
	@mkdir -p $(@D)
	$(Q)$(CC) $(RANK_FLAGS) -DUTET_MAX_NDIM=$* -Iinclude -c $< -o $@
$(RANK)/rank8: $(RANK)/rank8.o $(BUILD)/lib/host/libutet.a
$(RANK)/rank2: $(RANK)/rank2.o $(RANK)/query2.o
$(RANK)/rank3: $(RANK)/rank3.o $(RANK)/query3.o
$(RANK)/rank2 $(RANK)/rank3 $(RANK)/rank8:
	$(Q)$(CC) -fsanitize=address $^ -o $@

$(RANK)/uno.elf: boards/simavr/uno.c boards/simavr/files.S boards/simavr/pack.py test/arch/uno.txt $(AMALGAMATION)/utet.c | $(BUILD)/setup/full.ok
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)cd test/golden/tet && $(CURDIR)/boards/simavr/pack.py $(abspath $(RANK))/uno.bin $$(cat ../../arch/uno.txt)
	$(Q)avr-gcc $(RANK_AVR) '-DFILES="$(RANK)/uno.bin"' -c boards/simavr/files.S -o $(RANK)/files.o
	$(Q)avr-gcc $(RANK_AVR) -I$(AMALGAMATION) -Wl,--gc-sections $< $(RANK)/files.o $(AMALGAMATION)/utet.c -o $@

.PHONY: run-rank
run-rank: $(RANK)/rank2 $(RANK)/rank3 $(RANK)/rank8 $(RANK)/uno.elf
	@BUILD=$(BUILD) CC=$(CC) test/tools/suite_run.sh rank test/tet/rank_test.py $(RANK)
check-full: run-rank
