/*
 * graph.c: a hexagonal or square lattice as a graph file for gpmetis.
 *
 *     graph WIDTH HEIGHT [hex|square]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int hex_dx[2][6] = {{1, 0, -1, -1, -1, 0}, {1, 1, 0, -1, 0, 1}};
static const int hex_dy[6] = {0, 1, 1, 0, -1, -1};

static int neighbours(int w, int h, int hex, int x, int y, long *to)
{
    int n = 0;
    for (int s = 0; s < 6; s++) {
        if (!hex && (s == 1 || s == 4))
            continue;
        int nx = x + (hex ? hex_dx[y & 1][s] : s == 0 ? 1 : s == 3 ? -1 : 0);
        int ny = y + (hex ? hex_dy[s] : s == 2 ? 1 : s == 5 ? -1 : 0);
        if (nx >= 0 && nx < w && ny >= 0 && ny < h)
            to[n++] = (long)ny * w + nx + 1;
    }
    return n;
}

int main(int argc, char **argv)
{
    int w = argc > 2 ? atoi(argv[1]) : 0, h = argc > 2 ? atoi(argv[2]) : 0;
    int hex = argc < 4 || strcmp(argv[3], "square") != 0;
    long sides = 0, to[6];
    if (w < 1 || h < 1)
        return fprintf(stderr, "usage: graph WIDTH HEIGHT [hex|square]\n"), 2;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            sides += neighbours(w, h, hex, x, y, to);
    printf("%ld %ld\n", (long)w * h, sides / 2);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int n = neighbours(w, h, hex, x, y, to);
            for (int i = 0; i < n; i++)
                printf("%ld%c", to[i], i + 1 < n ? ' ' : '\n');
        }
    return 0;
}
