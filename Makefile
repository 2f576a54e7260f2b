# Mapwright. Two commands do everything on a fresh Debian 12: `make run` and `make test`.
#
#   make            build/release/mapwrightd and build/release/mapwright
#   make run        installs missing packages (and lists them), builds, serves on MAPWRIGHT_PORT or 8080
#   make test       installs missing packages (and lists them), runs the tests; .ci/run calls it
#   make bench      measures speed beside other programs
#   make install    PREFIX=/usr/local LIBDIR=$(PREFIX)/lib DESTDIR=
#   make check      quick tests of what was built
#   make help       the rest
#
# MODE is release, debug, asan, tsan, long, cov or fuzz; each builds in build/<mode>/. Asserts are on
# in all but release and cov, costly ones in long alone. V=1 shows commands.

MODE ?= release
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
B := build/$(MODE)

# ---- what there is, each thing once ------------------------------------------------------------

# Every file in these folders is compiled. HACKING.md lists the folders.
LIB_SRC := $(wildcard src/lib/*.c src/kit/*.c src/gen/*/*.c src/gen/*/*/*.c src/enc/*.c src/enc/*/*.c src/enc/*/*/*.c src/all/*.c)
API_SRC := $(wildcard src/api/*.c)
CLI_SRC := $(if $(filter windows,$(MODE)),src/cli/windows/system.c $(filter-out src/cli/system.c,$(wildcard src/cli/*.c)),$(wildcard src/cli/*.c))
SRV_SRC := $(wildcard src/srv/*.c src/srv/*/*.c)

# Files that the server embeds: the page, the images that maps for Tiled refer to, the OpenAPI document.
WEB := $(sort $(patsubst src/web/%,%,$(foreach kind,html css js svg,$(wildcard src/web/*.$(kind) src/web/*/*.$(kind)))))
BUNDLES := $(if $(shell command -v esbuild),app.js worker.js)
web_file = $(if $(filter $(1),$(BUNDLES)),$(B)/web/$(1),src/web/$(1))
TILES := $(notdir $(wildcard src/web/tiles/*.png))
DOCUMENTS := openapi.yaml openapi.json

# The library as a WebAssembly module, with which the page makes small maps; built if clang and wasm-ld are
# installed. WASM= leaves it out. The host of a module has its own escape.c, and no map cache.
WASM ?= $(if $(shell command -v clang),$(if $(shell command -v wasm-ld),build/wasm/libmapwright.wasm))
WASM_SRC := $(wildcard src/wasm/*.c) src/api/fault.c $(filter-out src/lib/escape.c,$(LIB_SRC))

BUILD_PACKAGES := gcc make libc6-dev libmicrohttpd-dev libjansson-dev uuid-dev zlib1g-dev libzstd-dev \
	libhiredis-dev libgnutls28-dev nettle-dev esbuild
WINDOWS_PACKAGES := gcc-mingw-w64-x86-64-win32:x86_64-w64-mingw32-gcc
WASM_PACKAGES := clang lld binaryen
TEST_PACKAGES := check redis-server:redis-server openssl:openssl clang libclang-rt-14-dev lld binaryen binutils curl mandoc systemd:systemd-analyze docker-compose lintian debhelper nginx nodejs:node npm:npm pkg-config prometheus:promtool \
	python3-pytest zstd zsh fish
PORTABLE_PACKAGES := gcc-aarch64-linux-gnu gcc-s390x-linux-gnu libc6-dev-arm64-cross \
	libc6-dev-s390x-cross qemu-user wasi-libc libclang-rt-14-dev-wasm32
BENCH_PACKAGES := metis wrk nginx redis-server:redis-server curl python3-numpy python3-scipy nodejs:node npm:npm

# ---- how it is compiled ---------------------------------------------------------------------------

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes \
	-Wswitch-enum
# INFO=-g1, line numbers alone, compiles in two thirds of the time.
INFO ?= -g
CFLAGS_release := -O3 $(INFO) -DNDEBUG
CFLAGS_debug := -O2 $(INFO)
CFLAGS_long := -O2 $(INFO) -DMW_COSTLY_ASSERTS
CFLAGS_asan := -O1 $(INFO) -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
CFLAGS_tsan := -O1 $(INFO) -fsanitize=thread
# Counters are atomic, as threads share them. Functions that are inlined for several constants are compiled,
# and counted, once.
CFLAGS_cov := -O0 $(INFO) -DNDEBUG --coverage -fprofile-update=atomic -Dalways_inline=
CFLAGS_fuzz := -O1 $(INFO) -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all
CC_fuzz := clang
# For make windows. Formats are checked in the other modes: msvcrt has others.
CFLAGS_windows := $(CFLAGS_release) -Wno-format -Wno-format-extra-args
CC_windows := x86_64-w64-mingw32-gcc
ifneq ($(CC_$(MODE)),)
CC := $(CC_$(MODE))
endif
# Fused multiply-adds would give other digits on other machines; with errno a square root would be a call.
# The static and the shared library have the same objects; the shared one exports what the header declares.
LIB_FLAGS := -std=c11 -ffp-contract=off -fno-math-errno -fPIC -fvisibility=hidden $(WARNINGS) $(if $(CI),-Werror) -Iinclude -Isrc \
	$(if $(filter asan tsan fuzz,$(MODE)),-DMW_ONE_TARGET)
APP_FLAGS := -std=c11 -D_GNU_SOURCE -fno-math-errno $(WARNINGS) $(if $(CI),-Werror) -Iinclude -Isrc -pthread
# Hardening of the programs; make check-hardening checks it. The library has no dependencies, so none on
# libc's stack guard.
ifeq ($(MODE),release)
APP_FLAGS += -fPIE -fstack-protector-strong -D_FORTIFY_SOURCE=2
LINK_FLAGS := -pie -Wl,-z,relro,-z,now,-z,noexecstack
endif
CFLAGS ?=
CPPFLAGS ?=
LDFLAGS ?=
ALL_CFLAGS = $(CFLAGS_$(MODE)) $(CPPFLAGS) $(CFLAGS)
Q := $(if $(V),,@)
SRV_LIBS := -lmicrohttpd -ljansson -luuid -lz -lzstd -lhiredis -lgnutls -lnettle -pthread

# Without -j builds use all cores. Tests and benchmarks choose for themselves.
ifeq ($(filter-out all run install,$(MAKECMDGOALS))$(findstring j,$(firstword -$(MAKEFLAGS))),)
MAKEFLAGS += -j$(shell nproc)
endif

.PHONY: all run test bench install uninstall clean help FORCE deps deps-test deps-portable deps-bench
all: $(B)/mapwrightd $(B)/mapwright $(B)/libmapwright.so

LIB_OBJ := $(LIB_SRC:%.c=$(B)/%.o)
API_OBJ := $(API_SRC:%.c=$(B)/%.o)
CLI_OBJ := $(CLI_SRC:%.c=$(B)/%.o)
SRV_OBJ := $(SRV_SRC:%.c=$(B)/%.o)

$(B)/src/%.o: ALL_FLAGS = $(LIB_FLAGS)
# The library has no threads and no state between calls (tests/wall.sh), so ThreadSanitizer would find
# nothing in it.
ifeq ($(MODE),tsan)
$(LIB_SRC:%.c=$(B)/%.o): CFLAGS_tsan := -O2 $(INFO)
endif
$(B)/src/api/%.o $(B)/src/cli/%.o $(B)/src/srv/%.o: ALL_FLAGS = $(APP_FLAGS)

# Without a module an empty file stands in for it: the assembler cannot include /dev/null.
MODULE := $(or $(WASM),$(B)/no.wasm)
$(B)/no.wasm:
	@mkdir -p $(@D)
	@: >$@
$(B)/src/srv/out/static_files.o: ALL_FLAGS = $(APP_FLAGS) \
	'-DWEB=$(foreach f,$(WEB),WEB_FILE(/web/$(f),$(call web_file,$(f))))$(foreach f,$(TILES),WEB_FILE(/$(f),src/web/tiles/$(f)))WEB_FILE(/web/libmapwright.wasm,$(MODULE))$(foreach f,$(DOCUMENTS),WEB_FILE(/$(f),$(f)))'
$(B)/src/srv/out/static_files.o: $(B)/what $(WEB:%=src/web/%) $(BUNDLES:%=$(B)/web/%) $(TILES:%=src/web/tiles/%) $(MODULE) $(DOCUMENTS)

# If esbuild is installed it merges the page's modules into one file for the page and one for its worker;
# otherwise browsers load each module.
$(BUNDLES:%=$(B)/web/%): $(B)/web/%: $(addprefix src/web/,$(filter %.js,$(WEB)))
	@mkdir -p $(@D)
	$(Q)esbuild src/web/$* --bundle --format=esm --log-level=warning --outfile=$@

# The page's colors are generated from those of the encoders.
COLORS := src/web/draw/colors.js
$(B)/page_colors: tools/page_colors.c $(B)/libmapwright.a
	$(Q)$(CC) $(LIB_FLAGS) $(ALL_CFLAGS) -o $@ $^
$(COLORS): $(B)/page_colors
	@$< >$(B)/colors.js && { cmp -s $(B)/colors.js $@ || cp $(B)/colors.js $@; }

$(B)/src/cli/write.o: ALL_FLAGS = $(APP_FLAGS) '-DTILES=$(foreach f,$(TILES),TILE($(f)))'
$(B)/src/cli/write.o: $(B)/what $(TILES:%=src/web/tiles/%)

# Files that are written only when their text changes: how things are compiled, and which files are linked.
# So a change of either rebuilds what depends on it, and touching the Makefile rebuilds nothing.
define stamp
$(B)/$(1): FORCE
	@mkdir -p $$(@D)
	@echo '$$($(2))' | cmp -s - $$@ || echo '$$($(2))' >$$@
endef
HOW = $(CC) $(ALL_CFLAGS) / $(LIB_FLAGS) / $(APP_FLAGS) / $(LINK_FLAGS) $(LDFLAGS)
WHAT = $(LIB_SRC) $(API_SRC) $(CLI_SRC) $(SRV_SRC) $(WEB) $(TILES) $(MODULE)
$(eval $(call stamp,how,HOW))
$(eval $(call stamp,what,WHAT))
FORCE:

$(B)/%.o: %.c $(B)/how
	@mkdir -p $(@D)
	@echo "cc $<"
	$(Q)$(CC) $(ALL_FLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# Appended (q), not replaced by name, as several rooms may have a file of the same name.
$(B)/libmapwright.a: $(LIB_OBJ) $(B)/what
	@rm -f $@
	@echo "ar $@"
	$(Q)$(AR) qcs $@ $(LIB_OBJ)

# The number after .so goes up when programs that were built before would break: make check-abi.
VERSION := $(shell sed -n 's/^\#define MW_VERSION "\(.*\)"/\1/p' include/mapwright.h)
SONAME := libmapwright.so.0
$(B)/$(SONAME): $(LIB_OBJ) $(B)/what src/libmapwright.map
	@echo "ld $@"
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(SONAME) -Wl,--version-script=src/libmapwright.map -o $@ $(LIB_OBJ)
$(B)/libmapwright.so: $(B)/$(SONAME)
	@ln -sf $(SONAME) $@

#: make godot            the library as an extension of Godot 4: bindings/godot
.PHONY: godot
godot: $(B)/libmapwright_godot.so
$(B)/libmapwright_godot.so $(B)/mapwright_godot.dll: bindings/godot/mapwright_godot.c bindings/godot/gdextension.h $(B)/libmapwright.a
	@echo "ld $@"
	$(Q)$(CC) $(LIB_FLAGS) $(ALL_CFLAGS) $(GODOT_HEADER:%=-DGODOT_HEADER -I%) -shared -Wl,--exclude-libs,ALL -o $@ $< $(B)/libmapwright.a

$(B)/mapwright: $(CLI_OBJ) $(API_OBJ) $(B)/libmapwright.a
	@echo "ld $@"
	$(Q)$(CC) $(ALL_CFLAGS) $(LINK_FLAGS) $(LDFLAGS) -o $@ $^

#: make windows          build/windows/mapwright.dll, mapwright_godot.dll and mapwright.exe, by mingw-w64
.PHONY: windows
windows:
	$(call install_missing,$(WINDOWS_PACKAGES))
	@$(MAKE) --no-print-directory MODE=windows $(patsubst %,build/windows/%,mapwright.dll mapwright_godot.dll mapwright.exe)
# Exports the recorded binary interface (make abi).
$(B)/mapwright.def: tests/abi/mapwright.abi
	@mkdir -p $(@D)
	@{ echo EXPORTS; sed -nE 's/^MAPWRIGHT_0 extern .*[ *](mw_[a-z_]+) \(.*/\1/p; s/^MAPWRIGHT_0 extern .*[ *](mw_[a-z_]+)\[.*/\1 DATA/p' $<; } >$@
$(B)/mapwright.dll: $(LIB_OBJ) $(B)/what $(B)/mapwright.def
	@echo "ld $@"
	$(Q)$(CC) $(ALL_CFLAGS) -shared -static-libgcc -Wl,--out-implib=$@.a -o $@ $(LIB_OBJ) $(B)/mapwright.def
$(B)/mapwright.exe: $(CLI_OBJ) $(API_OBJ) $(B)/libmapwright.a
	@echo "ld $@"
	$(Q)$(CC) $(ALL_CFLAGS) -static -o $@ $^

$(B)/mapwrightd: $(SRV_OBJ) $(API_OBJ) $(B)/libmapwright.a
	@echo "ld $@"
	$(Q)$(CC) $(ALL_CFLAGS) $(LINK_FLAGS) $(LDFLAGS) -o $@ $^ $(SRV_LIBS)

-include $(LIB_OBJ:.o=.d) $(API_OBJ:.o=.d) $(CLI_OBJ:.o=.d) $(SRV_OBJ:.o=.d)

# ---- the module -------------------------------------------------------------------------------------

# As small as possible: without help texts and most formats, functions that are not called are dropped, loops
# stay as written, and optimization waits for the link. wasm-opt, if installed, saves another twentieth.
WASM_SMALL := $(addprefix -mllvm -,disable-lsr disable-lftr replexitval=never indvars-widen-indvars=0 enable-pre=0 enable-load-pre=0 disable-licm-promotion two-entry-phi-node-folding-threshold=8 switch-to-lookup=0)
WASM_TARGET := --target=wasm32 -mbulk-memory -mmutable-globals -msign-ext -mnontrapping-fptoint
WASM_FLAGS := $(WASM_TARGET) -nostdlibinc -isystem src/wasm/include -std=c11 -ffp-contract=off -fno-math-errno \
	-Iinclude -Isrc -Oz -DNDEBUG -DMW_NO_PROSE -DMW_FEW_FORMATS -Dalways_inline= "-D__builtin_prefetch(...)=" $(WASM_SMALL)
WASM_LATER := -flto -Xclang -disable-llvm-passes
WASM_LINK := --no-entry --strip-all --gc-sections -O3 --lto-O3 -mllvm -inline-threshold=-30 $(WASM_SMALL) -z stack-size=262144 \
	--stack-first --export-table --export=__stack_pointer --allow-undefined-file=src/wasm/imports.txt
WASM_OPT := $(shell command -v wasm-opt)
WASM_PASSES := -Oz --flatten --rereloop -Oz --flatten --rereloop -Oz -Oz -Oz -Oz --low-memory-unused \
	--enable-bulk-memory --enable-mutable-globals --enable-sign-ext --enable-nontrapping-float-to-int
WASM_HOW = $(WASM_FLAGS) $(WASM_LATER) / $(WASM_LINK) / $(WASM_PASSES) / $(WASM_OPT) / $(WASM_SRC)
# Generators first: brotli compresses better when similar code is adjacent.
WASM_OBJ := $(patsubst %.c,build/wasm/%.o,$(sort $(filter src/gen/%,$(WASM_SRC))) $(sort $(filter-out src/gen/%,$(WASM_SRC))))
# A second module that can draw: the same objects with a longer list of formats.
WASM_SVG := $(WASM:.wasm=-svg.wasm)
WASM_REGISTRY := build/wasm/src/all/registry.o
WASM_SVG_REGISTRY := build/wasm/registry-svg.o

#: make wasm            build/wasm/libmapwright.wasm: the library for browsers and games; libmapwright-svg.wasm draws
.PHONY: wasm deps-wasm
wasm: deps-wasm
	@$(MAKE) --no-print-directory build/wasm/libmapwright.wasm build/wasm/libmapwright-svg.wasm
deps-wasm:
	$(call install_missing,$(WASM_PACKAGES))

#: make npm             build/package/mapwright: the package for npm, ready to publish
.PHONY: npm
PACKAGE := build/package/mapwright
npm: deps-wasm $(B)/mapwright
	@$(MAKE) --no-print-directory build/wasm/libmapwright.wasm build/wasm/libmapwright-svg.wasm
	@rm -rf $(PACKAGE)
	@mkdir -p $(PACKAGE)
	@cp -r packages/mapwright/. $(addprefix src/web/ask/,cbor.js engine.js text.js) LICENSE \
		build/wasm/libmapwright.wasm build/wasm/libmapwright-svg.wasm $(PACKAGE)
	@tools/types.py $(B)/mapwright >$(PACKAGE)/maps.d.ts
	@echo "npm: $(PACKAGE)"

build/wasm/how: FORCE
	@mkdir -p $(@D)
	@echo '$(WASM_HOW)' | cmp -s - $@ || echo '$(WASM_HOW)' >$@
# Warnings are left to gcc. -fno-builtin: memcpy must not be compiled to a call of memcpy.
build/wasm/%.o: WASM_ALSO = -w
build/wasm/src/wasm/%.o: WASM_ALSO = $(WARNINGS) $(if $(CI),-Werror)
build/wasm/src/wasm/libc.o: WASM_ALSO = $(WARNINGS) -fno-builtin
build/wasm/src/wasm/libc.o: WASM_LATER =
build/wasm/%.o: %.c build/wasm/how
	@mkdir -p $(@D)
	@echo "cc $@"
	$(Q)clang $(WASM_FLAGS) $(WASM_LATER) $(WASM_ALSO) -MMD -MP -c -o $@ $<
$(WASM_SVG_REGISTRY): src/all/registry.c build/wasm/how
	@echo "cc $@"
	$(Q)clang $(WASM_FLAGS) -DMW_WITH_SVG $(WASM_LATER) -w -MMD -MP -c -o $@ $<
build/wasm/libmapwright.wasm: $(WASM_OBJ)
build/wasm/libmapwright-svg.wasm: $(WASM_OBJ:$(WASM_REGISTRY)=$(WASM_SVG_REGISTRY))
build/wasm/libmapwright.wasm build/wasm/libmapwright-svg.wasm:
	@echo "ld $@"
	$(Q)wasm-ld $(WASM_LINK) -o $@.new $^
	$(if $(WASM_OPT),$(Q)wasm-opt $(WASM_PASSES) $@.new -o $@.new)
	$(Q)mv $@.new $@

-include $(WASM_OBJ:.o=.d) $(WASM_SVG_REGISTRY:.o=.d)

# ---- running ----------------------------------------------------------------------------------------

run: deps
	@$(MAKE) --no-print-directory MODE=release all
	@echo "$(if $(WASM),the page makes small maps itself: $(WASM) is in it,the page asks for every map: \
without clang and wasm-ld (apt-get install clang lld) there is no module in it)"
	@exec build/release/mapwrightd

# Each line: mode, folder, files to install there.
define INSTALLED
755 $(PREFIX)/bin $(B)/mapwrightd $(B)/mapwright
644 $(LIBDIR) $(B)/libmapwright.a $(B)/$(SONAME)
644 $(PREFIX)/include include/mapwright.h include/mapwright_host.h
644 $(PREFIX)/share/mapwright openapi.yaml $(TILES:%=src/web/tiles/%)
644 $(LIBDIR)/pkgconfig deploy/mapwright.pc
644 $(PREFIX)/share/man/man1 deploy/mapwright.1
644 $(PREFIX)/share/man/man8 deploy/mapwrightd.8
644 $(PREFIX)/share/bash-completion/completions deploy/mapwright.bash
644 $(PREFIX)/share/zsh/$(ZSH_FOLDER) deploy/_mapwright
644 $(PREFIX)/share/fish/vendor_completions.d deploy/mapwright.fish
644 $(PREFIX)/lib/systemd/system deploy/mapwrightd.service
endef
export INSTALLED
# A folder that zsh searches by itself; Debian's packages have another.
ZSH_FOLDER := $(if $(filter /usr,$(PREFIX)),vendor-completions,site-functions)

#: make install          PREFIX, LIBDIR, DESTDIR; STRIP=1: without symbols for a debugger
# Runs ldconfig, unless a package is being built (DESTDIR).
install: all
	@echo "$$INSTALLED" | while read -r mode folder files; do \
		install -d "$(DESTDIR)$$folder" && install -m $$mode $$files "$(DESTDIR)$$folder" || exit; done
	@sed -i 's:/usr/local/bin:$(PREFIX)/bin:' $(DESTDIR)$(PREFIX)/lib/systemd/system/mapwrightd.service
	@sed -i 's:^prefix=.*:prefix=$(PREFIX):; s:^libdir=.*:libdir=$(LIBDIR):; s:^Version\:.*:Version\: $(VERSION):' $(DESTDIR)$(LIBDIR)/pkgconfig/mapwright.pc
	@ln -sf $(SONAME) $(DESTDIR)$(LIBDIR)/libmapwright.so
	@ln -sf mapwright.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/mapwright
	@ln -sf mapwright.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/mapwrightd
	$(if $(STRIP),@strip $(DESTDIR)$(PREFIX)/bin/mapwrightd $(DESTDIR)$(PREFIX)/bin/mapwright $(DESTDIR)$(LIBDIR)/$(SONAME))
	$(if $(DESTDIR),,@[ "$$(id -u)" != 0 ] || PATH=$$PATH:/sbin:/usr/sbin ldconfig)

uninstall:
	@echo "$$INSTALLED" | while read -r mode folder files; do for file in $$files; do \
		rm -f "$(DESTDIR)$$folder/$${file##*/}"; done; done
	@rm -f $(DESTDIR)$(LIBDIR)/libmapwright.so $(DESTDIR)$(PREFIX)/share/bash-completion/completions/mapwright \
		$(DESTDIR)$(PREFIX)/share/bash-completion/completions/mapwrightd
	@rmdir $(DESTDIR)$(PREFIX)/share/mapwright

#: make version          write the version of include/mapwright.h to all other files that have it
.PHONY: version
version:
	sed -i 's/^ARG VERSION=.*/ARG VERSION=$(VERSION)/' Dockerfile
	sed -i 's/mapwright:[0-9][0-9.]*[0-9]/mapwright:$(VERSION)/' deploy/README.md deploy/compose.yaml deploy/kubernetes/base/deployment.yaml
	sed -i 's/newTag: [0-9.]*/newTag: $(VERSION)/' deploy/kubernetes/overlays/production/kustomization.yaml
	sed -i '1s/(.*)/($(VERSION))/' deploy/debian/changelog
	sed -i 's/^\( *"version": \)".*"/\1"$(VERSION)"/' bindings/unity/package.json packages/mapwright/package.json

#: make dist             build/mapwright-VERSION.tar.gz: the sources of the last commit, which build without git
.PHONY: dist deb
DIST := build/mapwright-$(VERSION)
dist:
	@mkdir -p build
	git archive --format=tar --prefix=mapwright-$(VERSION)/ HEAD | gzip -9n >$(DIST).tar.gz

#: make deb              build/deb: packages for Debian of the last commit
deb: dist
	$(call install_missing,$(BUILD_PACKAGES) debhelper:dh dpkg-dev:dpkg-buildpackage fakeroot:fakeroot)
	@rm -rf build/deb
	@mkdir -p build/deb
	tar -xzf $(DIST).tar.gz -C build/deb
	cp -r deploy/debian build/deb/mapwright-$(VERSION)
	cd build/deb/mapwright-$(VERSION) && dpkg-buildpackage -us -uc -b

#: make wheel            build/mapwright-VERSION-*.whl: the binding for Python, with the library
.PHONY: wheel
wheel: deps $(B)/$(SONAME)
	$(call install_missing,python3-pip python3-setuptools python3-wheel)
	MAPWRIGHT_LIBRARY=$(CURDIR)/$(B)/$(SONAME) /usr/bin/python3 -m pip wheel -q --no-index --no-build-isolation --no-deps -w build bindings/python

#: make image            the image for Docker: mapwright:VERSION
.PHONY: image
image:
	docker build --build-arg REVISION=$$(git rev-parse HEAD) -t mapwright:$(VERSION) .

#: make sbom            build/mapwright.cdx.json: the libraries of the service as it is built here (CycloneDX)
.PHONY: sbom
sbom:
	@$(MAKE) --no-print-directory MODE=release all
	deploy/sbom.py build/release/mapwrightd > build/mapwright.cdx.json

#: make manual          write the settings in the manual page of the service
.PHONY: manual
manual: $(B)/mapwrightd
	deploy/manual.py $< > deploy/mapwrightd.8

#: make openapi.yaml    write the OpenAPI document, after a change of parameters or results (needs python3)
# Not part of a build, which embeds the committed document.
ifneq ($(filter openapi.yaml,$(MAKECMDGOALS)),)
$(DOCUMENTS) &: $(B)/mapwright tools/openapi.py
	tools/openapi.py $<
endif

#: make pictures        draw the pictures of the README and of docs/
.PHONY: pictures
DOCS := docs
DRAWN_TILES := src/web/tiles
WORLD := /regions?count=48&variation=0.6&mask=/areas?grid=hex%26width=110%26height=64%26count=3%26area=1100
# For the steps in docs/<generator>.md.
STEP_LAND := count=9 variation=0.5 seed=7 'mask=/areas?width=60&height=36&count=2&area=620&grid=hex&algorithm=mixed&seed=4'
STEP_RAW := layers=1 order=false bridges=false seed=5
pictures: $(B)/mapwright
	@mkdir -p $(DOCS) $(DRAWN_TILES)
	src/web/tiles/tiles.py src/enc/ink.c $(DRAWN_TILES)
	$< regions width=120 height=70 count=24 variation=0.6 seed=3 -o $(DOCS)/regions.svg
	$< areas width=60 height=40 count=3 area=420 seed=4 -o $(DOCS)/areas.svg
	$< islands width=36 height=24 islands=14,20 layers=3 seed=5 -o $(DOCS)/islands.svg
	$< starlanes stars=120 width=1200 height=800 seed=3 -o $(DOCS)/starlanes.svg
	$< starlanes stars=400 width=1200 height=800 shape=spiral seed=6 -o $(DOCS)/galaxy.svg
	$< starlanes positions='$(WORLD)' homeworlds=5 density=0.3 seed=7 -o $(DOCS)/world.svg
	$< puzzle/solve grid=@tests/boards/14x14-13-1.txt rule=strict -o $(DOCS)/solve.svg
	$< puzzle/generate width=10 height=8 seed=2 -o $(DOCS)/generate.svg
	@mkdir -p $(DOCS)/steps
	$< areas width=60 height=36 count=2 area=620 grid=hex algorithm=mixed seed=4 labels=false -o $(DOCS)/steps/regions-1.svg
	$< regions $(STEP_LAND) roughness=0 -o $(DOCS)/steps/regions-2.svg
	$< regions $(STEP_LAND) -o $(DOCS)/steps/regions-3.svg
	$< regions $(STEP_LAND) roughness=1 -o $(DOCS)/steps/regions-4.svg
	$< areas width=40 height=30 area=100 seed=6 -o $(DOCS)/steps/areas-1.svg
	$< areas width=40 height=30 area=300 seed=6 -o $(DOCS)/steps/areas-2.svg
	$< areas width=40 height=30 area=700 seed=6 -o $(DOCS)/steps/areas-3.svg
	$< areas width=20 height=15 area=110 algorithm=dfs-backtrack seed=3 -o $(DOCS)/steps/areas-4.svg
	$< islands $(STEP_RAW) iterations=0 -o $(DOCS)/steps/islands-1.svg
	$< islands $(STEP_RAW) iterations=2 -o $(DOCS)/steps/islands-2.svg
	$< islands $(STEP_RAW) -o $(DOCS)/steps/islands-3.svg
	$< islands layers=1 bridges=false seed=5 -o $(DOCS)/steps/islands-4.svg
	$< islands layers=3 seed=5 -o $(DOCS)/steps/islands-5.svg
	$< starlanes stars=80 seed=3 density=1 -o $(DOCS)/steps/starlanes-1.svg
	$< starlanes stars=80 seed=3 density=0 -o $(DOCS)/steps/starlanes-2.svg
	$< starlanes stars=80 seed=3 -o $(DOCS)/steps/starlanes-3.svg
	$< puzzle/solve grid=@tests/boards/14x14-13-1.txt rule=strict solution=false -o $(DOCS)/steps/puzzles-1.svg
	$< puzzle/solve grid=@tests/boards/14x14-13-1.txt rule=strict -o $(DOCS)/steps/puzzles-2.svg
	$< puzzle/generate seed=2 solution=true -o $(DOCS)/steps/puzzles-3.svg
	$< puzzle/generate seed=2 -o $(DOCS)/steps/puzzles-4.svg

#: make sheets          build/sheets: twelve maps of each kind over the range of parameters, to look at
.PHONY: sheets
sheets: $(B)/mapwright
	tests/sheets.py $< build/sheets $(SHEETS)

clean:
	rm -rf build

help:
	@sed -n '2,/^$$/s/^# \{0,1\}//p' Makefile
	@grep -h '^#: ' $(MAKEFILE_LIST) | sed 's/^#: /  /'

# ---- what it needs: installed only if dpkg does not have it ----------------------------------------
# A package is written package:command where the command will do, whoever installed it.

define install_missing
@missing=; for p in $(1); do \
	case $$p in \
	*:*) command -v $${p#*:} >/dev/null ;; \
	*) dpkg-query -W -f '$${Status}' $$p 2>/dev/null | grep -q 'install ok' ;; \
	esac || missing="$$missing $${p%:*}"; \
done; \
[ -z "$$missing" ] && exit 0; \
command -v apt-get >/dev/null || { echo "this is not Debian, where it needs:$$missing"; \
	echo "take Debian in Docker or WSL, as README.md says, or install what these packages have"; exit 1; }; \
echo "installing:$$missing"; \
sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
[ -z "$$sudo" ] || command -v sudo >/dev/null || \
	{ echo "that needs root, and there is no sudo; as root: apt-get install$$missing"; exit 1; }; \
$$sudo apt-get update -qq && \
$$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing >/dev/null
endef

# Elsewhere than on Debian the compiler is asked for the headers that the service includes.
DPKG := $(shell command -v dpkg-query)
BUILD_HEADERS := microhttpd.h jansson.h uuid/uuid.h zlib.h zstd.h hiredis/hiredis.h nettle/hmac.h gnutls/gnutls.h
deps:
ifneq ($(DPKG),)
	$(call install_missing,$(BUILD_PACKAGES))
else
	@missing=; for header in $(BUILD_HEADERS); do \
		echo "#include <$$header>" | $(CC) -E -x c - >/dev/null 2>&1 || missing="$$missing $$header"; \
	done; \
	[ -z "$$missing" ] && exit 0; \
	echo "needs a C compiler (gcc or clang), make, and the development files of libmicrohttpd, jansson, libuuid, zlib,"; \
	echo "zstd, hiredis, nettle and GnuTLS; $(CC) does not find:$$missing"; \
	echo "or take Docker or WSL, as README.md says"; exit 1
endif
deps-test:
	$(call install_missing,$(BUILD_PACKAGES) $(TEST_PACKAGES))
deps-portable:
	$(call install_missing,$(PORTABLE_PACKAGES))
deps-bench:
	$(call install_missing,$(BUILD_PACKAGES) $(BENCH_PACKAGES))

-include tests/tests.mk tests/bench/bench.mk
