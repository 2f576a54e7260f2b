# bench.mk: ours, the peer's and the ratio, in one run. Never part of the tests.

BENCH := $(B)/bench
BENCH_FLAGS = $(APP_FLAGS) -Itests

.PHONY: bench bench-regions bench-look bench-json bench-http bench-areas bench-islands bench-starlanes bench-homes bench-puzzle bench-pictures bench-estimates bench-stand bench-scaling
bench: bench-regions bench-look bench-areas bench-islands bench-starlanes bench-homes bench-puzzle bench-json bench-pictures bench-estimates bench-stand bench-http bench-scaling

$(BENCH)/%: tests/bench/%.c tests/bench/measure.h $(B)/libmapwright.a
	@mkdir -p $(@D)
	$(CC) $(BENCH_FLAGS) $(ALL_CFLAGS) -o $@ $< $(B)/libmapwright.a -ljansson -lm
$(BENCH)/bare: tests/bench/bare.c
	@mkdir -p $(@D)
	$(CC) $(APP_FLAGS) $(ALL_CFLAGS) -o $@ $< -lmicrohttpd -pthread

#: make bench-regions   against METIS; so bench-areas, -islands, -starlanes, -puzzle, -json,
#:                      -pictures, -http
bench-regions: deps-bench $(BENCH)/make $(BENCH)/graph $(BENCH)/masks
	tests/bench/regions.sh $(B)
	$(BENCH)/masks
#: make bench-look      what maps of all kinds look like, in figures over hundreds of seeds: coasts, borders,
#:                      names, homes, lanes, hills, boards; LOOK="20 homes": fewer seeds, one kind
bench-look: $(BENCH)/look $(B)/mapwright
	tests/bench/look.py $(B)/mapwright $(LOOK)
	$<
bench-areas: $(BENCH)/areas
	$(BENCH)/areas
bench-islands: deps-bench $(BENCH)/make $(BENCH)/islands
	tests/bench/islands.sh $(B)
bench-starlanes: deps-bench $(BENCH)/starlanes
	tests/bench/starlanes.sh $(B)
#: make bench-homes      of how many galaxies homes are fair, of 200 of each kind and number of homes
bench-homes: $(BENCH)/homes
	$<
bench-puzzle: deps-test $(BENCH)/puzzle $(BENCH)/feel
	$(BENCH)/puzzle tests/boards
	$(BENCH)/feel
bench-json: deps-bench $(BENCH)/json
	$(BENCH)/json 1000 1000 100
	$(BENCH)/json 1000 1000 1000
bench-pictures: deps-test all $(BENCH)/make
	tests/bench/pictures.sh $(B)
#: make bench-estimates  what requests of all sizes took, by what was estimated of them
bench-estimates: $(BENCH)/estimates
	$<
#: make bench-scaling    what a request costs, by kind, made, kept, through nginx, from the store: docs/SCALING.md
bench-scaling: deps-bench all
	tests/bench/scaling.py $(B)
#: make bench-stand      a map on another, against both by themselves
bench-stand: $(BENCH)/stand
	$(BENCH)/stand
bench-http: deps-bench all $(BENCH)/bare
	tests/bench/http.sh $(B)
$(BENCH)/look: tests/bench/look.c tests/prop/look.c $(B)/libmapwright.a
	@mkdir -p $(@D)
	$(CC) $(BENCH_FLAGS) $(ALL_CFLAGS) -o $@ $^ -lm
$(BENCH)/stand: tests/bench/stand.c tests/prop/flat.c $(B)/libmapwright.a
	@mkdir -p $(@D)
	$(CC) $(BENCH_FLAGS) $(ALL_CFLAGS) -o $@ $^
$(BENCH)/estimates: tests/bench/estimates.c tests/prop/weigh.c tests/prop/arbitrary.c $(B)/libmapwright.a
	@mkdir -p $(@D)
	$(CC) $(BENCH_FLAGS) $(ALL_CFLAGS) -o $@ $^
$(BENCH)/feel: tests/bench/feel.c tests/prop/feel.c $(B)/libmapwright.a
	@mkdir -p $(@D)
	$(CC) $(BENCH_FLAGS) $(ALL_CFLAGS) -o $@ $^ -lm
$(BENCH)/puzzle: tests/bench/puzzle.c tests/prop/check_puzzle.c tests/prop/puzzle_sat.c $(B)/libmapwright.a
	@mkdir -p $(@D)
	$(CC) $(BENCH_FLAGS) $(ALL_CFLAGS) -o $@ $^ -lcadical -lstdc++ -lm
