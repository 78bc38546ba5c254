# A thin front for CMake: see CONTRIBUTING.md.
PRESET ?= release
BUILD = build/$(PRESET)

.PHONY: all build deps demo check check-long bench lint format install clean

all: build

deps:
	@scripts/install-deps

build: deps
	@test -f $(BUILD)/build.ninja || cmake --preset $(PRESET) > /dev/null
	@cmake --build $(BUILD)

check: build
	@ctest --test-dir $(BUILD) --output-on-failure -j2

clean:
	rm -rf build
