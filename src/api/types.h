/* types.h: what is asked and answered, as types of TypeScript. */
#ifndef MAPWRIGHT_TYPES_H
#define MAPWRIGHT_TYPES_H

/* The declarations, malloc'd, NUL-terminated; NULL without memory. */
char *types_write(void);

#endif
