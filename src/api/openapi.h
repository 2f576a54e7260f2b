/* openapi.h: the description of the service, for programs. */
#ifndef MAPWRIGHT_OPENAPI_H
#define MAPWRIGHT_OPENAPI_H

enum openapi_syntax { OPENAPI_YAML, OPENAPI_JSON };

/* The OpenAPI 3.1 document, malloc'd, NUL-terminated; NULL without memory. */
char *openapi_write(enum openapi_syntax);

#endif
