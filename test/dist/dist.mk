# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# `make dist`: the release archive of the committed tree, the same bytes wherever and under whatever umask it is made.
# `make run-dist` (in check-full) holds that and builds from the unpacked archive; `make soak` runs all tests in it.

.PHONY: dist run-dist soak-dist
dist:
	@mkdir -p $(BUILD)
	$(Q)git -c tar.umask=0022 archive --format=tar --prefix=microtet-$(UTET_VERSION)/ HEAD | gzip -n9 > $(BUILD)/microtet-$(UTET_VERSION).tar.gz
	@cd $(BUILD) && sha256sum microtet-$(UTET_VERSION).tar.gz

run-dist: $(DEPS_ZSTD) | $(BUILD)/setup/build.ok
	@ZSTD_DIR=$(abspath $(ZSTD_DIR)) BUILD=$(BUILD) test/tools/suite_run.sh dist test/dist/dist.sh $(BUILD)/test/dist lib tool
check-full: run-dist

soak-dist: $(DEPS_ZSTD) $(DEPS_FATFS) $(DEPS_LITTLEFS) | $(BUILD)/setup/test.ok
	@ZSTD_DIR=$(abspath $(ZSTD_DIR)) FATFS_DIR=$(abspath $(FATFS_DIR)) LITTLEFS_DIR=$(abspath $(LITTLEFS_DIR)) BUILD=$(BUILD) \
	    test/tools/suite_run.sh dist-test test/dist/dist.sh $(BUILD)/test/dist test
soak: soak-dist
