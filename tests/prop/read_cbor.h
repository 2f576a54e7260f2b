/* read_cbor.h: CBOR (RFC 8949) as JSON. */
#ifndef MAPWRIGHT_READ_CBOR_H
#define MAPWRIGHT_READ_CBOR_H

#include <jansson.h>

/* The one item that the bytes are, in its shortest form; a typed array (RFC 8746) as rows of
   `width` numbers. NULL: they are none. */
json_t *read_cbor(const char *bytes, size_t length, size_t width);

#endif
