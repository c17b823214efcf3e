# Tests of the command line, with the tool as `make` builds it: the golden files through it, then its contract with
# scripts and terminals. Long tier: once more with the tool under ASan and UBSan, and 10 GiB read through 16 MiB of address space.

TOOL_TEST_ENV = TEST_ROOT=test TEST_SHARED=$(SHARED) BUILD=$(BUILD) PYTHONDONTWRITEBYTECODE=1

.PHONY: test-tool test-tool-full
test: test-tool
check-full: test-tool-full

test-tool: $(BUILD)/utet | $(BUILD)/setup/test.ok
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/utet test/tools/suite_run.sh tool-vectors test/tool/vectors_test.py
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/utet test/tools/suite_run.sh tool-verify test/tool/verify_test.py
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/utet test/tools/suite_run.sh tool-cli test/tool/cli_test.py

TOOL_ASAN := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all

$(BUILD)/tool-asan/utet: $(TOOL_SRCS) $(wildcard boards/host/*.h port/*/*.h include/*.h) $(BUILD)/lib/asan/libutet.a
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_STD) $(WARN) $(TOOL_CPPFLAGS) $(TOOL_ASAN) $(TOOL_SRCS) $(BUILD)/lib/asan/libutet.a $(TOOL_LIBS) -o $@

# Address sanitizing needs address space: the memory limits are for the plain tool.
test-tool-full: $(BUILD)/tool-asan/utet $(BUILD)/utet | $(BUILD)/setup/full.ok
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/tool-asan/utet QUIET_SKIPS=1 \
	    test/tools/suite_run.sh tool-vectors-asan test/tool/vectors_test.py
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/tool-asan/utet test/tools/suite_run.sh tool-verify-asan test/tool/verify_test.py
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/tool-asan/utet NO_LIMITS=1 QUIET_SKIPS=1 \
	    test/tools/suite_run.sh tool-cli-asan test/tool/cli_test.py
	@$(TOOL_TEST_ENV) UTET=$(BUILD)/utet SUITE_FULL=1 QUIET_SKIPS=1 \
	    test/tools/suite_run.sh tool-cli-full test/tool/cli_test.py
