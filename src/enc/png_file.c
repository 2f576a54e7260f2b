/*
 * png_file.c: writes a picture as PNG with a palette (ISO 15948).
 *
 * Rows are not filtered, as neighboring indices are unrelated. deflate.c finds what repeats along
 * a row or from row to row.
 */
#include "png_file.h"
#include "bytes.h"
#include "deflate.h"

enum { SOURCE_MOST = 1024, TYPE_LENGTH = 4 };

/* ---- chunks ---------------------------------------------------------------------------------- */

/* The table of CRC-32: remainders of all bytes by its polynomial, with the highest power in bit 0.
   */
static void find_remainders(uint32_t remainder[256])
{
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t rest = byte;
        for (int bit = 0; bit < 8; bit++)
            rest = rest >> 1 ^ (0xedb88320 & -(rest & 1));
        remainder[byte] = rest;
    }
}

struct png_file {
    struct mw_run *run;
    uint32_t remainder[256]; /* as find_remainders has them */
};

static uint32_t check_sum(const struct png_file *file, const char *text, size_t length)
{
    uint32_t sum = UINT32_MAX;
    for (size_t i = 0; i < length; i++)
        sum = file->remainder[(sum ^ (uint8_t)text[i]) & 255] ^ sum >> 8;
    return ~sum;
}

/* Leaves room for the length, which is not known yet. */
static size_t begin_chunk(struct mw_run *run, const char *type)
{
    size_t start = (size_t)(run->bottom - run->output);
    bytes_put_big(run, 0);
    mw_put(run, type);
    return start;
}

static void end_chunk(const struct png_file *file, size_t start)
{
    struct mw_run *run = file->run;
    char *at = run->output + start, *type = at + 4;
    size_t length = (size_t)(run->bottom - type);
    assert(length >= TYPE_LENGTH);
    bytes_write_big(at, (uint32_t)(length - TYPE_LENGTH), 4);
    bytes_put_big(run, check_sum(file, type, length));
}

static void put_header(const struct png_file *file, const struct picture *picture)
{
    struct mw_run *run = file->run;
    enum { DEPTH = 8, PALETTE = 3 };
    size_t chunk = begin_chunk(run, "IHDR");
    bytes_put_big(run, (uint32_t)picture->width);
    bytes_put_big(run, (uint32_t)picture->height);
    const char rest[] = {DEPTH, PALETTE, 0, 0, 0};
    mw_put_bytes(run, rest, sizeof rest);
    end_chunk(file, chunk);
}

static void put_palette(const struct png_file *file, const struct picture *picture)
{
    struct mw_run *run = file->run;
    size_t chunk = begin_chunk(run, "PLTE");
    assert(picture->colors > 0 && picture->colors <= PICTURE_COLORS);
    for (int32_t i = 0; i < picture->colors; i++)
        mw_end_output(run, bytes_write_big(mw_reserve_output(run, 3), picture->palette[i], 3));
    end_chunk(file, chunk);
}

static void put_text(const struct png_file *file, const char *key, const char *text)
{
    struct mw_run *run = file->run;
    size_t chunk = begin_chunk(run, "tEXt");
    mw_put_bytes(run, key, strlen(key) + 1);
    mw_put(run, text);
    end_chunk(file, chunk);
}

/* Each row has the number of its filter before it: 0, none. */
static void put_rows(const struct png_file *file, const struct picture *picture)
{
    const size_t length = picture_row(picture->width, picture->height);
    const size_t chunk = begin_chunk(file->run, "IDAT");
    mw_tick(file->run, length / 8);
    deflate_rows(file->run, picture->at - 1, length, (size_t)picture->width + 1);
    end_chunk(file, chunk);
}

void png_put(struct mw_run *run, const struct picture *picture, const struct mw_request *source)
{
    struct png_file *file = MW_NEW(run, struct png_file, 1);
    assert(picture->width > 0 && picture->height > 0);
    file->run = run;
    find_remainders(file->remainder);
    mw_put_bytes(run, "\x89PNG\r\n\x1a\n", 8);
    put_header(file, picture);
    put_palette(file, picture);
    if (source) {
        put_text(file, "Title", source->generator->name);
        put_text(file, "Software", "Mapwright");
    }
    if (source && source->address_length <= SOURCE_MOST)
        put_text(file, "Source", source->address);
    put_rows(file, picture);
    end_chunk(file, begin_chunk(run, "IEND"));
}
