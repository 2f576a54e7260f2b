/* any_size.c: random requests of any size. */
#include "any_size.h"

#include <stdio.h>
#include <string.h>

static char text[1 << 20];
static size_t length;

static void add(const char *s)
{
    size_t n = strlen(s);
    if (length + n < sizeof text)
        memcpy(text + length, s, n + 1);
    length += length + n < sizeof text ? n : 0;
}

static void add_number(uint32_t n)
{
    char digits[16];
    snprintf(digits, sizeof digits, "%u", n);
    add(digits);
}

/* From 1 to 2^bits, as many small as large. */
static uint32_t draw_size(struct arbitrary *source, uint32_t bits)
{
    return 1 + arbitrary_below(source, UINT32_C(1) << arbitrary_below(source, bits + 1));
}

/* Land with round lakes, or speckled. */
static void add_mask(struct arbitrary *source)
{
    struct lake {
        int x, y, far;
    } lakes[16];
    int width = (int)draw_size(source, 8) + 3, height = (int)draw_size(source, 8) + 3;
    int count = (int)arbitrary_below(source, 16);
    bool speckled = arbitrary_below(source, 3) == 0;
    for (int i = 0; i < count; i++) {
        lakes[i].x = (int)arbitrary_below(source, (uint32_t)width);
        lakes[i].y = (int)arbitrary_below(source, (uint32_t)height);
        lakes[i].far = (int)arbitrary_below(source, (uint32_t)(width + height) / 8 + 1);
    }
    for (int y = 0; y < height; y++) {
        add(y ? "/" : "");
        for (int x = 0; x < width; x++) {
            bool wet = speckled && arbitrary_below(source, 12) == 0;
            for (int i = 0; i < count; i++) {
                int dx = x - lakes[i].x, dy = y - lakes[i].y;
                wet |= dx * dx + dy * dy < lakes[i].far * lakes[i].far;
            }
            add(wet ? "." : "%23");
        }
    }
}

static void add_points(struct arbitrary *source)
{
    uint32_t bits = 4 + arbitrary_below(source, 19), count = draw_size(source, 12) + 1;
    for (uint32_t i = 0; i < count; i++) {
        add(i ? ";" : "");
        add_number(arbitrary_below(source, UINT32_C(1) << bits));
        add(",");
        add_number(arbitrary_below(source, UINT32_C(1) << bits));
    }
}

/* The optional field of rows or points, or NULL. */
static const struct mw_field *bulky_field(const struct mw_generator *generator)
{
    const struct mw_field *f = generator->fields;
    while (f->type != MW_END_OF_TABLE &&
           !(f->optional && (f->type == MW_ROWS || f->type == MW_POINTS)))
        f++;
    return f->type == MW_END_OF_TABLE ? NULL : f;
}

/* A large mask or many points, with random choices and count. */
static void draw_bulky(struct arbitrary *source, const struct mw_generator *generator,
                       const struct mw_field *bulky)
{
    length = 0;
    add("/");
    add(generator->name);
    add("?seed=");
    add_number(arbitrary_below(source, 1000));
    for (const struct mw_field *f = generator->fields; f->type != MW_END_OF_TABLE; f++)
        if (f->type == MW_ONE_OF) {
            int32_t choices = 0;
            while (f->choices[choices])
                choices++;
            add("&");
            add(f->name);
            add("=");
            add(f->choices[arbitrary_below(source, (uint32_t)choices)]);
        } else if (!strcmp(f->name, "count")) {
            add("&count=");
            add_number(draw_size(source, 9));
        }
    add("&");
    add(bulky->name);
    add("=");
    if (bulky->type == MW_ROWS)
        add_mask(source);
    else
        add_points(source);
}

bool any_size(struct mw_run *run, const struct mw_generator *generator, uint64_t number,
              struct mw_request *request)
{
    static struct raw_request raw;
    struct arbitrary source = arbitrary_of(generator, number + 1000000);
    const struct mw_field *bulky = bulky_field(generator);
    source.scale = (unsigned)(number % 9);
    if (bulky && number % 4 == 3) {
        draw_bulky(&source, generator, bulky);
        return mw_bind_address(run, text, length, request);
    }
    arbitrary_request(&source, generator, &raw);
    return arbitrary_bind(run, &raw, request);
}
