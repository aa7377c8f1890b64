# Options that the configuration switches on.
parts-y := core
parts-$(CONFIG_ZIP) := zip
parts-$(CONFIG_NET) += net

.PHONY: parts
parts:
	@echo $(parts-y)
