# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# The library as WebAssembly modules, and the page that has them inside: `make browser`. Included by the Makefile; everything lands in
# build/browser, the page in build/utet.html.

WEB        := $(BUILD)/browser
WEB_CLANG  := clang
WEB_STACK  := 8192
# An address space of 32 bits without libc: the compiler's own headers are enough, except for string.h, which libc/string.h replaces.
WEB_CFLAGS := --target=wasm32 -Os -std=c99 -Wall -Wextra -Wpedantic -Wshadow -Wno-unknown-warning-option -ffreestanding -fno-builtin-memcpy \
              -mbulk-memory -ffunction-sections -fdata-sections -Iinclude -Isrc -Iboards/browser -isystem boards/browser/libc

# The packages (src/packages.mk) and own files of each module.
WEB_MODULES           := tet fold tensogram tiledb
WEB_PACKAGE_tet       := tet
WEB_OWN_tet           := tet dataset
WEB_PACKAGE_fold      := fold
WEB_OWN_fold          := fold dataset
WEB_PACKAGE_tensogram := tensogram
WEB_OWN_tensogram     := tensogram
WEB_PACKAGE_tiledb    := tiledb
WEB_OWN_tiledb        := tiledb
WEB_COMMON            := module memory

$(WEB)/obj/%.o: %.c boards/browser/browser.mk | $(BUILD)/setup/browser.ok
	$(call say,CC,$< [wasm])
	@mkdir -p $(@D)
	$(Q)$(WEB_CLANG) $(WEB_CFLAGS) -MMD -MP -c $< -o $@

# $(call web_module,NAME): build/browser/NAME.wasm. The stack is below all data, so that an overflow traps.
define web_module
WEB_OBJS_$1 := $$(patsubst %.c,$(WEB)/obj/%.o,$$(WEB_OWN_$1:%=boards/browser/%.c) $$(WEB_COMMON:%=boards/browser/%.c) \
               $$(call package_sources,$$(WEB_PACKAGE_$1)))
$(WEB)/$1.wasm: $$(WEB_OBJS_$1)
	$$(call say,LINK,$$@)
	$(Q)$(WEB_CLANG) --target=wasm32 -nostdlib -Wl,--no-entry -Wl,--gc-sections -Wl,--strip-all -Wl,-O2 -Wl,--stack-first \
	    -Wl,-z,stack-size=$(WEB_STACK) $$(WEB_OBJS_$1) -o $$@
-include $$(wildcard $$(WEB_OBJS_$1:.o=.d))
endef
$(foreach m,$(WEB_MODULES),$(eval $(call web_module,$m)))

# In the order in which one script needs them.
WEB_PARTS := $(addprefix boards/browser/,page.html page.css module.mjs source.mjs file.mjs tet.mjs tensogram.mjs tiledb.mjs microtet.mjs plot.mjs chunks.mjs tables.mjs page.mjs)

$(BUILD)/utet.html: boards/browser/pack.py $(WEB_PARTS) $(WEB_MODULES:%=$(WEB)/%.wasm)
	$(call say,PACK,$@)
	$(Q)python3 boards/browser/pack.py $@ $(WEB_PARTS) $(WEB_MODULES:%=$(WEB)/%.wasm)

# The same page, which opens a file of its own.
$(BUILD)/demo.html: boards/browser/pack.py $(WEB_PARTS) $(WEB_MODULES:%=$(WEB)/%.wasm) test/golden/demo/demo_planet.tet
	$(call say,PACK,$@)
	$(Q)python3 boards/browser/pack.py $@ $(WEB_PARTS) $(WEB_MODULES:%=$(WEB)/%.wasm) --file test/golden/demo/demo_planet.tet

.PHONY: browser
browser: $(BUILD)/utet.html $(BUILD)/demo.html
	@echo "the page: $(BUILD)/utet.html; with a file inside: $(BUILD)/demo.html"

# The package for npm. A package is a tar archive with the folder `package`; npm is not needed to make it.
NPM_FILES := $(addprefix boards/browser/,$(addsuffix .mjs,module source file tet tensogram tiledb microtet) microtet.d.ts README.md) LICENSE NOTICE
NPM        = $(BUILD)/dist/microtet-$(UTET_VERSION).tgz

.PHONY: dist-npm
dist-npm: $(WEB_MODULES:%=$(WEB)/%.wasm) $(NPM_FILES) boards/browser/package.json
	$(Q)rm -rf $(WEB)/npm; mkdir -p $(WEB)/npm/package $(BUILD)/dist
	$(Q)cp $(filter-out %.json,$^) $(WEB)/npm/package; sed 's/@version@/$(UTET_VERSION)/' boards/browser/package.json > $(WEB)/npm/package/package.json
	$(Q)SOURCE_DATE_EPOCH=0 python3 src/tools/pack.py $(WEB)/npm/package $(NPM)
	@echo "the package for npm: $(NPM)"
