# bench.mk: speed beside other programs, measured in one run. Never part of the tests.

BENCH := $(B)/bench
BENCHES := regions look areas islands starlanes puzzle pictures http scaling

.PHONY: bench $(BENCHES:%=bench-%)
bench: $(BENCHES:%=bench-%)

$(BENCH)/%: tests/bench/%.c tests/bench/measure.h $(B)/libmapwright.a
	@mkdir -p $(@D)
	$(CC) $(APP_FLAGS) -Itests $(ALL_CFLAGS) -o $@ $(filter %.c,$^) $(filter %.a,$^) $(BENCH_LIBS) -lm
$(BENCH)/puzzle: BENCH_LIBS = -lcadical -lstdc++
$(BENCH)/puzzle: tests/prop/check_puzzle.c tests/prop/puzzle_sat.c
$(BENCH)/bare: BENCH_LIBS = -lmicrohttpd -pthread

#: make bench-regions   beside METIS; likewise bench-areas, -islands, -starlanes, -puzzle, -pictures, -http
bench-regions: deps-bench $(BENCH)/make
	tests/bench/regions.sh $(B)
#: make bench-look      what maps of all kinds look like, in figures over hundreds of seeds: coasts, borders,
#:                      names, homes, lanes, hills, boards; LOOK="20 homes": fewer seeds, one kind
bench-look: $(B)/mapwright
	tests/bench/look.py $< $(LOOK)
bench-areas: $(BENCH)/areas
	$<
bench-islands: deps-bench $(BENCH)/make $(BENCH)/islands
	tests/bench/islands.sh $(B)
bench-starlanes: deps-bench $(BENCH)/starlanes
	tests/bench/starlanes.sh $(B)
bench-puzzle: deps-test $(BENCH)/puzzle
	$< tests/boards
bench-pictures: deps-test all $(BENCH)/make
	tests/bench/pictures.sh $(B)
#: make bench-scaling    CPU time of a request by kind: made, cached, through nginx, from the store (docs/SCALING.md)
bench-scaling: deps-bench all
	tests/bench/scaling.py $(B)
bench-http: deps-bench all $(BENCH)/bare
	tests/bench/http.sh $(B)
