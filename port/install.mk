# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# `make install` and `make uninstall`: tool, libraries, headers, pages, and the files with which pkg-config and CMake find them.
# PREFIX, LIBDIR and DESTDIR choose the folders. Ports are installed as sources, because a program compiles the one that it uses.
# Only options that every install(1) has.

PREFIX  ?= /usr/local
LIBDIR  ?= $(PREFIX)/lib
INSTALL ?= install

INSTALL_PORTS := $(filter posix mmap,$(PORTS))
INSTALL_BIN   := $(DESTDIR)$(PREFIX)/bin
INSTALL_LIB   := $(DESTDIR)$(LIBDIR)
INSTALL_INC   := $(DESTDIR)$(PREFIX)/include
INSTALL_MAN   := $(DESTDIR)$(PREFIX)/share/man
INSTALL_BASH  := $(DESTDIR)$(PREFIX)/share/bash-completion/completions
INSTALL_ZSH   := $(DESTDIR)$(PREFIX)/share/zsh/site-functions
INSTALL_FISH  := $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
INSTALL_SHARE := $(DESTDIR)$(PREFIX)/share/utet
INSTALL_HEADERS := $(wildcard include/*.h include/*.hpp)
# The manual pages of the calls are made with Python; an installation without Python does without them.
INSTALL_API   := $(if $(shell command -v python3),reference)
INSTALL_MADE  := $(BUILD)/install

# $(call put,MODE,FILES,FOLDER)
put = $(Q)$(INSTALL) -d "$3" && $(INSTALL) -m $1 $2 "$3"

# The way from LIBDIR/cmake/utet to PREFIX: relative if LIBDIR is within PREFIX, so that the tree can be moved.
empty :=
lib_within  := $(patsubst $(PREFIX)/%,%,$(filter $(PREFIX)/%,$(LIBDIR)))
cmake_prefix = $(if $(lib_within),$${CMAKE_CURRENT_LIST_DIR}/../..$(subst $(empty) $(empty),,$(patsubst %,/..,$(subst /, ,$(lib_within)))),$(PREFIX))
cmake_list   = $(subst $(empty) $(empty),;,$(strip $1))

.PHONY: install-files
install-files: include/utet.h port/install.mk $(BUILD)/utet
	$(Q)mkdir -p $(INSTALL_MADE)/cmake
	$(Q)printf '%s\n' 'prefix=$(PREFIX)' 'libdir=$(if $(lib_within),$${prefix}/$(lib_within),$(LIBDIR))' 'includedir=$${prefix}/include' \
	    'ports=$${prefix}/share/utet/port' '' 'Name: utet' 'Description: $(DESCRIPTION)' 'Version: $(UTET_VERSION)' \
	    'Cflags: -I$${includedir}' 'Libs: -L$${libdir} -lutet' > $(INSTALL_MADE)/utet.pc
	$(Q)for file in utetConfig utetConfigVersion utetTargets; do \
	    sed -e 's|@UTET_PREFIX@|$(cmake_prefix)|' -e 's|@UTET_VERSION@|$(UTET_VERSION)|' -e 's|@UTET_PACKAGES@|$(call cmake_list,$(PACKAGES))|' \
	        -e 's|@UTET_PORTS@|$(call cmake_list,$(INSTALL_PORTS))|' -e 's|@UTET_SHARED@|$(SHARED_FILE)|' \
	        port/cmake/$$file.cmake.in > $(INSTALL_MADE)/cmake/$$file.cmake || exit 1; done
	$(Q)$(BUILD)/utet help --man > $(INSTALL_MADE)/utet.1
	$(Q)$(BUILD)/utet help --completion bash > $(INSTALL_MADE)/utet
	$(Q)$(BUILD)/utet help --completion zsh > $(INSTALL_MADE)/_utet
	$(Q)$(BUILD)/utet help --completion fish > $(INSTALL_MADE)/utet.fish

install: all shared install-files $(INSTALL_API)
	$(call say,PUT,tool; libraries; headers and pages under $(DESTDIR)$(PREFIX))
	$(call put,755,$(BUILD)/utet,$(INSTALL_BIN))
	$(call put,644,$(BUILD)/libutet.a,$(INSTALL_LIB))
	$(call put,755,$(BUILD)/$(SHARED_FILE),$(INSTALL_LIB))
	$(Q)for link in $(SHARED_LINKS); do ln -sf $(SHARED_FILE) "$(INSTALL_LIB)/$$link" || exit 1; done
	$(call put,644,$(INSTALL_MADE)/utet.pc,$(INSTALL_LIB)/pkgconfig)
	$(call put,644,$(INSTALL_MADE)/cmake/*.cmake,$(INSTALL_LIB)/cmake/utet)
	$(call put,644,$(INSTALL_HEADERS),$(INSTALL_INC))
	$(call put,644,$(INSTALL_MADE)/utet.1,$(INSTALL_MAN)/man1)
	$(if $(INSTALL_API),$(call put,644,$(BUILD)/man/man3/*.3,$(INSTALL_MAN)/man3),@echo 'python3 is not there: the manual pages of the calls are left out.')
	$(call put,644,$(INSTALL_MADE)/utet,$(INSTALL_BASH))
	$(call put,644,$(INSTALL_MADE)/_utet,$(INSTALL_ZSH))
	$(call put,644,$(INSTALL_MADE)/utet.fish,$(INSTALL_FISH))
	$(Q)for port in $(INSTALL_PORTS); do $(INSTALL) -d "$(INSTALL_SHARE)/port/$$port" && \
	    $(INSTALL) -m 644 port/$$port/*.[ch] "$(INSTALL_SHARE)/port/$$port" || exit 1; done
	@# Linux finds a new shared library after ldconfig; a package does that itself.
	$(Q)if [ -z "$(DESTDIR)" ] && [ "$$(uname -s)" = Linux ]; then ldconfig 2>/dev/null || true; fi

uninstall:
	$(Q)rm -f "$(INSTALL_BIN)/utet" "$(INSTALL_LIB)/libutet.a" "$(INSTALL_LIB)/pkgconfig/utet.pc" \
	    "$(INSTALL_MAN)/man1/utet.1" "$(INSTALL_BASH)/utet" "$(INSTALL_ZSH)/_utet" "$(INSTALL_FISH)/utet.fish"
	$(Q)for file in $(SHARED_FILE) $(SHARED_LINKS); do rm -f "$(INSTALL_LIB)/$$file"; done
	$(Q)for file in $(notdir $(INSTALL_HEADERS)); do rm -f "$(INSTALL_INC)/$$file"; done
	$(Q)rm -f "$(INSTALL_MAN)/man3/"utet.h.3 "$(INSTALL_MAN)/man3/"utet_*.3
	$(Q)rm -rf "$(INSTALL_SHARE)" "$(INSTALL_LIB)/cmake/utet"
