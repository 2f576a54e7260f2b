# bench.mk: speed beside other programs, measured in one run. Never part of the tests.

BENCH := $(B)/bench
BESIDE := regions areas islands starlanes puzzle http

.PHONY: bench bench-look bench-scaling $(BESIDE:%=bench-%)
bench: $(BESIDE:%=bench-%) bench-look bench-scaling

$(BENCH)/%: tests/bench/%.c $(B)/libmapwright.a
	@mkdir -p $(@D)
	$(CC) $(APP_FLAGS) -Itests $(ALL_CFLAGS) -o $@ $(filter %.c,$^) $(filter %.a,$^) $(BENCH_LIBS) -lm
$(BENCH)/cadical: BENCH_LIBS = -lcadical -lstdc++
$(BENCH)/cadical: tests/prop/check_puzzle.c tests/prop/puzzle_sat.c
$(BENCH)/bare: BENCH_LIBS = -lmicrohttpd -pthread

#: make bench-regions   beside METIS; likewise bench-areas, -islands, -starlanes, -puzzle, -http
$(BESIDE:%=bench-%): bench-%: deps-bench all $(BENCH)/make $(BENCH)/automaton $(BENCH)/cadical $(BENCH)/bare
	tests/bench/beside.py $(B) $*
#: make bench-look      what maps of all kinds look like, in figures over hundreds of seeds: coasts, borders,
#:                      names, homes, lanes, hills, boards; LOOK="20 homes": fewer seeds, one kind
bench-look: $(B)/mapwright
	tests/bench/look.py $< $(LOOK)
#: make bench-scaling    CPU time of a request by kind: made, cached, through nginx, from the store (docs/SCALING.md)
bench-scaling: deps-bench all
	tests/bench/scaling.py $(B)
