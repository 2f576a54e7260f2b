# tests.mk: the tests. Included by the Makefile, whose variables it uses. HACKING.md has a table of the suites.

# ---- what there is ------------------------------------------------------------------------------------

TESTS := $(B)/tests
UNIT_SRC := $(wildcard tests/unit/*.c tests/unit/*/*.c tests/unit/*/*/*.c tests/unit/*/*/*/*.c)
# Only the server has threads.
ifeq ($(MODE),tsan)
UNIT_SRC := $(wildcard tests/unit/*.c tests/unit/srv/*/*.c)
endif
# The server without its main.
UNIT_SRV := $(filter-out src/srv/main.c,$(SRV_SRC))
# tests/prop/check_<name>.c judges the maps of a generator; the laws pass it every map that they make.
# prop_<name>.c is a suite that tests the same promises on requests of its own.
PROMISES := $(patsubst tests/prop/check_%.c,%,$(wildcard tests/prop/check_*.c))
SUITES := $(patsubst tests/prop/prop_%.c,%,$(wildcard tests/prop/prop_*.c))
FUZZ := $(patsubst tests/fuzz/%.c,%,$(filter-out tests/fuzz/replay.c,$(wildcard tests/fuzz/*.c)))

# For the format of C, JavaScript and shell.
TEST_PACKAGES += clang-format shellcheck shfmt
# For deploy/ and the workflow.
TEST_PACKAGES += yamllint python3-yaml
# For the examples: C\# as Unity has it, and a browser.
TEST_PACKAGES += mono-mcs:mcs libnewtonsoft-json5.0-cil libmono-system-net-http4.0-cil chromium-headless-shell:chromium-headless-shell
# For the bindings: pip and what it builds with, types.
TEST_PACKAGES += python3-pip python3-setuptools python3-wheel python3-numpy mypy:mypy
TEST_PACKAGES += libexpat1-dev libsubunit-dev libcadical-dev g++ graphviz python3-networkx \
	librsvg2-bin pngcheck python3-pil python3-pyte python3-cbor2 python3-jsonschema \
	python3-shapely tiled:tmxrasterizer

# ---- all of it -------------------------------------------------------------------------------------------

# Stages run side by side, two more than there are processors, because some mostly wait for clocks and
# sockets; the output of each is in build/log. The longest begin first. Tests of the library's code run
# with ASan, UBSan and assertions, those of the server's threads with TSan, those of whole programs and of many
# maps in a release; HACKING.md has the table. `make test-all` adds a debug build, other compilers, and
# the long forms.
STAGES := release/built asan/built tsan/built \
	release/check-prop asan/check-http tsan/check-threads release/check-web release/check-http-apart asan/check-prop \
	asan/check-laws asan/check-wide release/check-digest release/check-cli asan/check-unit release/check-openapi \
	release/check-examples tsan/check-unit release/check-clients release/check-deploy release/check-bindings \
	release/check-package asan/check-newgen release/check-wasm release/check-intake asan/check-golden asan/check-replay \
	release/check-pictures release/check-wall release/check-hardening release/check-layers release/check-abi check-format
STAGES_ALL := debug/built $(STAGES) \
	debug/check-http debug/check-prop release/matrix debug/check-web debug/check-wide debug/check-laws debug/check-unit debug/check-cli \
	release/check-windows release/check-bundlers debug/check-soak debug/check-golden debug/check-replay release/check-golden

# Large pages for the shadow memory of sanitizers: on virtual machines each first touch of a page takes
# microseconds, and the shadow is large and touched all over.
export ASAN_OPTIONS := no_huge_pages_for_shadow=0:$(ASAN_OPTIONS)
export MSAN_OPTIONS := no_huge_pages_for_shadow=0:$(MSAN_OPTIONS)
export TSAN_OPTIONS := no_huge_pages_for_shadow=0:$(TSAN_OPTIONS)

.PHONY: test test-all
JOBS ?= $(shell expr $$(nproc) + 2)
test: deps-test
	@$(MAKE) --no-print-directory -j$(JOBS) $(WASM) $(WASM_SVG) # the same for all modes
	@MAKE="$(MAKE)" SHORT=1 tests/run.py -j $(JOBS) $(STAGES)
#: make test-all         a debug build as well, other compilers, and products in full
test-all: deps-test
	@$(MAKE) --no-print-directory -j$(JOBS) $(WASM) $(WASM_SVG)
	@MAKE="$(MAKE)" tests/run.py -j $(JOBS) $(STAGES_ALL)

.PHONY: check-http check-http-apart check-clients check-threads check-cli check-openapi check-pictures check-web check-examples
# With ASan all but the tests of several copies, of load, and of memory, which ASan itself uses: these are slow or
# need a release (check-http-apart).
APART := rolling or edge or store or load
check-http: $(B)/mapwrightd $(B)/faultyd
	MAPWRIGHTD=$(CURDIR)/$< tests/http/run $(if $(filter asan,$(MODE)),-k "not ($(APART))")
check-http-apart: $(B)/mapwrightd $(B)/faultyd
	MAPWRIGHTD=$(CURDIR)/$< tests/http/run -k "$(APART)"
	MAPWRIGHT_ISOLATE=off MAPWRIGHTD=$(CURDIR)/$< tests/http/run -k "basic or caching"
#: make rolling          20,000 requests through nginx, while three copies are restarted or killed in turn
.PHONY: rolling
rolling: $(B)/mapwrightd $(B)/faultyd
	ROLLING_REQUESTS=20000 MAPWRIGHTD=$(CURDIR)/$< tests/http/run -s -k come_and_go
# Many clients at once, for ThreadSanitizer. The library has no threads.
check-threads: $(B)/mapwrightd $(B)/faultyd
	MAPWRIGHTD=$(CURDIR)/$< tests/http/run -k "basic or clients or caching or async or robust or random or pages or isolate or drain"
#: make faults           each allocation of the server fails in turn; in the tests only some do
.PHONY: faults
faults: $(B)/mapwrightd $(B)/faultyd
	MAPWRIGHT_FAULTS=1 MAPWRIGHTD=$(CURDIR)/$< tests/http/run -k faults
#: make check-web        the page at / in a real browser
check-web: $(B)/mapwrightd
	MAPWRIGHTD=$(CURDIR)/$< tests/web/run
#: make check-wasm       the module in Node: same bytes as the command, and limits
.PHONY: check-wasm
check-wasm: $(B)/mapwright $(WASM) $(WASM_SVG)
	$(if $(WASM),MAPWRIGHT=$(CURDIR)/$< node --test --test-reporter=spec tests/wasm/test_module.mjs,@echo "no module: there is no clang, or no wasm-ld")
#: make check-package    the package for npm: packed, linted, run in Node, Deno, Bun and Chromium
.PHONY: check-package
check-package: $(B)/mapwrightd $(if $(WASM),npm)
	@tests/npm.sh web >/dev/null; tests/npm.sh package >/dev/null
	$(if $(WASM),MAPWRIGHTD=$(CURDIR)/$< node --test --test-reporter=spec $(if $(SHORT),--test-name-pattern='it holds|it makes') tests/package/test_package.mjs,@echo "no module: there is no clang, or no wasm-ld")
#: make check-bundlers   the package for npm in fresh projects: webpack, esbuild, Vite, Next, Jest
# They need a newer Node than Debian 12 has.
.PHONY: check-bundlers
check-bundlers: npm
	@for tools in web package bundlers; do tests/npm.sh $$tools >/dev/null; done
	@node -e 'process.exit(+(parseInt(process.versions.node) < 20))' || { echo "bundlers: need Node 20, which is not here"; exit 0; }; \
	node --test --test-reporter=spec tests/bundlers/test_bundlers.mjs
check-cli: $(B)/mapwright
	cd tests/cli && MAPWRIGHT=$(CURDIR)/$< /usr/bin/python3 -B -m pytest -q -p no:cacheprovider
#: make check-deploy     manual pages, units, completion: read by the tools that use them
.PHONY: check-deploy
check-deploy: all
	BUILD=$(CURDIR)/$(B) /usr/bin/python3 -B -m pytest -q -p no:cacheprovider tests/deploy
#: make check-examples   run examples/ against a service
check-examples: $(B)/mapwrightd
	MAPWRIGHTD=$(CURDIR)/$< tests/examples/run $(if $(SHORT),-k "(shows_the_map and regions) or the_page or gdscript or typed")
# A server whose libmicrohttpd reads by another recv must not answer: here is one.
$(TESTS)/deaf/intake.o: $(B)/src/srv/net/intake.o
	@mkdir -p $(@D)
	$(Q)objcopy --localize-symbol=recv $< $@
$(TESTS)/deaf/mapwrightd: $(filter-out %/net/intake.o,$(SRV_OBJ)) $(TESTS)/deaf/intake.o $(API_OBJ) $(B)/libmapwright.a
	@echo "ld $@"
	$(Q)$(CC) $(ALL_CFLAGS) -o $@ $^ $(SRV_LIBS)
.PHONY: check-intake
check-intake: $(TESTS)/deaf/mapwrightd
	@timeout 600 $< --log=off --host=127.0.0.1 --port=$${PORT:-9099} 2>/dev/null & server=$$!; \
	curl -s --retry 300 --retry-connrefused --retry-max-time 300 --retry-delay 1 http://127.0.0.1:$${PORT:-9099}/healthz; code=$$?; \
	kill $$server; test $$code = 52 # the connection was closed without an answer
# The service with a generator that crashes, hangs, and makes system calls.
FAULTY_OBJ := $(patsubst %,$(TESTS)/box/%.o,faulty registry)
$(TESTS)/box/registry.o: src/all/registry.c $(B)/how
	@mkdir -p $(@D)
	$(Q)$(CC) $(TEST_FLAGS) $(ALL_CFLAGS) -DMW_FAULTY -MMD -MP -c -o $@ $<
-include $(FAULTY_OBJ:.o=.d)
$(B)/faultyd: $(SRV_OBJ) $(FAULTY_OBJ) $(API_OBJ) $(B)/libmapwright.a
	@echo "ld $@"
	$(Q)$(CC) $(ALL_CFLAGS) $(LINK_FLAGS) -o $@ $^ $(SRV_LIBS)

#: make check-document   openapi.yaml is what tools/openapi.py writes; if not, run make openapi.yaml
.PHONY: check-document
check-document: $(B)/mapwright
	@mkdir -p $(B)/document
	@tools/openapi.py $< $(B)/document
	@for f in $(DOCUMENTS); do cmp $$f $(B)/document/$$f || { echo "run: make openapi.yaml"; exit 1; }; done
check-openapi: check-document
	tests/openapi/lint.sh

# Clients that two generators make from the OpenAPI document; with SHORT one of them.
check-clients: $(B)/mapwrightd
	tests/clients/check.sh $(B)/mapwrightd

# The pictures of the README are what the program draws.
check-pictures: $(B)/mapwright
	@$(MAKE) --no-print-directory DOCS=build/docs DRAWN_TILES=build/src/web/tiles pictures >/dev/null
	@for picture in docs/*.svg docs/steps/*.svg src/web/tiles/*.png; do cmp $$picture build/$$picture || exit 1; done
	@echo "pictures: those of the README are up to date"

# Adds a generator to a copy of the tree, as HACKING.md describes.
.PHONY: check-newgen
check-newgen: all $(B)/laws $(B)/golden
	MODE=$(MODE) tests/newgen/run

.PHONY: format check-format
#: make format           format C, JavaScript and shell
format:
	tests/format/run
check-format:
	tests/format/run check

.PHONY: check check-fast fast
check: check-fast
#: make check-fast       the quick tests, with asserts on
check-fast:
	@$(MAKE) --no-print-directory MODE=debug fast
fast: all $(B)/unit $(B)/golden $(B)/laws check-document
	@CK_FORK=no CK_VERBOSITY=minimal $(B)/unit
	@$(B)/golden check tests/golden
	@$(B)/laws 20 >$(B)/laws.log || { cat $(B)/laws.log; exit 1; }
	@tests/layers.py $(B)
	@tests/abi/abi.py $(B)/libmapwright.so tests/abi/mapwright.abi
	@changed=$$(git diff --name-only --diff-filter=d HEAD 2>/dev/null); \
	[ -z "$$changed" ] || tests/format/run check $$changed

# ---- how it is built -----------------------------------------------------------------------------------

TEST_FLAGS = -std=c11 -D_GNU_SOURCE $(WARNINGS) $(if $(CI),-Werror) -Iinclude -Isrc -Itests -pthread
$(B)/tests/%.o: ALL_FLAGS = $(TEST_FLAGS)
$(B)/tests/prop/laws.o: ALL_FLAGS = $(TEST_FLAGS) '-DPROMISES=${PROMISES:%=PROMISE(%)}'
# The list of tests: what depends on it is rebuilt when a file is added or removed.
TESTED = $(UNIT_SRC) $(PROMISES) $(SUITES)
$(eval $(call stamp,tested,TESTED))
$(B)/unit $(B)/prop $(B)/tests/prop/laws.o: $(B)/tested
# The template is not part of the library.
$(B)/src/gen/null.o: ALL_FLAGS = $(LIB_FLAGS)

CHECK_LIBS := -Wl,--wrap=_mark_point -lcheck_pic -lsubunit -lrt -lm -pthread
# The functions that fail in turn in the unit tests: tests/faults.h.
FAULTY := $(shell sed -n 's/^FAULTY.[^,]*, \([A-Za-z0-9_]*\),.*/\1/p' tests/faults.c)
UNIT_OBJ := $(TESTS)/test.o $(TESTS)/marks.o $(TESTS)/faults.o $(UNIT_SRC:%.c=$(B)/%.o) $(B)/src/gen/null.o $(TESTS)/prop/formats.o $(TESTS)/prop/read_shapes.o $(UNIT_SRV:%.c=$(B)/%.o) $(API_OBJ)
LAWS_OBJ := $(PROMISES:%=$(TESTS)/prop/check_%.o) $(patsubst %,$(TESTS)/prop/%.o,laws formats read_shapes trial arbitrary flat)
PROP_OBJ := $(TESTS)/test.o $(TESTS)/marks.o $(SUITES:%=$(TESTS)/prop/prop_%.o) $(PROMISES:%=$(TESTS)/prop/check_%.o) \
	$(patsubst %,$(TESTS)/prop/%.o,ask_puzzle puzzle_sat look feel fair sky trial arbitrary any_size weigh land)
DIGEST_SRC := $(patsubst %,tests/prop/%.c,digest trial arbitrary)
DIGEST_OBJ := $(DIGEST_SRC:%.c=$(B)/%.o)
WIDE_OBJ := $(patsubst %,$(TESTS)/%.o,wide/wide prop/any_size prop/arbitrary)
GOLDEN_OBJ := $(TESTS)/golden/golden.o
FUZZ_OBJ := $(FUZZ:%=$(TESTS)/fuzz/%.o) $(TESTS)/fuzz/replay.o

$(B)/unit: $(UNIT_OBJ) $(B)/libmapwright.a
	@echo "ld $@"
	$(Q)$(CC) $(ALL_CFLAGS) -o $@ $(filter %.o %.a,$^) $(FAULTY:%=-Wl,--wrap=%) $(CHECK_LIBS) $(SRV_LIBS) -lexpat
$(B)/laws: $(LAWS_OBJ) $(B)/libmapwright.a
	@echo "ld $@"
	$(Q)$(CC) $(ALL_CFLAGS) -o $@ $^ -ljansson -lexpat -lz -lm -pthread
$(B)/prop: $(PROP_OBJ) $(B)/libmapwright.a
	@echo "ld $@"
	$(Q)$(CC) $(ALL_CFLAGS) -o $@ $(filter %.o %.a,$^) $(CHECK_LIBS) -lcadical -lstdc++ -lm
$(B)/digest: $(DIGEST_OBJ) $(B)/libmapwright.a
	@echo "ld $@"
	$(Q)$(CC) $(ALL_CFLAGS) -o $@ $^
$(B)/wide: $(WIDE_OBJ) $(B)/libmapwright.a
	@echo "ld $@"
	$(Q)$(CC) $(ALL_CFLAGS) -o $@ $^
$(B)/golden: $(GOLDEN_OBJ) $(B)/libmapwright.a
	@echo "ld $@"
	$(Q)$(CC) $(ALL_CFLAGS) -o $@ $^

-include $(UNIT_OBJ:.o=.d) $(LAWS_OBJ:.o=.d) $(PROP_OBJ:.o=.d) $(DIGEST_OBJ:.o=.d) $(GOLDEN_OBJ:.o=.d) $(WIDE_OBJ:.o=.d) \
	$(FUZZ_OBJ:.o=.d)

# ---- the library, in any mode -----------------------------------------------------------------------------

# All programs that the tests of a mode run.
.PHONY: built
BUILT_release := $(B)/golden $(B)/prop $(B)/digest
BUILT_tsan := $(B)/unit
built: all $(or $(BUILT_$(MODE)),$(B)/unit $(B)/laws $(B)/prop $(B)/wide $(B)/golden $(FUZZ:%=$(B)/replay-%))

# Requests for each generator; fewer with ASan and with coverage.
LAWS ?= $(or $(LAWS_$(MODE)),400)
LAWS_asan := 150
LAWS_cov := 150
DIGEST ?= 250

.PHONY: check-unit check-laws check-prop check-golden check-wall check-layers check-replay golden-update
# In one process, which is much faster. After a crash they run again in forks, to show which test it was.
check-unit: $(B)/unit
	@CK_FORK=no timeout --preserve-status -s ABRT 900 $(B)/unit; code=$$?; [ $$code -le 128 ] || CK_FORK=yes CK_DEFAULT_TIMEOUT=60 $(B)/unit; exit $$code
check-laws: $(B)/laws
	$(B)/laws $(LAWS)
# Two suites at a time. With ASan a tenth as many maps (tests/prop/rounds.h), no tests that only measure, and one
# process for a suite, as a search for leaks at the end of each process would take longer than the tests.
check-prop: $(B)/prop
	@printf '%s\n' $(SUITES) | xargs -P 2 -I{} env CK_RUN_SUITE={} $(if $(filter asan,$(MODE)),CK_FORK=no CK_EXCLUDE_TAGS=measures )$(B)/prop
#: make long             the promises on many more requests, with all asserts, also the slow ones
.PHONY: long check-long
long:
	@$(MAKE) --no-print-directory MODE=long check-long
check-long: $(B)/unit $(B)/laws $(B)/prop $(B)/golden
	CK_FORK=no $(B)/unit
	$(B)/golden check tests/golden
	$(B)/laws 2000
	MAPWRIGHT_LONG=1 CK_DEFAULT_TIMEOUT=0 $(B)/prop
# The largest map of each kind, and some addresses of each generator.
check-wide: $(B)/wide
	$(B)/wide tests/wide/largest.txt
	$(B)/wide all 0 $(if $(filter asan,$(MODE)),40,100)
.PHONY: check-wide wide
WIDE ?= 10000
WIDE_ASAN ?= 1000
WIDE_FROM ?= 0
#: make wide             WIDE=10000 addresses of every generator, of all sizes, with asserts on, and
#:                       WIDE_ASAN=1000 with sanitizers; WIDE_FROM=0 is the number of the first
wide:
	@for mode in debug asan; do $(MAKE) --no-print-directory MODE=$$mode build/$$mode/wide || exit 1; done
	@build/debug/wide all $(WIDE_FROM) $(WIDE) & failed=0; \
	build/asan/wide all $(WIDE_FROM) $(WIDE_ASAN) || failed=1; \
	wait $$! || failed=1; exit $$failed
check-golden: $(B)/golden
	$(B)/golden check tests/golden
#: make golden-update    write golden maps that are new, or whose generator has a new version
golden-update: $(B)/golden
	$(B)/golden update tests/golden
check-wall: $(B)/libmapwright.a
	tests/wall.sh $<
.PHONY: check-hardening
#: make check-hardening  the programs of a release have PIE, RELRO, stack protector and FORTIFY
check-hardening: all
	tests/hardening.sh $(B)/mapwrightd $(B)/mapwright
check-layers: all
	tests/layers.py $(B)
#: make check-bindings   bindings/, used from their languages, with the real library
.PHONY: check-bindings
check-bindings: all $(B)/libmapwright_godot.so
	BUILD=$(CURDIR)/$(B) /usr/bin/python3 -B -m pytest -q -p no:cacheprovider tests/bindings
# The shared library, installed and used from C and C++.
.PHONY: check-abi abi
check-abi: all
	MAKE="$(MAKE)" tests/abi/run $(B)
#: make abi              write the recorded binary interface: tests/abi/mapwright.abi
abi: $(B)/libmapwright.so
	tests/abi/abi.py $< > tests/abi/mapwright.abi

.PHONY: bare
#: make bare             the commands of the README, and `make test`, on a fresh Debian 12; as root
bare:
	$(call install_missing,debootstrap)
	@tests/bare/run

.PHONY: nightly
#: make nightly          all that takes long
NIGHTLY := test-all bare long portable soak wide fuzz
nightly:
	@failed=; for target in $(NIGHTLY); do $(MAKE) --no-print-directory $$target || failed="$$failed $$target"; done; \
	[ -z "$$failed" ] || { echo "failed:$$failed"; exit 1; }

.PHONY: soak check-soak
SOAK_MINUTES ?= 60
#: make soak             SOAK_MINUTES=60 of good and bad requests of all kinds to two copies
soak: deps-test
	@$(MAKE) --no-print-directory MODE=release all
	tests/soak/soak.py build/release/mapwrightd $(SOAK_MINUTES)
#: make overload         offer ten times as many requests as can be served; show maps, refusals and health
.PHONY: overload
overload: deps-test
	@$(MAKE) --no-print-directory MODE=release all
	MAPWRIGHTD=build/release/mapwrightd tests/soak/overload.py 10
check-soak: $(B)/mapwrightd
	tests/soak/soak.py $< 0.5

# ---- coverage ------------------------------------------------------------------------------------------------

.PHONY: cov
#: make cov              lines and branches that the tests run (without those of the page), by file
cov: deps-test
	$(call install_missing,gcovr)
	@$(MAKE) --no-print-directory MODE=cov built
	@find build/cov -name '*.gcda' -delete
	@MAKE="$(MAKE)" tests/run.py -j $(JOBS) $(COV_STAGES:%=cov/%)
	@gcovr -r . -j $(JOBS) --filter src/ --print-summary build/cov
COV_STAGES := check-prop check-http check-laws check-unit check-cli check-golden check-replay

# ---- the matrix: the same digest everywhere ------------------------------------------------------------------

MATRIX := gcc-O0 clang-O0 clang-O3 clang-msan
PORTABLE := aarch64-linux-gnu s390x-linux-gnu
LEVEL_O0 := -O0
LEVEL_O3 := -O3
# MSan: memory that was never written is not read.
LEVEL_msan := -O1 $(INFO) -fsanitize=memory -fno-omit-frame-pointer
QEMU_aarch64-linux-gnu := qemu-aarch64
QEMU_s390x-linux-gnu := qemu-s390x
# The library has no dependencies.
STANDALONE_SRC := $(LIB_SRC) $(DIGEST_SRC)
STANDALONE_FLAGS = -std=c11 -D_GNU_SOURCE -ffp-contract=off -fno-math-errno -Iinclude -Isrc -Itests
STANDALONE_NEEDS := $(STANDALONE_SRC) $(wildcard include/*.h src/*/*.h src/*/*/*.h src/*/*/*/*.h tests/prop/*.h)

build/matrix/%.digest: $(STANDALONE_NEEDS)
	@mkdir -p $(@D)
	@echo "cc $(@:.digest=)"
	$(Q)$(firstword $(subst -, ,$*)) $(LEVEL_$(lastword $(subst -, ,$*))) $(STANDALONE_FLAGS) -o $(@:.digest=) $(STANDALONE_SRC)
	@echo "$(@:.digest=) $(DIGEST)"
	$(Q)$(@:.digest=) $(DIGEST) >$@.new
	@mv $@.new $@

# The release build, gcc at -O3, is the one that the others are compared with.
$(B)/digest.txt: $(B)/digest
	$< $(DIGEST) >$@.new
	@mv $@.new $@

build/portable/%/digest: $(STANDALONE_NEEDS)
	@mkdir -p $(@D)
	$*-gcc -O2 -static $(STANDALONE_FLAGS) -o $@ $(STANDALONE_SRC)
build/portable/%/golden: $(STANDALONE_NEEDS) tests/golden/golden.c
	@mkdir -p $(@D)
	$*-gcc -O2 -static $(STANDALONE_FLAGS) -o $@ $(LIB_SRC) tests/golden/golden.c
build/portable/%.digest: build/portable/%/digest
	$(QEMU_$*) $< $(DIGEST) >$@.new
	@mv $@.new $@

# The objects of the module, with all encoders, and a libc for the program around them.
WASI_SRC := $(DIGEST_SRC) src/all/registry.c
build/portable/wasm/%.o: %.c $(STANDALONE_NEEDS)
	@mkdir -p $(@D)
	$(Q)clang --target=wasm32-wasi -Oz $(STANDALONE_FLAGS) -c -o $@ $<
build/portable/wasm/digest.wasm: $(WASI_SRC:%.c=build/portable/wasm/%.o) $(WASM_OBJ)
	@echo "ld $@"
	$(Q)clang --target=wasm32-wasi -Wl,--export=__stack_pointer,--export-table,--no-check-features \
		-Wl,--allow-undefined-file=src/wasm/imports.txt -o $@ $(WASI_SRC:%.c=build/portable/wasm/%.o) \
		$(filter-out %/wasm/module.o %/all/registry.o,$(WASM_OBJ))
build/portable/wasm.digest: build/portable/wasm/digest.wasm
	node tests/wasm/digest.mjs $< $(DIGEST) >$@.new
	@mv $@.new $@

# In `make test`: the release build beside clang with MSan.
.PHONY: check-digest
check-digest: $(B)/digest.txt build/matrix/clang-msan.digest
	tests/same.sh $^

#: make check-windows    the program for Windows writes the same maps, under Wine if that is installed
.PHONY: check-windows
WINE := $(firstword $(shell command -v wine64 wine) $(wildcard /usr/lib/wine/wine64))
check-windows: windows $(B)/mapwright $(B)/digest.txt
	@$(MAKE) --no-print-directory MODE=windows build/windows/digest
	WINE="$(WINE)" DIGEST=$(DIGEST) tests/windows/run $(B) build/windows

.PHONY: matrix portable $(PORTABLE:%=portable-golden-%)
#: make matrix           one digest from gcc and clang, -O0 and -O3
matrix: $(B)/digest.txt $(MATRIX:%=build/matrix/%.digest)
	tests/same.sh $^
#: make portable         the same digest on emulated aarch64 and big-endian s390x, and from WebAssembly
PORTED := $(patsubst %,build/portable/%.digest,$(PORTABLE) wasm)
portable: deps-portable deps-wasm
	@$(MAKE) --no-print-directory portable-golden $(PORTED) $(B)/digest.txt
	tests/same.sh $(B)/digest.txt $(PORTED)
.PHONY: portable-golden
portable-golden: $(PORTABLE:%=portable-golden-%)
$(PORTABLE:%=portable-golden-%): portable-golden-%: build/portable/%/golden
	$(QEMU_$*) $< check tests/golden

# ---- fuzzing --------------------------------------------------------------------------------------------------

# Each target is a function of bytes: replayed in any mode, run by libFuzzer in MODE=fuzz.
FUZZ_MORE_bind := $(B)/libmapwright.a -ljansson
FUZZ_MORE_stream := $(filter-out $(B)/src/srv/main.o,$(SRV_OBJ)) $(API_OBJ) $(B)/libmapwright.a $(filter -l%,$(SRV_LIBS))
FUZZ_SECONDS ?= 20

define fuzz_target
$(B)/replay-$(1): $(TESTS)/fuzz/$(1).o $(TESTS)/fuzz/replay.o $(FUZZ_MORE_$(1))
	@echo "ld $$@"
	$$(Q)$$(CC) $$(ALL_CFLAGS) -o $$@ $$^
$(B)/fuzz-$(1): $(TESTS)/fuzz/$(1).o $(FUZZ_MORE_$(1))
	@echo "ld $$@"
	$$(Q)$$(CC) $$(ALL_CFLAGS) -fsanitize=fuzzer -o $$@ $$^
.PHONY: check-replay-$(1) fuzz-$(1)
check-replay: check-replay-$(1)
check-replay-$(1): $(B)/replay-$(1)
	@$(B)/replay-$(1) $(wildcard tests/fuzz/corpus/$(1)/* tests/fuzz/regression/$(1)/*)
fuzz-$(1): $(B)/fuzz-$(1)
	@mkdir -p build/corpus/$(1) tests/fuzz/regression/$(1)
	$(B)/fuzz-$(1) -max_total_time=$(FUZZ_SECONDS) -timeout=60 -rss_limit_mb=4096 -print_final_stats=1 \
		-artifact_prefix=tests/fuzz/regression/$(1)/ build/corpus/$(1) tests/fuzz/corpus/$(1)
endef
$(foreach target,$(FUZZ),$(eval $(call fuzz_target,$(target))))

.PHONY: fuzz
#: make fuzz             FUZZ_SECONDS=20 on each target; inputs that break it are kept in regression/
fuzz:
	@for target in $(FUZZ); do $(MAKE) --no-print-directory MODE=fuzz fuzz-$$target || exit 1; done
