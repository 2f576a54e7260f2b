# Benchmarks: ours, the peer's and the ratio, in one run. Never part of the tests.

.PHONY: bench
BENCH := $(B)/bench

$(BENCH)/%: tests/bench/%.c tests/bench/measure.h $(B)/libmapwright.a
	@mkdir -p $(@D)
	$(CC) $(APP_FLAGS) $(ALL_CFLAGS) -Itests/bench -o $@ $< $(B)/libmapwright.a -ljansson -lm

bench: deps-bench all $(BENCH)/make $(BENCH)/json $(BENCH)/graph $(BENCH)/bare
	tests/bench/regions.sh $(B)
	$(BENCH)/json 1000 1000 100
	tests/bench/http.sh $(B)

$(BENCH)/bare: tests/bench/bare.c
	@mkdir -p $(@D)
	$(CC) $(APP_FLAGS) $(ALL_CFLAGS) -o $@ $< -lmicrohttpd -pthread
