/*
 * png.c: the picture, as a file of numbers of colours.
 *
 * The pixels are for ever, as is all that is drawn; the bytes are as the zlib at hand packs them,
 * which may find shorter ones one day. So what is compared over time and between machines is
 * pixels.
 *
 * libpng, and zlib under it, take their memory from the run, and what they free stays until the run
 * rewinds. What they write goes straight to the run's output. Both ways may end the run by a jump
 * to the one setjmp in run.c, out of libpng's frames, and that is sound: libpng's state lies in the
 * run's block and is forgotten with it; it holds no lock, no file, no memory of another allocator
 * and nothing global; and it never returns into those frames. Its own errors take the same way, so
 * none of its setjmp frames is ever jumped to.
 */
#include "raster.h"
#include "scene.h"

#include <png.h>

/* The level of zlib: 9 takes thrice the time for a twentieth fewer bytes. */
enum { LEVEL = 6, CHUNK = 1 << 16, SOURCE_MOST = 1024 };

static png_voidp allocate(png_structp png, png_alloc_size_t size)
{
    return mw_alloc(png_get_mem_ptr(png), 1, size);
}

/* The run forgets it all at once. */
static void release(png_structp png, png_voidp memory)
{
    (void)png;
    (void)memory;
}

static void write_bytes(png_structp png, png_bytep bytes, size_t n)
{
    mw_put_bytes(png_get_io_ptr(png), (const char *)bytes, n);
}

static void flush(png_structp png) { (void)png; }

static void fail(png_structp png, png_const_charp why)
{
    mw_fail(png_get_error_ptr(png), MW_TOO_BIG, "/scale",
            "makes a picture that PNG cannot hold (%s)", why);
}

static void pass_over(png_structp png, png_const_charp warning)
{
    (void)png;
    (void)warning;
}

static int depth_of(int32_t colours)
{
    return colours <= 2 ? 1 : colours <= 4 ? 2 : colours <= 16 ? 4 : 8;
}

static void set_palette(png_structp png, png_infop info, const struct picture *picture)
{
    png_color palette[PICTURE_COLOURS];
    for (int32_t i = 0; i < picture->colours; i++)
        palette[i] =
            (png_color){(png_byte)(picture->palette[i] >> 16), (png_byte)(picture->palette[i] >> 8),
                        (png_byte)picture->palette[i]};
    assert(picture->colours > 0 && picture->colours <= PICTURE_COLOURS);
    png_set_PLTE(png, info, palette, picture->colours);
}

/* What it shows, and how it is had again. */
static void set_text(png_structp png, png_infop info, const struct mw_request *request)
{
    png_text text[] = {
        {.compression = PNG_TEXT_COMPRESSION_NONE,
         .key = (char *)"Title",
         .text = (char *)request->generator->name},
        {.compression = PNG_TEXT_COMPRESSION_NONE,
         .key = (char *)"Software",
         .text = (char *)"Mapwright"},
        {.compression = PNG_TEXT_COMPRESSION_NONE,
         .key = (char *)"Source",
         .text = (char *)request->address},
    };
    png_set_text(png, info, text, request->address_length <= SOURCE_MOST ? 3 : 2);
}

static void encode(struct mw_run *run, const struct mw_map *map)
{
    struct picture *picture = MW_NEW(run, struct picture, 1);
    raster_scene(run, map, picture);
    png_structp png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, run, fail, pass_over, run,
                                                allocate, release);
    if (!png)
        mw_fail(run, MW_TOO_BIG, "",
                "cannot be written as PNG: the program was built with another libpng");
    png_infop info = png_create_info_struct(png);
    png_set_write_fn(png, run, write_bytes, flush);
    png_set_IHDR(png, info, (png_uint_32)picture->width, (png_uint_32)picture->height,
                 depth_of(picture->colours), PNG_COLOR_TYPE_PALETTE, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    set_palette(png, info, picture);
    set_text(png, info, map->request);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
    png_set_compression_level(png, LEVEL);
    png_set_compression_buffer_size(png, CHUNK);
    png_write_info(png, info);
    png_set_packing(png);
    for (int32_t y = 0; y < picture->height; y++) {
        png_write_row(png, picture->at + (size_t)y * (size_t)picture->width);
        mw_tick(run, (uint64_t)picture->width);
    }
    png_write_end(png, NULL);
}

/* ---- what it will take ----------------------------------------------------------------------- */

/* Mixtures, zlib's windows and chunks; each mixture is compared with all colours. */
enum { BASE_BYTES = 3 << 19, BASE_NANOSECONDS = 300000 };

/* A byte for each sample, and less than half of one for each pixel of the file. */
static struct mw_cost forecast(const struct mw_request *request, const struct mw_forecast *f)
{
    int p;
    const struct scene *scene = scene_of(request->generator, &p);
    struct extent extent = raster_extent(&request->look, scene->sheet(f));
    uint64_t pixels = extent.pixels, samples = extent.samples;
    uint64_t compared = scene->mixtures * PICTURE_COLOURS;
    return (struct mw_cost){.steps = compared + mw_rated(f, &scene->steps) + 3 * pixels,
                            .bytes = BASE_BYTES + mw_rated(f, &scene->bytes) + samples + pixels / 2,
                            .nanoseconds = BASE_NANOSECONDS + mw_rated(f, &scene->raster) +
                                           samples + 6 * pixels};
}

const struct mw_encoder mw_png = {.name = "png",
                                  .media = "image/png",
                                  .help = "a picture, for people",
                                  .heeds = MW_HEEDS(SCALE),
                                  .fits = scene_fits,
                                  .forecast = forecast,
                                  .encode = encode};
