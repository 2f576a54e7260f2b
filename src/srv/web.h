/* web.h: the page for browsers: the files of src/web, carried inside the program. */
#ifndef MAPWRIGHT_WEB_H
#define MAPWRIGHT_WEB_H

#include <stdbool.h>
#include <stddef.h>

struct web_file {
    const char *name, *media, *bytes;
    size_t length;
};

/* The file after this one; a zeroed one stands before the first. False at the end. */
bool web_next(struct web_file *);

#endif
