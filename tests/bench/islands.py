"""The automaton and the labels of /islands by numpy and scipy: CPU ns a cell (and round), as
«automaton <ns> label <ns>». Run by islands.sh."""
import sys
import time

import numpy
import scipy.ndimage

ROUNDS = 20


def step(cells, sums):
    sums[:] = 0
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            if dx or dy:
                height, width = cells.shape
                to_y, to_x = slice(max(dy, 0), height + min(dy, 0)), slice(max(dx, 0), width + min(dx, 0))
                at_y, at_x = slice(max(-dy, 0), height + min(-dy, 0)), slice(max(-dx, 0), width + min(-dx, 0))
                sums[to_y, to_x] += cells[at_y, at_x]
    numpy.copyto(cells, (sums == 3) | (sums >= 6) | ((sums == 4) & (cells == 1)))


def main():
    side = int(sys.argv[1])
    cells = (numpy.random.default_rng(1).random((side, side)) < 0.333).astype(numpy.uint8)
    sums = numpy.zeros_like(cells)
    start = time.process_time()
    for _ in range(ROUNDS):
        step(cells, sums)
    lived = time.process_time()
    labels, count = scipy.ndimage.label(cells)
    numpy.bincount(labels.ravel(), minlength=count + 1)
    end = time.process_time()
    scale = 1e9 / side / side
    print("automaton %.5f label %.4f" % ((lived - start) * scale / ROUNDS, (end - lived) * scale))


main()
