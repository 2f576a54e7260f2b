/* sky.c: stars that are hard in different ways. */
#include "sky.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct mw_point sky[SKY_STARS];
int32_t stars;

static double unit(struct arbitrary *source)
{
    return arbitrary_below(source, 1u << 30) / (double)(1 << 30);
}

/* Two independent normal numbers would do; twelve uniform ones a coordinate are as round. */
static double bell(struct arbitrary *source)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += unit(source);
    return sum;
}

static void put(double x, double y)
{
    double most = SKY_SIDE - 1;
    sky[stars++] =
        (struct mw_point){(int32_t)fmax(0, fmin(most, x)), (int32_t)fmax(0, fmin(most, y))};
}

static void uniform(struct arbitrary *source, int32_t i, int32_t n)
{
    (void)i, (void)n;
    put(unit(source) * SKY_SIDE, unit(source) * SKY_SIDE);
}

static void clusters(struct arbitrary *source, int32_t i, int32_t n)
{
    struct arbitrary where = {.state = (uint64_t)(i % (1 + n / 12)) * 1000 + (uint64_t)n};
    double spread = 10000 * (1 + (double)arbitrary_below(&where, 8));
    double x = unit(&where) * SKY_SIDE, y = unit(&where) * SKY_SIDE;
    put(x + spread * bell(source), y + spread * bell(source));
}

static void lattice(struct arbitrary *source, int32_t i, int32_t n)
{
    (void)source;
    int32_t across = (int32_t)ceil(sqrt(n));
    int32_t column = i % across, row = i / across;
    put(7 * column, 7 * row);
}

static void jittered(struct arbitrary *source, int32_t i, int32_t n)
{
    int32_t across = (int32_t)ceil(sqrt(n));
    int32_t column = i % across, row = i / across;
    put(20 * column + (int32_t)arbitrary_below(source, 7),
        20 * row + (int32_t)arbitrary_below(source, 7));
}

static void line(struct arbitrary *source, int32_t i, int32_t n)
{
    (void)i;
    int32_t k = (int32_t)arbitrary_below(source, 4 * (uint32_t)n);
    put(3 * k, 5 * k);
}

/* All on one line but a few. */
static void nearly_line(struct arbitrary *source, int32_t i, int32_t n)
{
    put(10 * (int32_t)arbitrary_below(source, 4 * (uint32_t)n),
        i % 9 ? 1000 : arbitrary_below(source, 2000));
}

static void far_clusters(struct arbitrary *source, int32_t i, int32_t n)
{
    (void)n;
    put(i % 2 * 8000000 + (int32_t)arbitrary_below(source, 100000),
        arbitrary_below(source, 100000));
}

static void small_square(struct arbitrary *source, int32_t i, int32_t n)
{
    (void)i;
    uint32_t side = 2 + (uint32_t)sqrt(1.5 * n);
    put(arbitrary_below(source, side), arbitrary_below(source, side));
}

/* A star in the middle of a ring of whole numbers that are all 5, 25, 65, ... away. */
static void wheel(struct arbitrary *source, int32_t i, int32_t n)
{
    static const int spoke[][2] = {{65, 0},  {63, 16}, {60, 25}, {56, 33}, {52, 39},
                                   {39, 52}, {33, 56}, {25, 60}, {16, 63}, {0, 65}};
    (void)n;
    const int *s = spoke[arbitrary_below(source, 10)];
    int x = arbitrary_below(source, 2) ? s[0] : -s[0],
        y = arbitrary_below(source, 2) ? s[1] : -s[1];
    put(1000 + (i ? x : 0), 1000 + (i ? y : 0));
}

/* A row, or nearly, and a few stars far from it on both sides: with no least angle each is a hub,
   with most of the row around it. */
static void hubs(struct arbitrary *source, int32_t i, int32_t n)
{
    if (i % 100 == 3)
        put(arbitrary_below(source, 3 * (uint32_t)n), arbitrary_below(source, 100000));
    else
        put(3 * i, 50000 + i - (i % 200 < 100 ? 0 : (int32_t)arbitrary_below(source, 2)));
}

static void (*const families[])(struct arbitrary *, int32_t i, int32_t n) = {
    uniform,     clusters,     lattice,      jittered, line,
    nearly_line, far_clusters, small_square, wheel,    hubs,
};

void sky_put_on_curve(int curve, int32_t i, double part)
{
    double turn = 6.283185307179586 * part, side = i % 2;
    switch (curve) {
    case 0: put(4e6 + 4e6 * cos(turn), 4e6 + 4e6 * sin(turn)); break;
    case 1: put(4e6 + 2e6 * (1 + side) * cos(turn), 4e6 + 2e6 * (1 + side) * sin(turn)); break;
    case 2: put(1e6 * side, 8e6 * part); break;
    case 3: put(4e6 * part * side, 8e6 * part); break;
    case 4: put(8e6 * part, 4e6 + 3e6 * sin(4 * turn)); break;
    case 5: put(4e6 + 4e6 * part * cos(i % 6), 4e6 + 4e6 * part * sin(i % 6)); break;
    case 6: put(4e6 + 4e6 * part * cos(6 * turn), 4e6 + 4e6 * part * sin(6 * turn)); break;
    default: put(i ? 8e6 * part : 4e6, i ? 5 : 8e6);
    }
}

int sky_order(const void *a, const void *b)
{
    const struct mw_point *p = a, *q = b;
    return p->x != q->x ? (p->x > q->x) - (p->x < q->x) : (p->y > q->y) - (p->y < q->y);
}

void sky_sort(void)
{
    qsort(sky, (size_t)stars, sizeof *sky, sky_order);
    int32_t kept = 1;
    for (int32_t i = 1; i < stars; i++)
        if (sky_order(&sky[kept - 1], &sky[i]))
            sky[kept++] = sky[i];
    stars = kept;
}

static void shuffle(struct arbitrary *source)
{
    for (int32_t i = stars - 1; i > 0; i--) {
        int32_t k = (int32_t)arbitrary_below(source, (uint32_t)i + 1);
        struct mw_point swap = sky[i];
        sky[i] = sky[k];
        sky[k] = swap;
    }
}

void sky_make(struct arbitrary *source, int family, int32_t n)
{
    stars = 0;
    for (int32_t i = 0; i < n; i++)
        if (family < SKY_CURVES)
            families[family](source, i, n);
        else
            sky_put_on_curve(family - SKY_CURVES, i, unit(source));
    sky_sort();
    if (stars == 1)
        sky[stars++] = (struct mw_point){sky[0].x + (sky[0].x < 9 ? 1 : -1), sky[0].y};
    shuffle(source);
}

const char *sky_positions(void)
{
    static char text[20 * SKY_STARS];
    char *at = text;
    for (int32_t i = 0; i < stars; i++)
        at += sprintf(at, "%s%d,%d", i ? ";" : "", (int)sky[i].x, (int)sky[i].y);
    return text;
}
