/*
 * pdf.c: A4 pages to print, with one drawing or several (PDF 1.4, ISO 32000).
 *
 * Each drawing is a form XObject in the units of its sheet, so a map is drawn as soon as it is made
 * and its memory freed. Pages are laid out at the end, with drawings as large as possible: first
 * the maps, then their solutions, small.
 *
 * Further maps have the next seeds: 7, 8, 9, or "a", "a 2", "a 3"; captions show them. Each is made
 * with its generator's budget of steps. Puzzles are put in order of rising effort.
 *
 * Text of drawings is strokes, as in all pictures (glyphs.c), and again invisible Helvetica, which
 * readers can search and copy. Captions are in Helvetica, which every reader has. y points upward
 * in PDF, so forms are placed upside down, and text in them is flipped again.
 */
#include "enc/bytes.h"
#include "enc/picture/glyphs.h"
#include "enc/picture/scene/scene.h"
#include "kit/integer.h"
#include "lib/run.h"

/* In points: the sides of a page, its margin, the space between drawings; sizes of text. */
enum { SHORT = 595, LONG = 842, RIM = 36, GUTTER = 24, LETTER = 11, CAPTION = 20, FOOT = 6 };
/* Objects that every file has; the others are numbered as they are written. */
enum { CATALOG = 1, PAGES, FONT, FIRST_FREE };
/* A map has two drawings, each with at most one page of two objects. */
enum { OBJECTS_MOST = FIRST_FREE + 6 * MW_MAPS_MOST, LENGTH_DIGITS = 10 };
enum { SOLUTIONS_ACROSS = 4, SOLUTIONS_DOWN = 6, LEAST_PITCH = 12 };

struct pdf_drawing {
    int32_t object;
    struct sheet sheet;
};

/* A map: its drawing, and that of its solution if that is printed separately. */
struct item {
    struct pdf_drawing drawing, solution;
    const char *seed, *grade; /* NULL: none */
    int32_t effort;           /* of a puzzle */
};

struct pdf {
    struct canvas canvas;
    size_t offset[OBJECTS_MOST]; /* of each object in the file */
    int32_t objects;             /* the next number */
    size_t start;                /* of the file in the output */
    size_t stream, length;       /* positions of the open stream and of its length */
    struct pdf_drawing drawing;  /* the open form */
    struct item items[MW_MAPS_MOST];
    int32_t count;
    int32_t first_page; /* a page is two objects: its contents and itself */
};

static struct pdf *pdf_of(struct canvas *canvas) { return (struct pdf *)canvas; }

/* ---- objects --------------------------------------------------------------------------------- */

static size_t written(const struct pdf *pdf)
{
    return (size_t)(pdf->canvas.run->bottom - pdf->canvas.run->output);
}

static void begin_object(struct pdf *pdf, int32_t number)
{
    assert(number < OBJECTS_MOST);
    pdf->offset[number] = written(pdf) - pdf->start;
    mw_print(pdf->canvas.run, "%d 0 obj\n", number);
}

static void end_object(struct pdf *pdf) { mw_put(pdf->canvas.run, "\nendobj\n"); }

/* Its length is filled in by end_stream. */
static void begin_stream(struct pdf *pdf)
{
    mw_put(pdf->canvas.run, "/Length ");
    pdf->length = written(pdf);
    mw_put(pdf->canvas.run, "0000000000>>\nstream\n");
    pdf->stream = written(pdf);
}

static void write_digits(char *to, size_t n, int digits)
{
    for (int i = digits; i-- > 0; n /= 10)
        to[i] = (char)('0' + n % 10);
}

static void end_stream(struct pdf *pdf)
{
    struct mw_run *run = pdf->canvas.run;
    write_digits(run->output + pdf->length, written(pdf) - pdf->stream, LENGTH_DIGITS);
    mw_put(run, "\nendstream");
    end_object(pdf);
}

/* ---- numbers and words ----------------------------------------------------------------------- */

static void put_ink(struct canvas *canvas, enum ink ink, const char *operator)
{
    uint32_t rgb = ink_color(&canvas->map->request->look, ink);
    int32_t parts[3];
    for (int i = 0; i < 3; i++)
        parts[i] = (int32_t)((rgb >> (16 - 8 * i) & 255) * 1000 + 127) / 255;
    canvas_put_numbers(canvas->run, parts, 3);
    mw_print(canvas->run, " %s ", operator);
}

/* Other characters than printable ASCII become a question mark. */
static void put_string(struct mw_run *run, const char *text)
{
    mw_put_char(run, '(');
    for (; *text; text++) {
        if (((unsigned char)*text & 0xc0) == 0x80)
            continue; /* the rest of a character */
        if (*text == '(' || *text == ')' || *text == '\\')
            mw_put_char(run, '\\');
        mw_put_char(run, *text >= ' ' && *text <= '~' ? *text : '?');
    }
    mw_put_char(run, ')');
}

/* Shown at the current place. */
static void show_text(struct mw_run *run, const char *text)
{
    put_string(run, text);
    mw_put(run, " Tj ");
}

/* ---- the canvas ------------------------------------------------------------------------------ */

/* The background of a board is that of the page. */
static void open_form(struct canvas *canvas, const struct sheet *sheet)
{
    struct pdf *pdf = pdf_of(canvas);
    struct mw_run *run = canvas->run;
    pdf->drawing = (struct pdf_drawing){pdf->objects++, *sheet};
    begin_object(pdf, pdf->drawing.object);
    mw_print(run, "<</Type/XObject/Subtype/Form/BBox[0 0 %d %d]/Resources<</Font<</F %d 0 R>>>>",
             sheet->width, sheet->height, FONT);
    begin_stream(pdf);
    mw_put(run, "1 J 1 j\n");
    for (int32_t i = 0, n = mw_max(sheet->shades, 1); i < n && sheet->ground != INK_PAPER; i++) {
        int32_t top = (int32_t)((int64_t)i * sheet->height / n);
        put_ink(canvas, (enum ink)((int)sheet->ground + i), "rg");
        mw_print(run, "0 %d %d %d re f\n", top, sheet->width, sheet->height - top);
    }
}

static void begin(struct canvas *canvas, struct pen pen)
{
    if (pen.fill != INK_NONE)
        put_ink(canvas, pen.fill, "rg");
    if (pen.line == INK_NONE)
        return;
    put_ink(canvas, pen.line, "RG");
    mw_put_thousandths(canvas->run, pen.tenths * 100);
    mw_put(canvas->run, " w\n");
}

static void put_point(struct canvas *canvas, const char *operator)
{
    char *to = mw_write_int(mw_reserve_output(canvas->run, 32), canvas->at.x);
    *to++ = ' ';
    mw_end_output(canvas->run, mw_write_int(to, canvas->at.y));
    mw_put(canvas->run, operator);
}

static void move(struct canvas *canvas) { put_point(canvas, " m\n"); }

static void step(struct canvas *canvas)
{
    put_point(canvas, " l\n");
    mw_tick(canvas->run, 1);
}

static void close_loop(struct canvas *canvas) { mw_put(canvas->run, "h\n"); }

static void end(struct canvas *canvas)
{
    bool filled = canvas->pen.fill != INK_NONE, lined = canvas->pen.line != INK_NONE;
    mw_put(canvas->run, filled && lined ? "B*\n" : filled ? "f*\n" : lined ? "S\n" : "n\n");
}

/* A parabola as a cubic curve, in thirds of half steps. */
static void put_curve(void *of, struct mw_point a, struct mw_point bend, struct mw_point b)
{
    mw_print(of, "%d %d m %d %d %d %d %d %d c\n", 3 * a.x, 3 * a.y, a.x + 2 * bend.x,
             a.y + 2 * bend.y, b.x + 2 * bend.x, b.y + 2 * bend.y, 3 * b.x, 3 * b.y);
}

/* `stem`: the width of strokes in hundredths of the height. */
static void put_strokes(struct canvas *canvas, enum ink ink, struct glyph_frame f, const char *word,
                        int32_t stem)
{
    enum { THIRDS = 3 };
    const int32_t third = f.scale / THIRDS;
    put_ink(canvas, ink, "RG q");
    canvas_put_numbers(canvas->run, (const int32_t[]){third, 0, 0, third, f.left, f.top}, 6);
    mw_put(canvas->run, " cm ");
    mw_put_thousandths(canvas->run, 10 * stem * GLYPH_CAPITAL * THIRDS);
    mw_put(canvas->run, " w\n");
    glyph_trace(word, put_curve, canvas->run);
    mw_put(canvas->run, "S Q\n");
}

/* Capitals of Helvetica are 718 thousandths of the font size. */
static void word(struct canvas *canvas, struct text_style style, struct mw_point at,
                 const char *text)
{
    struct mw_run *run = canvas->run;
    const struct glyph_frame f = glyph_frame(text, style.height, at);
    if (style.halo != INK_NONE)
        put_strokes(canvas, style.halo, f, text, GLYPH_HALO);
    put_strokes(canvas, style.ink, f, text, GLYPH_STEM);
    mw_put(run, "q BT 3 Tr /F ");
    mw_put_thousandths(run, (int32_t)((int64_t)style.height * 1000000 / 718));
    mw_put(run, " Tf 1 0 0 -1 ");
    canvas_put_numbers(run, (const int32_t[]){f.left, 1000 * at.y + 500 * style.height}, 2);
    mw_put(run, " Tm ");
    show_text(run, text);
    mw_put(run, "ET Q\n");
}

static const struct canvas_operations operations = {.open = open_form,
                                                    .begin = begin,
                                                    .move = move,
                                                    .step = step,
                                                    .close = close_loop,
                                                    .end = end,
                                                    .word = word};

static struct pdf_drawing draw(struct pdf *pdf, const struct mw_map *map, bool answers)
{
    pdf->canvas = (struct canvas){
        .run = pdf->canvas.run, .map = map, .operations = &operations, .answer_only = answers};
    scene_draw(&pdf->canvas);
    end_stream(pdf);
    return pdf->drawing;
}

/* ---- maps ------------------------------------------------------------------------------------ */

/* The difficulty of a puzzle: the first value that is a choice. */
static const char *grade_of(const struct mw_map *map)
{
    const struct mw_part *parts = map->request->generator->parts;
    for (int p = 0; parts[p].kind != MW_NO_PART; p++)
        if (parts[p].kind == MW_VALUE && parts[p].type == MW_ONE_OF && map->slots[p].present &&
            map->slots[p].as.value.integer != MW_NULL)
            return parts[p].choices[map->slots[p].as.value.integer];
    return NULL;
}

/* Whether it is a puzzle, and the part with its board. */
static bool is_board(const struct mw_map *map, int *p)
{
    return scene_of(map->request->generator, p) == &scene_board;
}

/* Items are in order of effort; of equal ones the earlier seed comes first. */
static void add_item(struct pdf *pdf, const struct mw_map *map)
{
    assert(pdf->count < MW_MAPS_MOST);
    struct item item = {.seed = map->request->seed, .drawing = draw(pdf, map, false)};
    int32_t p, i = pdf->count++;
    if (is_board(map, &p)) {
        item.grade = grade_of(map);
        item.effort = mw_max(find_number(map, "effort"), 0);
        if (find_answer(map->request->generator, p) >= 0 &&
            map->request->look.solution == MW_SOLUTION_AUTO)
            item.solution = draw(pdf, map, true);
    }
    for (; i && pdf->items[i - 1].effort > item.effort; i--)
        pdf->items[i] = pdf->items[i - 1];
    pdf->items[i] = item;
}

/* The n-th seed after one: 9 after 7, "a 3" after "a". */
static const char *seed_after(struct mw_run *run, const char *seed, int32_t n)
{
    enum { SEED_MOST = 64 };
    char text[SEED_MOST + 24], *to = text;
    size_t length = strlen(seed);
    int64_t number;
    if (mw_read_seed(seed, &number)) {
        to = mw_write_int(to, (number + n) % (MW_SEED_MOST + 1));
        return mw_copy_text(run, text, (size_t)(to - text));
    }
    if (length + 3 > SEED_MOST)
        mw_fail(run, MW_NO_RESULT, "/maps",
                "needs seeds that go on from this one: give one of at most %d bytes, or a number",
                SEED_MOST - 3);
    memcpy(text, seed, length);
    text[length] = ' ';
    to = mw_write_int(text + length + 1, n + 1);
    return mw_copy_text(run, text, (size_t)(to - text));
}

static int32_t maps_of(const struct mw_request *request)
{
    return request->seed ? mw_clamp(request->look.maps, 1, MW_MAPS_MOST) : 1;
}

/* The map and those of the next seeds. The memory of each is freed when it is drawn. */
static void draw_maps(struct pdf *pdf, const struct mw_map *map)
{
    struct mw_run *run = pdf->canvas.run;
    add_item(pdf, map);
    for (int32_t i = 1; i < maps_of(map->request); i++) {
        struct mw_request next = *map->request;
        next.seed = seed_after(run, next.seed, i);
        char *mark = mw_mark(run);
        add_item(pdf, mw_make_within(run, &next));
        mw_rewind(run, mark);
    }
}

/* ---- pages ----------------------------------------------------------------------------------- */

struct layout {
    int32_t width, height; /* of the page */
    int32_t across, down;  /* drawings on it */
    int32_t letter, caption;
};

/* The room for a drawing, below its caption. */
static struct mw_point box_of(const struct layout *l)
{
    return (struct mw_point){(l->width - 2 * RIM - (l->across - 1) * GUTTER) / l->across,
                             (l->height - 2 * RIM - (l->down - 1) * GUTTER) / l->down - l->caption};
}

/* Millionths of a point per unit: to fill its box, but with cells of at most MOST_PITCH. */
static int64_t scale_of(const struct layout *l, const struct sheet *sheet)
{
    enum { MOST_PITCH = 36 };
    int64_t wide = box_of(l).x * INT64_C(1000000) / sheet->width,
            high = box_of(l).y * INT64_C(1000000) / sheet->height;
    return mw_min64(mw_min64(wide, high), MOST_PITCH * INT64_C(1000000) / sheet->pitch);
}

/* Six on a page; fewer boards if they would be too small to write in. The page of a single wide map
   is landscape. */
static struct layout layout_for(const struct pdf *pdf, bool boards)
{
    static const int8_t across[] = {2, 1, 1}, down[] = {3, 2, 1};
    const struct sheet *sheet = &pdf->items[0].drawing.sheet;
    struct layout l = {SHORT, LONG, 1, 1, LETTER, CAPTION};
    if (pdf->count == 1 && sheet->width > sheet->height) {
        l.width = LONG;
        l.height = SHORT;
    }
    for (int i = 0; i < 3 && pdf->count > 1; i++) {
        l.across = across[i];
        l.down = down[i];
        if (!boards || scale_of(&l, sheet) * sheet->pitch >= LEAST_PITCH * INT64_C(1000000))
            break;
    }
    return l;
}

/* 3   hard   seed 9 */
static void put_caption(struct pdf *pdf, int32_t i, bool short_form)
{
    struct mw_run *run = pdf->canvas.run;
    const struct item *item = &pdf->items[i];
    char number[16];
    *mw_write_int(number, i + 1) = '\0';
    show_text(run, pdf->count > 1 ? number : pdf->canvas.map->request->generator->name);
    if (item->grade && !short_form) {
        show_text(run, "   ");
        show_text(run, item->grade);
    }
    if (item->seed && !short_form) {
        show_text(run, "   seed ");
        show_text(run, item->seed);
    }
}

/* Item i in box `place` of the page. */
static void put_drawing(struct pdf *pdf, const struct layout *l, int32_t place, int32_t i,
                        bool answers)
{
    struct mw_run *run = pdf->canvas.run;
    const struct pdf_drawing *drawing = answers ? &pdf->items[i].solution : &pdf->items[i].drawing;
    const struct mw_point box = box_of(l);
    const int64_t scale = scale_of(l, &drawing->sheet);
    const int32_t wide = (int32_t)(scale * drawing->sheet.width / 1000000),
                  left = RIM + place % l->across * (box.x + GUTTER) + (box.x - wide) / 2,
                  top = l->height - RIM - l->caption -
                        place / l->across * (box.y + l->caption + GUTTER);
    mw_print(run, "BT /F %d Tf 0 g %d %d Td ", l->letter, left, top + l->caption - l->letter);
    put_caption(pdf, i, answers);
    mw_put(run, "ET\nq ");
    mw_put_decimal(run, scale, 1000000);
    mw_put(run, " 0 0 -");
    mw_put_decimal(run, scale, 1000000);
    mw_print(run, " %d %d cm /M%d Do Q\n", left, top, drawing->object);
}

/* The address that makes it again: /puzzle/generate.pdf?v=2&...&maps=6 */
static void put_foot(struct pdf *pdf)
{
    enum { LONGEST = 150 };
    char text[LONGEST + 8 + MW_LOOK_BYTES];
    const struct mw_request *request = pdf->canvas.map->request;
    size_t path = 1 + strlen(request->generator->name), length = request->address_length;
    if (length > LONGEST)
        return;
    memcpy(text, request->address, path);
    memcpy(text + path, ".pdf", 4);
    memcpy(text + path + 4, request->address + path, length - path);
    *mw_write_look(text + length + 4, &request->look) = '\0';
    mw_print(pdf->canvas.run, "BT /F %d Tf 0.5 g %d %d Td ", FOOT, RIM, RIM / 2);
    show_text(pdf->canvas.run, text);
    mw_put(pdf->canvas.run, "ET\n");
}

/* A page with as many items from `first` on as fit; returns the next one. */
static int32_t put_page(struct pdf *pdf, const struct layout *l, int32_t first, bool answers)
{
    struct mw_run *run = pdf->canvas.run;
    int32_t contents = pdf->objects++, page = pdf->objects++,
            end = mw_min(first + l->across * l->down, pdf->count);
    begin_object(pdf, contents);
    mw_put(run, "<<");
    begin_stream(pdf);
    for (int32_t i = first; i < end; i++)
        put_drawing(pdf, l, i - first, i, answers);
    put_foot(pdf);
    end_stream(pdf);
    begin_object(pdf, page);
    mw_print(run, "<</Type/Page/Parent %d 0 R/MediaBox[0 0 %d %d]/Contents %d 0 R>>", PAGES,
             l->width, l->height, contents);
    end_object(pdf);
    return end;
}

static void put_pages(struct pdf *pdf)
{
    const struct layout small = {SHORT, LONG, SOLUTIONS_ACROSS, SOLUTIONS_DOWN, FOOT + 2, CAPTION};
    int p;
    const struct layout large = layout_for(pdf, is_board(pdf->canvas.map, &p));
    pdf->first_page = pdf->objects + 1;
    for (int32_t i = 0; i < pdf->count;)
        i = put_page(pdf, &large, i, false);
    for (int32_t i = 0; i < pdf->count && pdf->items[0].solution.object;)
        i = put_page(pdf, &small, i, true);
}

/* ---- the file -------------------------------------------------------------------------------- */

/* All pages use the font and the drawings. */
static void put_catalog(struct pdf *pdf)
{
    struct mw_run *run = pdf->canvas.run;
    begin_object(pdf, FONT);
    mw_put(run, "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>");
    end_object(pdf);
    begin_object(pdf, CATALOG);
    mw_print(run, "<</Type/Catalog/Pages %d 0 R>>", PAGES);
    end_object(pdf);
    begin_object(pdf, PAGES);
    mw_print(run, "<</Type/Pages/Resources<</Font<</F %d 0 R>>/XObject<<", FONT);
    for (int32_t i = FIRST_FREE; i < pdf->first_page - 1; i++)
        mw_print(run, "/M%d %d 0 R", i, i);
    mw_put(run, ">>>>/Kids[");
    for (int32_t i = pdf->first_page; i < pdf->objects; i += 2)
        mw_print(run, " %d 0 R", i);
    mw_print(run, "]/Count %d>>", (pdf->objects - pdf->first_page + 1) / 2);
    end_object(pdf);
}

/* Offsets of objects, in lines of twenty bytes. */
static void put_table(struct pdf *pdf)
{
    struct mw_run *run = pdf->canvas.run;
    size_t table = written(pdf) - pdf->start;
    mw_print(run, "xref\n0 %d\n0000000000 65535 f \n", pdf->objects);
    for (int32_t i = 1; i < pdf->objects; i++) {
        char digits[LENGTH_DIGITS];
        write_digits(digits, pdf->offset[i], LENGTH_DIGITS);
        mw_put_bytes(run, digits, sizeof digits);
        mw_put(run, " 00000 n \n");
    }
    mw_print(run, "trailer\n<</Size %d/Root %d 0 R/Info<</Producer(Mapwright)/Title", pdf->objects,
             CATALOG);
    put_string(run, pdf->canvas.map->request->generator->name);
    mw_print(run, ">>>>\nstartxref\n%zu\n%%%%EOF\n", table);
}

static void encode(struct mw_run *run, const struct mw_map *map)
{
    struct pdf *pdf = MW_NEW0(run, struct pdf, 1);
    pdf->canvas.run = run;
    pdf->objects = FIRST_FREE;
    pdf->start = written(pdf);
    mw_put(run, "%PDF-1.4\n%\xe2\xe3\xcf\xd3\n");
    draw_maps(pdf, map);
    pdf->canvas.map = map;
    put_pages(pdf);
    put_catalog(pdf);
    put_table(pdf);
}

/* ---- cost ------------------------------------------------------------------------------------ */

/* All maps but the first are made here; each is drawn, and its solution. */
static struct mw_cost forecast(const struct mw_request *request, const struct mw_forecast *f)
{
    enum { WORD = 4000 }; /* bytes: its strokes, and those of its halo */
    const struct mw_cost each = scene_cost(request, f, false);
    uint64_t maps = (uint64_t)maps_of(request), more = maps - 1;
    return (struct mw_cost){.steps = 2 * maps * each.steps + more * f->steps,
                            .bytes =
                                sizeof(struct pdf) + (1 + 3 * maps) * each.bytes +
                                maps * WORD * (f->rows < CANVAS_NAMED ? f->rows : CANVAS_NAMED) +
                                (more ? f->bytes : 0),
                            .nanoseconds = 2 * maps * each.nanoseconds + more * f->nanoseconds};
}

const struct mw_encoder mw_pdf = {.name = "pdf",
                                  .media = "application/pdf",
                                  .help = MW_PROSE("sheets to print"),
                                  .look_mask =
                                      (SCENE_LOOK_MASK & ~MW_LOOK_BIT(SCALE)) | MW_LOOK_BIT(MAPS),
                                  .fits = scene_fits,
                                  .forecast = forecast,
                                  .encode = encode};
