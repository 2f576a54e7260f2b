/* web.h: files carried inside the program: the page for browsers, and the tiles that maps for Tiled
   name. */
#ifndef MAPWRIGHT_WEB_H
#define MAPWRIGHT_WEB_H

#include <stdbool.h>
#include <stddef.h>

struct web_file {
    const char *path, *media, *bytes; /* path: where it is served */
    size_t length;
};

/* The file after this one; a zeroed one stands before the first. False at the end. */
bool web_next(struct web_file *);

#endif
