/* store_url.h: the address of the store: redis[s]://[[user]:password@]host[:port][/database] */
#ifndef MAPWRIGHT_STORE_URL_H
#define MAPWRIGHT_STORE_URL_H

#include <stdbool.h>

enum { STORE_TEXT = 256 };

struct store_url {
    char host[STORE_TEXT]; /* "": there is no store */
    char user[STORE_TEXT], password[STORE_TEXT];
    int port, database;
    bool tls; /* rediss: */
};

/* Decodes escapes (%40). False if it is no such URL. */
bool store_url_read(struct store_url *, const char *text);

#endif
