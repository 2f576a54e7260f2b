/*
 * glyphs.c: a built-in font of strokes, in printable ASCII.
 *
 * Designed for short names at any size. Similar characters differ: zero has a slash, one a flag and
 * a foot, capital I serifs, small l a tail.
 *
 * A glyph is a list of strokes, separated by spaces: a letter for its kind, then its points, two
 * characters each: steps to the right and down, where `a` is 10 and `b` 11. The top of capitals is
 * 0, their foot 8.
 *
 *     l   straight lines from point to point
 *     c   a curve from the first point to the last, bent towards those between
 *     o   a closed curve, bent towards all points
 *
 * A curve is a quadratic B-spline: for each point between, a parabola that is bent towards it, from
 * the middle of the side before it to the middle of the side after it, or from or to an end of the
 * stroke. So they meet smoothly, and a ring of four points is almost an ellipse.
 */
#include "glyphs.h"
#include "kit/integer.h"

static const char *const glyphs[128] = {
    ['!'] = "l0005 l0808",
    ['"'] = "l0002 l2022",
    ['#'] = "l2018 l5048 l0262 l0666",
    ['$'] = "c6251010464671706 l3038",
    ['%'] = "l6008 o00303303 o35656838",
    ['&'] = "c681310404305084865",
    ['\''] = "l0002",
    ['('] = "c20020729",
    [')'] = "c00222709",
    ['*'] = "l2125 l0244 l4204",
    ['+'] = "l2327 l0545",
    [','] = "l1809",
    ['-'] = "l0545",
    ['.'] = "l0808",
    ['/'] = "l4008",
    ['0'] = "o00505808 l3226",
    ['1'] = "l022028 l0848",
    ['2'] = "c0200505408 l0858",
    ['3'] = "c0200505424 c2464680806",
    ['4'] = "l48400656",
    ['5'] = "l500004 c041363680807",
    ['6'] = "c400106 o03535808",
    ['7'] = "l005028",
    ['8'] = "o10505414 o04646808",
    ['9'] = "o00505505 c525718",
    [':'] = "l0404 l0808",
    [';'] = "l1414 l1809",
    ['<'] = "l420548",
    ['='] = "l0444 l0646",
    ['>'] = "l024508",
    ['?'] = "c020050542426 l2828",
    ['@'] = "o23535626 c53578780000969",
    ['A'] = "l083068 l1555",
    ['B'] = "l0008 c00505404 c04646808",
    ['C'] = "c625000085866",
    ['D'] = "l0008 c00606808",
    ['E'] = "l50000858 l0444",
    ['F'] = "l500008 l0444",
    ['G'] = "c625000086864 l6444",
    ['H'] = "l0008 l6068 l0464",
    ['I'] = "l0020 l1018 l0828",
    ['J'] = "c40480806",
    ['K'] = "l0008 l5005 l2368",
    ['L'] = "l000858",
    ['M'] = "l0800356068",
    ['N'] = "l08005850",
    ['O'] = "o00606808",
    ['P'] = "l0008 c00606404",
    ['Q'] = "o00606808 l4569",
    ['R'] = "l0008 c00606404 l3468",
    ['S'] = "c6250000464681806",
    ['T'] = "l0060 l3038",
    ['U'] = "l0005 c05086865 l6560",
    ['V'] = "l003860",
    ['W'] = "l0028436880",
    ['X'] = "l0068 l6008",
    ['Y'] = "l0034 l6034 l3438",
    ['Z'] = "l00600868",
    ['['] = "l20000929",
    ['\\'] = "l0048",
    [']'] = "l00202909",
    ['^'] = "l032043",
    ['_'] = "l0959",
    ['`'] = "l0012",
    ['a'] = "o03434808 l4348",
    ['b'] = "l0008 o03434808",
    ['c'] = "c443303083847",
    ['d'] = "l4048 o03434808",
    ['e'] = "l0545 c454303083847",
    ['f'] = "c402024 l2428 l0343",
    ['g'] = "o03434808 l4348 c484b0b0a",
    ['h'] = "l0008 c05034346 l4648",
    ['i'] = "l031318 l1111",
    ['j'] = "l1319 c191b0b l1111",
    ['k'] = "l0008 l4306 l1548",
    ['l'] = "l0006 c060828",
    ['m'] = "l0308 c05033336 l3638 c35336366 l6668",
    ['n'] = "l0308 c05034346 l4648",
    ['o'] = "o03434808",
    ['p'] = "l030b o03434808",
    ['q'] = "l434b o03434808",
    ['r'] = "l0308 c060333",
    ['s'] = "c4443030546480807",
    ['t'] = "l1116 c161838 l0333",
    ['u'] = "l0305 c05084845 l4348",
    ['v'] = "l032843",
    ['w'] = "l0318345863",
    ['x'] = "l0348 l4308",
    ['y'] = "l0328 l431b",
    ['z'] = "l03430848",
    ['{'] = "c30101404 c04141939",
    ['|'] = "l0009",
    ['}'] = "c00202434 c34242909",
    ['~'] = "c06143654",
};

static const char *strokes_of(char c)
{
    const char *strokes = (unsigned char)c < 128 ? glyphs[(unsigned char)c] : NULL;
    return strokes ? strokes : "";
}

/* A coordinate. */
static int32_t step_of(char c) { return c >= 'a' ? c - 'a' + 10 : c - '0'; }

static int32_t width_of(char c)
{
    int32_t most = c == ' ' ? GLYPH_GAP / 2 : 0;
    for (const char *at = strokes_of(c); *at; at += *at == ' ')
        for (at++; *at && *at != ' '; at += 2)
            most = mw_max(most, step_of(*at));
    return 2 * most;
}

int32_t glyph_text_width(const char *text)
{
    int32_t width = 0;
    for (const char *c = text; *c; c++)
        width += width_of(*c) + (c[1] ? GLYPH_GAP : 0);
    return width;
}

struct glyph_frame glyph_frame(const char *text, int32_t height, struct mw_point middle)
{
    const int32_t scale = 1000 * height / GLYPH_CAPITAL;
    assert(height > 0);
    return (struct glyph_frame){scale, 1000 * middle.x - scale * glyph_text_width(text) / 2,
                                1000 * middle.y - scale * GLYPH_CAPITAL / 2};
}

/* The middle of two points, in half steps; of one and itself, the point. */
static struct mw_point middle(struct mw_point a, struct mw_point b)
{
    return (struct mw_point){a.x + b.x, a.y + b.y};
}

static void trace_stroke(char kind, const struct mw_point *at, int n, glyph_curve *curve, void *of)
{
    assert(kind == 'l' || kind == 'c' || kind == 'o');
    for (int i = 0; kind == 'l' && i + 1 < n; i++)
        curve(of, middle(at[i], at[i]), middle(at[i], at[i + 1]), middle(at[i + 1], at[i + 1]));
    for (int i = 0; kind == 'o' && i < n; i++)
        curve(of, middle(at[(i + n - 1) % n], at[i]), middle(at[i], at[i]),
              middle(at[i], at[(i + 1) % n]));
    for (int i = 1; kind == 'c' && i + 1 < n; i++)
        curve(of, middle(at[i - 1], at[i == 1 ? 0 : i]), middle(at[i], at[i]),
              middle(at[i + 1], at[i + 2 == n ? i + 1 : i]));
}

/* `left`: of the letter, in half steps, which are even as all widths are. */
static void trace_letter(char c, int32_t left, glyph_curve *curve, void *of)
{
    enum { POINTS_MOST = 16 };
    for (const char *at = strokes_of(c); *at; at += *at == ' ') {
        struct mw_point points[POINTS_MOST];
        int n = 0;
        char kind = *at++;
        for (; *at && *at != ' ' && n < POINTS_MOST; at += 2)
            points[n++] = (struct mw_point){left / 2 + step_of(at[0]), step_of(at[1])};
        assert(n > 1 && (!*at || *at == ' '));
        trace_stroke(kind, points, n, curve, of);
    }
}

void glyph_trace(const char *text, glyph_curve *curve, void *of)
{
    for (int32_t left = 0; *text; left += width_of(*text++) + GLYPH_GAP)
        trace_letter(*text, left, curve, of);
}
