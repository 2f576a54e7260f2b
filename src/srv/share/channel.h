/* channel.h: a connection to a server, by TCP or by TLS over TCP, whose calls never block. */
#ifndef MAPWRIGHT_CHANNEL_H
#define MAPWRIGHT_CHANNEL_H

#include <gnutls/gnutls.h>
#include <netdb.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { CHANNEL_WHY = 128 }; /* bytes of the reason for a failure */

/* The certificate authorities (CAs) that may have signed a server's certificate. */
typedef gnutls_certificate_credentials_t channel_trust;

/* From that file; NULL: those of the system, if it has any. False: there is none in the file. */
bool channel_trust_init(channel_trust *, const char *file);
void channel_trust_release(channel_trust);

struct channel {
    int fd;
    gnutls_session_t tls; /* NULL: plain TCP */
};

/* Connects until `until` (clock_now). `trust`: by TLS, and the server's certificate must be valid
   for `host`; NULL: plainly. False: `why` says why not. */
bool channel_open(struct channel *, const struct addrinfo *, const char *host, channel_trust trust,
                  int64_t until, char why[CHANNEL_WHY]);
void channel_close(struct channel *);

/* Bytes sent or received; 0: none for now; -1: the connection failed, `why` says why. */
ssize_t channel_send(struct channel *, const void *, size_t, char why[CHANNEL_WHY]);
ssize_t channel_receive(struct channel *, void *, size_t, char why[CHANNEL_WHY]);

/* Waits until it is ready for one of these events (poll). False: not until `until`. */
bool channel_await(const struct channel *, short events, int64_t until, char why[CHANNEL_WHY]);

/* Writes the reason and returns false. */
bool channel_fail(char why[CHANNEL_WHY], const char *reason);

#endif
