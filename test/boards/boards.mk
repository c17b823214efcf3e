# The firmware of the boards against the host and the files. (Start-up, cards, golden files: test/port/port.mk.)

BT := $(BUILD)/test/boards

# The demonstration as `make demo` runs it, with either codec, and what it writes on its display.
$(addprefix $(BT)/demo-,small.log upstream.log): $(BT)/demo-%.log: $(BOARDS)/demo-%.elf $(BOARDS)/card-fat32.img test/tools/screen.py | $(BUILD)/setup/demo.ok
	@mkdir -p $(@D)/screen-$*
	$(Q)$(call DEMO_SCREEN,$*,$(@D)/screen-$*) -- $(call QEMU_LM3S,fat32) $< >$@ || { tail -n 20 $@; exit 1; }

.PHONY: run-demo-labels
run-demo-labels: $(BT)/demo-small.log $(BT)/demo-upstream.log $(BUILD)/utet
	@BUILD=$(BUILD) test/tools/suite_run.sh demo-labels test/boards/labels_test.py $< test/golden/demo test/golden/demo/digests.txt $(BUILD)/utet

test: run-demo-labels

# The parts with 8 and 16 KB: the file in flash, and read through semihosting.
.PHONY: run-pocket
run-pocket: $(POCKET_BOARDS:%=$(BOARDS)/pocket-%.elf) $(POCKET_FILE) | $(BUILD)/setup/demo.ok
	@for b in $(POCKET_BOARDS); do for how in "" --host; do \
	    test/tools/qemu_pocket.py $$how $$b $(BOARDS)/pocket-$$b.elf $(POCKET_FILE) test/golden/golden.txt boards || bad=1; done; done; test -z "$$bad"

test: run-pocket
