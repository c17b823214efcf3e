# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# `make eva`: Frama-C EVA at zero alarms, in `make check-full`: a target for each harness test/*/eva_NAME.c that is named here.
# All others run by hand, `make eva-NAME`.
EVA_NAMES := base core check rows json zstd tiledb fold
EVA_BY_HAND := $(filter-out $(EVA_NAMES),$(sort $(patsubst eva_%.c,%,$(notdir $(wildcard test/*/eva_*.c)))))
.PHONY: wp eva eva-table eva-parse $(EVA_BY_HAND:%=eva-%) $(EVA_NAMES:%=eva-%)
eva: $(EVA_NAMES:%=eva-%) eva-table eva-parse
$(EVA_NAMES:%=eva-%) $(EVA_BY_HAND:%=eva-%): eva-%: | $(BUILD)/setup/full.ok
	@BUILD=$(BUILD) test/tools/suite_run.sh eva-$* test/eva/eva.sh $*
# Compares the table of functions with the logs.
eva-table: $(EVA_NAMES:%=eva-%)
	@BUILD=$(BUILD) PYTHONDONTWRITEBYTECODE=1 test/tools/suite_run.sh eva-table test/eva/functions.py check
# The harnesses that run by hand: checks whether they still fit the sources.
eva-parse: | $(BUILD)/setup/full.ok
	@for name in $(EVA_BY_HAND); do \
	    EVA_PARSE=1 EVA_MACHINES=x86_32 BUILD=$(BUILD) test/tools/suite_run.sh eva-parse-$$name test/eva/eva.sh $$name || exit 1; done
	@WP_PARSE=1 WP_MACHINES=x86_32 BUILD=$(BUILD) test/tools/suite_run.sh eva-parse-wp test/eva/wp.sh
# Does the analysis notice unsafe code? By hand: 60 changes take about a quarter of an hour.
EVA_CHANGES ?= 60
.PHONY: eva-selftest
eva-selftest: | $(BUILD)/setup/full.ok
	@BUILD=$(BUILD) PYTHONDONTWRITEBYTECODE=1 test/tools/suite_run.sh eva-selftest test/eva/selftest.py --count $(EVA_CHANGES) $(if $(SEED),--seed $(SEED))
# Frama-C WP: some functions that EVA cannot analyse.
wp: | $(BUILD)/setup/proof.ok
	@BUILD=$(BUILD) test/tools/suite_run.sh wp test/eva/wp.sh
check-full: eva
# Half an hour for one model: by hand.
check-more: $(EVA_BY_HAND:%=eva-%) wp
