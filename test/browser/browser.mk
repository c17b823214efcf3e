# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# The WebAssembly modules in node (long tier, seconds), and the page in Chromium (by hand: README.md).
BROWSER_WASM := $(WEB_MODULES:%=$(WEB)/%.wasm)
BROWSER_RUN   = PATH=$(TEST_PATH) BUILD=$(BUILD) test/tools/suite_run.sh

.PHONY: run-browser-npm run-browser-npm-page run-browser-node run-browser run-browser-mutants
run-browser-node: $(BROWSER_WASM) | $(BUILD)/setup/node.ok
	@$(BROWSER_RUN) browser-values node test/browser/values_test.mjs
	@$(BROWSER_RUN) browser-mutants node test/browser/mutants_test.mjs 2000
run-browser-npm: dist-npm | $(BUILD)/setup/node.ok
	@$(BROWSER_RUN) browser-npm node test/browser/package_test.mjs $(NPM)
run-browser-mutants: $(BROWSER_WASM) | $(BUILD)/setup/node.ok
	@$(BROWSER_RUN) browser-mutants-long node test/browser/mutants_test.mjs 20000 $(or $(SEED),2)
run-browser: browser run-browser-node $(BUILD)/deps/playwright.ok | $(BUILD)/setup/chromium.ok
	@$(BROWSER_RUN) browser-page node test/browser/page_test.mjs
run-browser-npm-page: dist-npm $(BUILD)/deps/playwright.ok | $(BUILD)/setup/chromium.ok
	@$(BROWSER_RUN) browser-npm-page node test/browser/package_page_test.mjs $(NPM)
$(BUILD)/deps/playwright.ok: | $(BUILD)/setup/chromium.ok
check-full: run-browser-node run-browser-npm
