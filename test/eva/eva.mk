# `make eva`: Frama-C EVA at zero alarms, on four machine models, in `make check-full`; here the container and slabs, in test/zstd
# the small decoder.
.PHONY: eva eva-core
eva: eva-core eva-zstd
eva-core: | $(BUILD)/setup/full.ok
	@BUILD=$(BUILD) test/tools/suite_run.sh eva-core test/eva/eva.sh
check-full: eva-core
