/* read_cbor.c: CBOR as JSON, strictly: nothing is longer than it has to be, nothing stays open. */
#include "read_cbor.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct reading {
    const unsigned char *at, *end;
    size_t width;
};

static bool read_bytes(struct reading *r, size_t n, uint64_t *value)
{
    *value = 0;
    if ((size_t)(r->end - r->at) < n)
        return false;
    while (n--)
        *value = *value << 8 | *r->at++;
    return true;
}

static bool read_head(struct reading *r, int *major, int *minor, uint64_t *value)
{
    static const uint64_t least[] = {24, UINT64_C(1) << 8, UINT64_C(1) << 16, UINT64_C(1) << 32};
    if (r->at == r->end)
        return false;
    *major = *r->at >> 5;
    *minor = *r->at++ & 31;
    *value = (uint64_t)*minor;
    if (*minor < 24)
        return true;
    return *minor < 28 && read_bytes(r, (size_t)1 << (*minor - 24), value) &&
           (*major == 7 || *value >= least[*minor - 24]);
}

static json_t *read_item(struct reading *r);

static json_t *read_array(struct reading *r, uint64_t count)
{
    json_t *array = json_array();
    for (uint64_t i = 0; array && i < count; i++)
        if (json_array_append_new(array, read_item(r))) {
            json_decref(array);
            return NULL;
        }
    return array;
}

static json_t *read_map(struct reading *r, uint64_t count)
{
    json_t *map = json_object();
    for (uint64_t i = 0; map && i < count; i++) {
        json_t *key = read_item(r);
        bool good = json_is_string(key) && !json_object_get(map, json_string_value(key)) &&
                    !json_object_set_new(map, json_string_value(key), read_item(r));
        json_decref(key);
        if (!good) {
            json_decref(map);
            return NULL;
        }
    }
    return map;
}

/* Of 2^size bytes, the lowest first. */
static int64_t number_at(const unsigned char *at, int size, bool is_signed)
{
    int bytes = 1 << size;
    int64_t n = 0;
    for (int k = 0; k < bytes; k++)
        n |= (int64_t)at[k] << 8 * k;
    return is_signed && at[bytes - 1] & 128 ? n - (INT64_C(1) << 8 * bytes) : n;
}

/* Tags 64 to 79 but the big-endian: bit 3 is signed, bit 2 little-endian, bits 1 and 0 the size. */
static json_t *read_typed(struct reading *r, uint64_t tag)
{
    int major, minor, size = (int)(tag & 3);
    uint64_t bytes;
    bool known = tag == 64 || tag == 69 || tag == 70 || tag == 72 || tag == 77 || tag == 78;
    if (!known || !read_head(r, &major, &minor, &bytes) || major != 2 ||
        bytes > (size_t)(r->end - r->at) || bytes % (r->width << size))
        return NULL;
    json_t *rows = json_array(), *row = NULL;
    for (size_t i = 0; i < bytes >> size; i++) {
        if (i % r->width == 0)
            json_array_append_new(rows, row = json_array());
        json_array_append_new(row, json_integer(number_at(r->at + (i << size), size, tag & 8)));
    }
    r->at += bytes;
    return rows;
}

static json_t *read_text(struct reading *r, uint64_t length)
{
    if (length > (size_t)(r->end - r->at))
        return NULL;
    r->at += length;
    return json_stringn((const char *)r->at - length, length);
}

static json_t *read_simple(int minor, uint64_t value)
{
    double number;
    if (minor == 20 || minor == 21)
        return json_boolean(minor == 21);
    if (minor == 22)
        return json_null();
    if (minor != 27)
        return NULL;
    memcpy(&number, &value, sizeof number);
    return number != floor(number) ? json_real(number) : NULL;
}

static json_t *read_item(struct reading *r)
{
    int major, minor;
    uint64_t value;
    if (!read_head(r, &major, &minor, &value))
        return NULL;
    switch (major) {
    case 0: return json_integer((json_int_t)value);
    case 1: return json_integer(-1 - (json_int_t)value);
    case 3: return read_text(r, value);
    case 4: return read_array(r, value);
    case 5: return read_map(r, value);
    case 6: return read_typed(r, value);
    case 7: return read_simple(minor, value);
    default: return NULL;
    }
}

json_t *read_cbor(const char *bytes, size_t length, size_t width)
{
    const unsigned char *at = (const unsigned char *)bytes;
    struct reading r = {at, at + length, width};
    json_t *item = read_item(&r);
    if (item && r.at == r.end)
        return item;
    json_decref(item);
    return NULL;
}
