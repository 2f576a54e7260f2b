/*
 * png_file.c: writes a picture as PNG with a palette (ISO 15948).
 *
 * Rows are not filtered, as neighboring indices are unrelated: each has a 0 before it. deflate.c
 * finds what repeats along a row or from row to row.
 */
#include "png_file.h"
#include "bytes.h"

enum { SOURCE_MOST = 1024, TYPE_LENGTH = 4 };

/* ---- chunks ---------------------------------------------------------------------------------- */

/* CRC-32, with the highest power of its polynomial in bit 0. */
static uint32_t check_sum(const char *text, size_t length)
{
    uint32_t sum = UINT32_MAX;
    for (size_t i = 0; i < length; i++) {
        sum ^= (uint8_t)text[i];
        for (int bit = 0; bit < 8; bit++)
            sum = sum >> 1 ^ (0xedb88320 & -(sum & 1));
    }
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

static void end_chunk(struct mw_run *run, size_t start)
{
    char *at = run->output + start, *type = at + 4;
    size_t length = (size_t)(run->bottom - type);
    assert(length >= TYPE_LENGTH);
    bytes_write_big(at, (uint32_t)(length - TYPE_LENGTH), 4);
    bytes_put_big(run, check_sum(type, length));
}

static void put_header(struct mw_run *run, const struct picture *picture)
{
    enum { DEPTH = 8, PALETTE = 3 };
    size_t chunk = begin_chunk(run, "IHDR");
    bytes_put_big(run, (uint32_t)picture->width);
    bytes_put_big(run, (uint32_t)picture->height);
    const char rest[] = {DEPTH, PALETTE, 0, 0, 0};
    mw_put_bytes(run, rest, sizeof rest);
    end_chunk(run, chunk);
}

static void put_palette(struct mw_run *run, const struct picture *picture)
{
    size_t chunk = begin_chunk(run, "PLTE");
    assert(picture->colors > 0 && picture->colors <= PICTURE_COLORS);
    for (int32_t i = 0; i < picture->colors; i++)
        mw_end_output(run, bytes_write_big(mw_reserve_output(run, 3), picture->palette[i], 3));
    end_chunk(run, chunk);
}

static void put_text(struct mw_run *run, const char *key, const char *text)
{
    size_t chunk = begin_chunk(run, "tEXt");
    mw_put_bytes(run, key, strlen(key) + 1);
    mw_put(run, text);
    end_chunk(run, chunk);
}

void png_put(struct mw_run *run, const struct picture *picture, const struct mw_request *source)
{
    assert(picture->width > 0 && picture->height > 0);
    mw_put_bytes(run, "\x89PNG\r\n\x1a\n", 8);
    put_header(run, picture);
    put_palette(run, picture);
    if (source) {
        put_text(run, "Title", source->generator->name);
        put_text(run, "Software", "Mapwright");
    }
    if (source && source->address_length <= SOURCE_MOST)
        put_text(run, "Source", source->address);
    const size_t rows = begin_chunk(run, "IDAT"),
                 length = picture_row(picture->width, picture->height);
    mw_tick(run, length / 8);
    deflate_rows(run, picture->at - 1, length, (size_t)picture->width + 1);
    end_chunk(run, rows);
    end_chunk(run, begin_chunk(run, "IEND"));
}
