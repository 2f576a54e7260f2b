/* channel.c: a connection to a server, by TCP or by TLS over TCP. */
#include "channel.h"

#include "srv/base/clock.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool channel_fail(char why[CHANNEL_WHY], const char *reason)
{
    snprintf(why, CHANNEL_WHY, "%s", reason);
    return false;
}

bool channel_await(const struct channel *channel, short events, int64_t until,
                   char why[CHANNEL_WHY])
{
    struct pollfd ready = {.fd = channel->fd, .events = events};
    int64_t left = until - clock_now();
    int n = poll(&ready, 1, left > 0 ? (int)((left + 999) / 1000) : 0);
    if (n == 0)
        return channel_fail(why, "it does not answer in time");
    return n > 0 || errno == EINTR || channel_fail(why, strerror(errno));
}

/* ---- TCP ------------------------------------------------------------------------------------- */

static bool connect_to(struct channel *channel, const struct addrinfo *address, int64_t until,
                       char why[CHANNEL_WHY])
{
    int one = 1, reason = 0;
    socklen_t length = sizeof reason;
    channel->fd = socket(address->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (channel->fd < 0)
        return channel_fail(why, strerror(errno));
    setsockopt(channel->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (!connect(channel->fd, address->ai_addr, address->ai_addrlen))
        return true;
    if (errno != EINPROGRESS)
        return channel_fail(why, strerror(errno));
    if (!channel_await(channel, POLLOUT, until, why))
        return false;
    if (getsockopt(channel->fd, SOL_SOCKET, SO_ERROR, &reason, &length) || reason)
        return channel_fail(why, strerror(reason));
    return true;
}

/* ---- TLS ------------------------------------------------------------------------------------- */

bool channel_trust_init(channel_trust *trust, const char *file)
{
    if (gnutls_certificate_allocate_credentials(trust))
        return false;
    if (!file)
        gnutls_certificate_set_x509_system_trust(*trust);
    if (!file || gnutls_certificate_set_x509_trust_file(*trust, file, GNUTLS_X509_FMT_PEM) > 0)
        return true;
    channel_trust_release(*trust);
    *trust = NULL;
    return false;
}

void channel_trust_release(channel_trust trust)
{
    if (trust)
        gnutls_certificate_free_credentials(trust);
}

/* The reason names what is wrong with the certificate, if that failed. */
static bool fail_tls(const struct channel *channel, int error, char why[CHANNEL_WHY])
{
    gnutls_datum_t text = {0};
    if (error != GNUTLS_E_CERTIFICATE_VERIFICATION_ERROR ||
        gnutls_certificate_verification_status_print(
            gnutls_session_get_verify_cert_status(channel->tls), GNUTLS_CRT_X509, &text, 0))
        return channel_fail(why, gnutls_strerror(error));
    channel_fail(why, (const char *)text.data);
    gnutls_free(text.data);
    return false;
}

static bool is_address(const char *host)
{
    unsigned char address[16];
    return inet_pton(AF_INET, host, address) == 1 || inet_pton(AF_INET6, host, address) == 1;
}

static int begin_tls(struct channel *channel, const char *host, channel_trust trust)
{
    int error = gnutls_init(&channel->tls, GNUTLS_CLIENT | GNUTLS_NONBLOCK | GNUTLS_NO_SIGNAL);
    if (error)
        return error;
    gnutls_transport_set_int(channel->tls, channel->fd);
    gnutls_session_set_verify_cert(channel->tls, host, 0);
    if (!is_address(host))
        error = gnutls_server_name_set(channel->tls, GNUTLS_NAME_DNS, host, strlen(host));
    if (!error)
        error = gnutls_set_default_priority(channel->tls);
    return error ? error : gnutls_credentials_set(channel->tls, GNUTLS_CRD_CERTIFICATE, trust);
}

static bool shake_hands(struct channel *channel, int64_t until, char why[CHANNEL_WHY])
{
    for (int error; (error = gnutls_handshake(channel->tls));) {
        bool writes = gnutls_record_get_direction(channel->tls);
        if (gnutls_error_is_fatal(error))
            return fail_tls(channel, error, why);
        if (!channel_await(channel, writes ? POLLOUT : POLLIN, until, why))
            return false;
    }
    return true;
}

/* ---- both ------------------------------------------------------------------------------------ */

bool channel_open(struct channel *channel, const struct addrinfo *address, const char *host,
                  channel_trust trust, int64_t until, char why[CHANNEL_WHY])
{
    *channel = (struct channel){.fd = -1};
    bool open = connect_to(channel, address, until, why);
    if (open && trust) {
        int error = begin_tls(channel, host, trust);
        open = error ? fail_tls(channel, error, why) : shake_hands(channel, until, why);
    }
    if (!open)
        channel_close(channel);
    return open;
}

void channel_close(struct channel *channel)
{
    if (channel->tls)
        gnutls_deinit(channel->tls);
    if (channel->fd >= 0)
        close(channel->fd);
    *channel = (struct channel){.fd = -1};
}

/* `n` as of send(2), or as of GnuTLS. */
static ssize_t judge(const struct channel *channel, ssize_t n, char why[CHANNEL_WHY])
{
    bool later = channel->tls ? !gnutls_error_is_fatal((int)n) : errno == EAGAIN || errno == EINTR;
    if (n > 0)
        return n;
    if (n == 0)
        channel_fail(why, "it closed the connection");
    else if (later)
        return 0;
    else
        channel_fail(why, channel->tls ? gnutls_strerror((int)n) : strerror(errno));
    return -1;
}

ssize_t channel_send(struct channel *channel, const void *bytes, size_t length,
                     char why[CHANNEL_WHY])
{
    ssize_t n = channel->tls ? gnutls_record_send(channel->tls, bytes, length)
                             : send(channel->fd, bytes, length, MSG_NOSIGNAL);
    return judge(channel, n, why);
}

ssize_t channel_receive(struct channel *channel, void *bytes, size_t room, char why[CHANNEL_WHY])
{
    ssize_t n = channel->tls ? gnutls_record_recv(channel->tls, bytes, room)
                             : read(channel->fd, bytes, room); /* recv is net/intake.c's */
    return judge(channel, n, why);
}
