# A thin front for CMake; CONTRIBUTING.md explains the targets.
#
# Where Debian packages are missing, or one of the two libraries that Debian does not have, the targets of
# README.md (demo, install, check) and those that are there for it (deps, duckdb, mpi, check-long) install
# and fetch them; all others say what is missing.
#
#   make PRESET=asan check      the tests with another preset of CMakePresets.json
PRESET ?= release
BUILD = build/$(PRESET)
PREFIX ?= /usr/local
# The Adult tables, which are not in the repository: a directory with adult-uci/ and adult-arx/. Only
# `make bench`, which skips the benchmarks that need them, and `make experiments` read them.
ADULT ?=

export KITH_INSTALL = no
demo install check deps duckdb mpi check-long: KITH_INSTALL = yes

.PHONY: all build ready deps program duckdb mpi demo check check-long fuzz bench experiments lint format install uninstall deb wheel clean

all: build

deps: ready

ready:
	@scripts/install-deps
	@scripts/fetch-blst $(PRESET)
	@scripts/fetch-web $(PRESET)

$(BUILD)/build.ninja: | ready
	@cmake --preset $(PRESET) > /dev/null

build: ready $(BUILD)/build.ninja
	@cmake --build $(BUILD)

# The program and the libraries alone, without the tests and what they need: a newcomer or a packager
# should not wait for them.
program:
	@scripts/install-deps --build
	@scripts/fetch-blst install
	@scripts/fetch-web install
	@[ -f build/install/build.ninja ] || cmake --preset install > /dev/null
	@cmake --build build/install

# DuckDB's library, by which Kith reads and writes Parquet, for the programs under build. Nothing else needs it.
duckdb:
	@scripts/fetch-duckdb
	@echo "build/duckdb/libduckdb.so: programs under build find it; for others, export KITH_DUCKDB=$(CURDIR)/build/duckdb"

# The plugin by which ranks of an MPI launcher work on one table. 'make install' then installs it, too.
#   make mpi                         with Debian's Open MPI
#   make mpi MPI=mpich               with Debian's MPICH
#   make mpi MPICC=/opt/mpi/bin/mpicc  with any MPI that is there already
MPI ?= openmpi
mpi: program
	@[ -n "$(MPICC)" ] || scripts/install-deps --$(MPI)
	@cmake --preset install -U 'MPI_*' -DMPI_C_COMPILER=$(or $(MPICC),mpicc.$(MPI)) > /dev/null
	@cmake --build build/install
	@[ -f build/install/libkith-mpi.so ] || { echo "No MPI was found by $(or $(MPICC),mpicc.$(MPI))"; exit 1; }
	@echo "The plugin is beside the program: $(if $(MPICC),mpirun,mpirun.$(MPI)) -n 2 build/install/kith anonymize … (docs/scale.md)"

demo: program
	@scripts/demo build/install/kith

check: build duckdb
	@scripts/check-house
	@cmake --build $(BUILD) --target benches
	@ctest --test-dir $(BUILD) --output-on-failure -j$$((2 * $$(nproc)))
	@scripts/fuzz --in-all 60

check-long: build duckdb
	@scripts/check-long

# Bytes from outside, for SECONDS with each of the targets in tests/fuzz.
SECONDS ?= 60
fuzz: ready
	@scripts/fuzz $(SECONDS)

bench: build
	@cmake --build $(BUILD) --target benches
	@ADULT="$(ADULT)" scripts/bench $(BUILD)

experiments: build
	@[ -n "$(ADULT)" ] || { echo 'make experiments needs ADULT=dir, a directory with adult-uci/'; exit 2; }
	@for script in bench/experiments/*.sh; do "$$script" "$(ADULT)" $(BUILD) || exit 1; done

lint:
	@scripts/install-deps --lint
	@$(MAKE) --no-print-directory build
	@scripts/lint $(BUILD)

format: ready
	@git ls-files '*.c' '*.h' | xargs clang-format -i

# Where the system looks for libraries, it is told that there is a new one.
install: program
	@cmake --install build/install --prefix $(PREFIX)
	@case "$(PREFIX):$$DESTDIR:$$(id -u)" in /usr::0|/usr/local::0) ldconfig ;; esac

# Removes what the last `make install` from this directory has put in place.
uninstall:
	@scripts/uninstall build/install/install_manifest.txt

# Debian packages, in build/deb/packages.
deb:
	@scripts/install-deps --build
	@scripts/fetch-blst deb
	@scripts/fetch-web deb
	@[ -f build/deb/build.ninja ] || cmake --preset deb > /dev/null
	@cmake --build build/deb
	@scripts/make-deb build/deb build/deb/packages

# A wheel of the Python package that carries the library, in build/python.
wheel: program
	@scripts/install-deps --wheel
	@scripts/make-wheel build/install build/python

clean:
	rm -rf build
