# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# `make dist`: the parts of a release, from the last commit: the source archive and an archive for each goal dist-NAME, with their SHA-256 in
# build/dist/SHA256SUMS; the bytes do not depend on the folder and the umask. An ecosystem that uses an archive of its own adds its goal to DISTS.
# `make run-dist` (in check-full) checks that, and builds from the unpacked archive; `make soak` runs all tests in it.

DIST  := $(BUILD)/dist
DISTS := dist-source dist-joined dist-arduino dist-platformio dist-espidf dist-crate
# These need compilers of their own: dist-wheel Python's packages, dist-npm clang. `make run-dist` omits them (DIST_BUILT=), `make soak` does not.
DIST_BUILT ?= dist-wheel dist-npm-package
SOURCE_ARCHIVE = $(DIST)/microtet-$(UTET_VERSION).tar.gz
DIST_DATE      = $(shell git log -1 --format=%ct)
# $(call dist_pack,FOLDER,ARCHIVE)
dist_pack = SOURCE_DATE_EPOCH=$(DIST_DATE) python3 src/tools/pack.py $1 $2

.PHONY: dist $(DISTS) $(DIST_BUILT) dist-tree run-dist soak-dist
dist: $(DISTS) $(DIST_BUILT)
	@cd $(DIST) && find . -maxdepth 2 -name 'microtet-*.*' -type f -printf '%P\n' | LC_ALL=C sort | xargs sha256sum > SHA256SUMS && cat SHA256SUMS

dist-source:
	@mkdir -p $(DIST) && rm -rf $(DIST)/microtet-*.* $(DIST)/python
	$(Q)git -c tar.umask=0022 archive --format=tar --prefix=microtet-$(UTET_VERSION)/ HEAD | gzip -n9 > $(SOURCE_ARCHIVE)

# The committed tree, for archives that contain a part of it or something made from it.
dist-tree: dist-source
	$(Q)rm -rf $(DIST)/tree && mkdir -p $(DIST)/tree && tar -xzf $(SOURCE_ARCHIVE) -C $(DIST)/tree --strip-components=1

# The joined files: the reader as utet.c and utet.h, and each package in a folder of its own.
JOINED = microtet-joined-$(UTET_VERSION)
dist-joined: dist-tree
	$(Q)rm -rf $(DIST)/made/$(JOINED) && mkdir -p $(DIST)/made && cd $(DIST)/tree && \
	    python3 src/tools/amalgamate.py ../made/$(JOINED) >/dev/null && cp LICENSE NOTICE ../made/$(JOINED)
	$(Q)$(call dist_pack,$(DIST)/made/$(JOINED),$(DIST)/$(JOINED).tar.gz)

# The library for the Arduino IDE: its folder in the archive has the library's name.
dist-arduino: dist-tree
	$(Q)mkdir -p $(DIST)/made && python3 $(DIST)/tree/port/arduino/assemble.py $(DIST)/made/arduino/microtet
	$(Q)$(call dist_pack,$(DIST)/made/arduino/microtet,$(DIST)/microtet-arduino-$(UTET_VERSION).zip)

# The package for PlatformIO, and the component for ESP-IDF.
dist-platformio dist-espidf: dist-%: dist-tree
	$(Q)mkdir -p $(DIST)/made && python3 $(DIST)/tree/src/tools/assemble.py $* $(DIST)/made/$*/microtet
	$(Q)$(call dist_pack,$(DIST)/made/$*/microtet,$(DIST)/microtet-$*-$(UTET_VERSION).tar.gz)

# The crates microtet and microtet-sys; the latter has the C sources.
dist-crate: dist-tree
	$(Q)$(DIST)/tree/port/rust/assemble.sh $(DIST)/made
	$(Q)for name in microtet microtet-sys; do \
	    $(call dist_pack,$(DIST)/made/$$name-$(UTET_VERSION),$(DIST)/$$name-$(UTET_VERSION).crate) || exit 1; done

# The wheel, and the source package that it is built from.
dist-wheel: dist-tree | $(BUILD)/setup/python.ok
	$(Q)cd $(DIST)/tree && SOURCE_DATE_EPOCH=$(DIST_DATE) BUILD=$(abspath $(DIST))/made test/python/python.sh wheel >/dev/null
	$(Q)mkdir -p $(DIST)/python && cp $(DIST)/made/python/dist/* $(DIST)/python

# The package for npm, with the modules that clang makes.
dist-npm-package: dist-tree | $(BUILD)/setup/browser.ok
	$(Q)$(MAKE) --no-print-directory -C $(DIST)/tree dist-npm BUILD=$(abspath $(DIST))/made >/dev/null
	$(Q)cp $(DIST)/made/dist/microtet-$(UTET_VERSION).tgz $(DIST)

run-dist: $(DEPS_ZSTD) | $(BUILD)/setup/build.ok
	@DIST_BUILT= ZSTD_DIR=$(abspath $(ZSTD_DIR)) BUILD=$(BUILD) test/tools/suite_run.sh dist test/dist/dist.sh $(BUILD)/test/dist lib tool
check-full: run-dist

soak-dist: $(DEPS_ZSTD) $(DEPS_FATFS) $(DEPS_LITTLEFS) | $(BUILD)/setup/test.ok
	@ZSTD_DIR=$(abspath $(ZSTD_DIR)) FATFS_DIR=$(abspath $(FATFS_DIR)) LITTLEFS_DIR=$(abspath $(LITTLEFS_DIR)) BUILD=$(BUILD) \
	    test/tools/suite_run.sh dist-test test/dist/dist.sh $(BUILD)/test/dist test
soak: soak-dist
