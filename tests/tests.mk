# tests.mk: everything that proves it. Included by the Makefile, whose variables it uses.
#
#   unit      rows of input and expected             laws    what holds for every generator, at random
#   prop      what one generator promises            golden  maps that one can look at
#   wall      outside symbols of the library         replay  what fuzzers once found
#   matrix    one digest from every compiler and level; `make portable`: and processor
#   http, cli, openapi, web, examples: the programs from outside

# ---- what there is ------------------------------------------------------------------------------------

UNIT_SRC := $(wildcard tests/unit/*.c tests/unit/*/*.c tests/unit/*/*/*.c)
# What they need of the server: all but its main.
UNIT_SRV := $(filter-out src/srv/main.c,$(SRV_SRC))
# Generators with a tests/prop/check_<name>.c, asked by the laws about every map that is made.
PROMISES := areas islands puzzle regions starlanes
# Suites tests/prop/prop_<name>.c: the promises of one generator on requests of its own.
SUITES := areas islands puzzle regions starlanes
FUZZ := query list body make

# Of the examples: C# as Unity has it, and a browser.
TEST_PACKAGES += mono-mcs:mcs libnewtonsoft-json5.0-cil chromium:chromium
TEST_PACKAGES += libexpat1-dev libsubunit-dev libcadical-dev g++ graphviz python3-networkx \
	librsvg2-bin pngcheck python3-pil tiled:tmxrasterizer

# ---- all of it -------------------------------------------------------------------------------------------

.PHONY: test test-release test-asan test-tsan check-http check-cli check-openapi check-pictures check-web check-examples
# Building takes all processors; tests run one after another, so that each has what it was measured with.
JOBS ?= $(shell nproc)
test: deps-test
	@$(MAKE) --no-print-directory -j$(JOBS) MODE=release built matrix
	@$(MAKE) --no-print-directory MODE=release test-release
	@$(MAKE) --no-print-directory -j$(JOBS) MODE=asan built
	@$(MAKE) --no-print-directory MODE=asan LAWS=150 test-asan
	@$(MAKE) --no-print-directory -j$(JOBS) MODE=tsan built-threads
	@$(MAKE) --no-print-directory MODE=tsan test-tsan
	@echo "all tests have passed"
test-release: all check-library check-wall matrix check-cli check-http check-openapi check-pictures check-web check-examples
test-asan: $(B)/mapwrightd check-library
	MAPWRIGHTD=$(CURDIR)/$(B)/mapwrightd tests/http/run
# The library knows no threads; of the server, what many do at once.
test-tsan: $(B)/mapwrightd check-unit
	MAPWRIGHTD=$(CURDIR)/$(B)/mapwrightd tests/http/run -k "basic or caching or robust or random or pages or drain"
check-http: $(B)/mapwrightd
	MAPWRIGHTD=$(CURDIR)/$(B)/mapwrightd tests/http/run
#: make check-web        the page at / in a real browser
check-web: $(B)/mapwrightd
	MAPWRIGHTD=$(CURDIR)/$(B)/mapwrightd tests/web/run
check-cli: $(B)/mapwright
	cd tests/cli && MAPWRIGHT=$(CURDIR)/$(B)/mapwright /usr/bin/python3 -B -m pytest -q -p no:cacheprovider
#: make check-examples   run examples/ against a service of its own
check-examples: $(B)/mapwrightd
	MAPWRIGHTD=$(CURDIR)/$(B)/mapwrightd tests/examples/run
check-openapi: $(B)/mapwright $(B)/mapwrightd
	tests/openapi/lint.sh $(B)/mapwright $(B)/mapwrightd
	$(B)/mapwright openapi | diff -u openapi.yaml -

# What the README shows is what the program draws.
check-pictures: $(B)/mapwright
	@$(MAKE) --no-print-directory DOCS=build/docs DRAWN_TILES=build/src/web/tiles pictures >/dev/null
	@for picture in docs/*.svg src/web/tiles/*.png; do cmp $$picture build/$$picture || exit 1; done
	@echo "pictures: those of the README are what is drawn now"

# ---- how it is built -----------------------------------------------------------------------------------

TEST_FLAGS = -std=c11 -D_GNU_SOURCE $(WARNINGS) $(if $(CI),-Werror) -Iinclude -Isrc -Itests -pthread
$(B)/tests/%.o: ALL_FLAGS = $(TEST_FLAGS)
$(B)/tests/prop/laws.o: ALL_FLAGS = $(TEST_FLAGS) '-DPROMISES=${PROMISES:%=PROMISE(%)}'
$(B)/tests/prop/main.o: ALL_FLAGS = $(TEST_FLAGS) '-DSUITES=${SUITES:%=SUITE(%)}'
UNIT_SUITES := $(patsubst check_%.c,SUITE(%),$(filter check_%.c,$(notdir $(UNIT_SRC))))
$(B)/tests/unit/%.o: ALL_FLAGS = $(TEST_FLAGS) '-DSUITES=$(UNIT_SUITES)'
$(B)/tests/unit/main.o: $(UNIT_SRC)
# The template is no part of the library.
$(B)/src/gen/null.o: ALL_FLAGS = $(LIB_FLAGS)

CHECK_LIBS := -lcheck_pic -lsubunit -lrt -lm -pthread
TESTS := $(B)/tests
UNIT_OBJ := $(UNIT_SRC:%.c=$(B)/%.o) $(B)/src/gen/null.o $(TESTS)/prop/formats.o $(UNIT_SRV:%.c=$(B)/%.o) $(API_OBJ)
LAWS_OBJ := $(PROMISES:%=$(TESTS)/prop/check_%.o) $(patsubst %,$(TESTS)/prop/%.o,laws formats trial lots)
PROP_OBJ := $(sort $(SUITES:%=$(TESTS)/prop/prop_%.o) $(SUITES:%=$(TESTS)/prop/check_%.o)) $(TESTS)/prop/main.o \
	$(patsubst %,$(TESTS)/prop/%.o,check_puzzle_sat trial lots)
DIGEST_SRC := $(patsubst %,tests/prop/%.c,digest trial lots)
DIGEST_OBJ := $(DIGEST_SRC:%.c=$(B)/%.o)
GOLDEN_OBJ := $(TESTS)/golden/golden.o
FUZZ_OBJ := $(FUZZ:%=$(TESTS)/fuzz/%.o) $(TESTS)/fuzz/replay.o

$(B)/unit: $(UNIT_OBJ) $(B)/libmapwright.a
	$(CC) $(ALL_CFLAGS) -o $@ $^ $(CHECK_LIBS) $(SRV_LIBS) -lexpat
$(B)/laws: $(LAWS_OBJ) $(B)/libmapwright.a
	$(CC) $(ALL_CFLAGS) -o $@ $^ $(LIB_LIBS) -ljansson -lexpat -lz -lm -pthread
$(B)/prop: $(PROP_OBJ) $(B)/libmapwright.a
	$(CC) $(ALL_CFLAGS) -o $@ $^ $(CHECK_LIBS) $(LIB_LIBS) -lcadical -lstdc++ -lm
$(B)/digest: $(DIGEST_OBJ) $(B)/libmapwright.a
	$(CC) $(ALL_CFLAGS) -o $@ $^ $(LIB_LIBS)
$(B)/golden: $(GOLDEN_OBJ) $(B)/libmapwright.a
	$(CC) $(ALL_CFLAGS) -o $@ $^ $(LIB_LIBS)

-include $(UNIT_OBJ:.o=.d) $(LAWS_OBJ:.o=.d) $(PROP_OBJ:.o=.d) $(DIGEST_OBJ:.o=.d) $(GOLDEN_OBJ:.o=.d) \
	$(FUZZ_OBJ:.o=.d)

# ---- the library, in any mode -----------------------------------------------------------------------------

# The programs of all tests, and of those that ask what threads do to each other.
.PHONY: built built-threads
built-threads: $(B)/mapwrightd $(B)/unit
built: all built-threads $(B)/laws $(B)/prop $(B)/golden $(FUZZ:%=$(B)/replay-%)

# Requests a generator; sanitizers and processors that are emulated get fewer.
LAWS ?= 400
DIGEST ?= 250

.PHONY: check-unit check-laws check-prop check-golden check-wall check-replay check-library golden-update
check-library: check-unit check-laws $(if $(SUITES),check-prop) check-golden check-replay
# Sanitizers make forks dear, and end the program themselves.
check-unit: $(B)/unit
	$(if $(filter asan tsan,$(MODE)),CK_FORK=no) $(B)/unit
check-laws: $(B)/laws
	$(B)/laws $(LAWS)
check-prop: $(B)/prop
	$(B)/prop
#: make long            the promises on many more requests, a million default maps of islands among them
.PHONY: long
long: $(B)/prop
	MAPWRIGHT_LONG=1 CK_DEFAULT_TIMEOUT=0 $(B)/prop
check-golden: $(B)/golden
	$(B)/golden check tests/golden
#: make golden-update   write new golden maps, and those of generators whose version was raised
golden-update: $(B)/golden
	$(B)/golden update tests/golden
check-wall: $(B)/libmapwright.a
	tests/wall.sh $<

# ---- the matrix: the same digest everywhere ------------------------------------------------------------------

MATRIX := gcc-O0 gcc-O3 clang-O0 clang-O3 clang-msan
PORTABLE := aarch64-linux-gnu s390x-linux-gnu
LEVEL_O0 := -O0
LEVEL_O3 := -O3
# Memory that was never written is not only the same by chance: it is not read.
LEVEL_msan := -O1 -g -fsanitize=memory -fno-omit-frame-pointer
QEMU_aarch64-linux-gnu := qemu-aarch64
QEMU_s390x-linux-gnu := qemu-s390x
# They stand on nothing: the pixels of pictures are in the digest, the file that libpng makes of them is not.
STANDALONE_LIB := $(filter-out src/enc/picture/png.c,$(LIB_SRC))
STANDALONE_SRC := $(STANDALONE_LIB) $(DIGEST_SRC)
STANDALONE_FLAGS = -std=c11 -D_GNU_SOURCE -DMW_WITHOUT_PNG -ffp-contract=off -Iinclude -Isrc -Itests
STANDALONE_NEEDS := $(STANDALONE_SRC) $(wildcard include/*.h src/*/*.h src/*/*/*.h tests/prop/*.h)

build/matrix/%.digest: $(STANDALONE_NEEDS)
	@mkdir -p $(@D)
	$(firstword $(subst -, ,$*)) $(LEVEL_$(lastword $(subst -, ,$*))) $(STANDALONE_FLAGS) -o $(@:.digest=) $(STANDALONE_SRC)
	$(@:.digest=) $(DIGEST) >$@.new
	@mv $@.new $@

build/portable/%/digest: $(STANDALONE_NEEDS)
	@mkdir -p $(@D)
	$*-gcc -O2 -static $(STANDALONE_FLAGS) -o $@ $(STANDALONE_SRC)
build/portable/%/golden: $(STANDALONE_NEEDS) tests/golden/golden.c
	@mkdir -p $(@D)
	$*-gcc -O2 -static $(STANDALONE_FLAGS) -o $@ $(STANDALONE_LIB) tests/golden/golden.c
build/portable/%.digest: build/portable/%/digest
	$(QEMU_$*) $< $(DIGEST) >$@.new
	@mv $@.new $@

.PHONY: matrix portable $(PORTABLE:%=portable-golden-%)
#: make matrix          one digest from gcc and clang, -O0 and -O3
matrix: $(MATRIX:%=build/matrix/%.digest)
	tests/same.sh $^
#: make portable        the same from aarch64 and big-endian s390x, under emulation
portable: deps-portable
	@$(MAKE) --no-print-directory portable-golden $(PORTABLE:%=build/portable/%.digest) build/matrix/gcc-O3.digest
	tests/same.sh build/matrix/gcc-O3.digest $(PORTABLE:%=build/portable/%.digest)
.PHONY: portable-golden
portable-golden: $(PORTABLE:%=portable-golden-%)
$(PORTABLE:%=portable-golden-%): portable-golden-%: build/portable/%/golden
	$(QEMU_$*) $< check tests/golden

# ---- fuzzing --------------------------------------------------------------------------------------------------

# Each target is a function of bytes: replayed in any mode, driven by libFuzzer in MODE=fuzz.
FUZZ_MORE_query := $(B)/libmapwright.a
FUZZ_MORE_list := $(B)/libmapwright.a
FUZZ_MORE_body := $(B)/src/srv/ask/args.o $(B)/src/srv/base/strbuf.o $(B)/libmapwright.a -ljansson
FUZZ_MORE_make := $(TESTS)/prop/lots.o $(B)/libmapwright.a
FUZZ_SECONDS ?= 20

define fuzz_target
$(B)/replay-$(1): $(TESTS)/fuzz/$(1).o $(TESTS)/fuzz/replay.o $(FUZZ_MORE_$(1))
	$$(CC) $$(ALL_CFLAGS) -o $$@ $$^ $$(LIB_LIBS)
$(B)/fuzz-$(1): $(TESTS)/fuzz/$(1).o $(FUZZ_MORE_$(1))
	$$(CC) $$(ALL_CFLAGS) -fsanitize=fuzzer -o $$@ $$^ $$(LIB_LIBS)
.PHONY: check-replay-$(1) fuzz-$(1)
check-replay: check-replay-$(1)
check-replay-$(1): $(B)/replay-$(1)
	$(B)/replay-$(1) tests/fuzz/corpus/$(1) tests/fuzz/regression/$(1)
fuzz-$(1): $(B)/fuzz-$(1)
	@mkdir -p build/corpus/$(1) tests/fuzz/regression/$(1)
	$(B)/fuzz-$(1) -max_total_time=$(FUZZ_SECONDS) -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 \
		-artifact_prefix=tests/fuzz/regression/$(1)/ build/corpus/$(1) tests/fuzz/corpus/$(1)
endef
$(foreach target,$(FUZZ),$(eval $(call fuzz_target,$(target))))

.PHONY: fuzz
#: make fuzz            FUZZ_SECONDS=20 on each of query, body and make; what breaks is kept in regression/
fuzz:
	@for target in $(FUZZ); do $(MAKE) --no-print-directory MODE=fuzz fuzz-$$target || exit 1; done
