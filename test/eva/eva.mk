# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# `make eva`: Frama-C EVA at zero alarms, on four machine models, in `make check-full`: a target for each harness
# test/*/eva_NAME.c.
EVA_NAMES := core window check json zstd tiledb
.PHONY: eva eva-tensogram $(EVA_NAMES:%=eva-%)
eva: $(EVA_NAMES:%=eva-%)
$(EVA_NAMES:%=eva-%) eva-tensogram: eva-%: | $(BUILD)/setup/full.ok
	@BUILD=$(BUILD) test/tools/suite_run.sh eva-$* test/eva/eva.sh $*
check-full: eva
# Five minutes: by hand.
check-more: eva-tensogram
