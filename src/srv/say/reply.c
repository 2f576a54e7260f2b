/* reply.c: what goes back: its beginnings, and refusals, for programs or for people. */
#include "reply.h"

#include "problem.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void reply_header(struct exchange *exchange, const char *name, const char *value)
{
    struct reply *reply = &exchange->reply;
    if (reply->count == REPLY_HEADERS)
        return;
    reply->headers[reply->count].name = name;
    reply->headers[reply->count++].value = value;
}

/* Browser games call from anywhere, and may read all headers. */
void reply_begin(struct exchange *exchange, unsigned status, struct blob *blob)
{
    exchange->reply = (struct reply){.status = status, .blob = blob};
    if (blob)
        reply_header(exchange, "Content-Type", blob->media);
    reply_header(exchange, "Access-Control-Allow-Origin", "*");
    reply_header(exchange, "Access-Control-Expose-Headers", "*");
}

static bool is_text(const struct mw_encoder *encoder)
{
    return encoder && !strncmp(encoder->media, "text/plain", 10);
}

/* The argument `format`, as far as arguments were read and it can name one; "" otherwise. */
static void find_format(const struct exchange *exchange, char format[16])
{
    *format = '\0';
    for (size_t i = 0; i < exchange->args.count; i++) {
        const struct mw_arg *arg = &exchange->args.list[i];
        if (arg->name_length == 6 && !memcmp(arg->name, "format", 6) && arg->length < 16)
            snprintf(format, 16, "%.*s", (int)arg->length, arg->text);
    }
}

/* Whether a map would be text: who asked for that reads problems with his own eyes. */
static bool wants_text(const struct exchange *exchange)
{
    char format[16];
    if (exchange->key.encoder)
        return is_text(exchange->key.encoder);
    find_format(exchange, format);
    const char *name = *format || !exchange->suffix ? format : exchange->suffix;
    const struct mw_encoder *encoder = mw_encoder_named(name);
    return encoder ? is_text(encoder) : accept_prefers_text(exchange->headers[HEADER_ACCEPT]);
}

static void begin_problem(struct exchange *exchange, enum fault fault, const char *detail,
                          const struct mw_problem *list, size_t n)
{
    struct blob *body = wants_text(exchange)
                            ? problem_text(fault, detail, list, n)
                            : problem_body(fault, detail, exchange->request_id, list, n);
    reply_begin(exchange, fault_rows[fault].status, body);
    reply_header(exchange, "Vary", "Accept");
    reply_header(exchange, "Cache-Control", "no-store");
    if (fault_rows[fault].status == 503)
        reply_header(exchange, "Retry-After", fault == FAULT_DRAINING ? "5" : "1");
}

bool reply_refuse(struct exchange *exchange, enum fault fault, const char *detail)
{
    begin_problem(exchange, fault, detail, NULL, 0);
    return false;
}

bool refuse_for(struct exchange *exchange, enum fault fault, const struct mw_problem *list,
                size_t n)
{
    begin_problem(exchange, fault, NULL, list, n);
    return false;
}

bool refuse_at(struct exchange *exchange, enum fault fault, const char *pointer, const char *format,
               ...)
{
    struct mw_problem problem = {.fault = MW_BAD_PARAM};
    va_list list;
    va_start(list, format);
    snprintf(problem.pointer, sizeof problem.pointer, "%s", pointer);
    vsnprintf(problem.detail, sizeof problem.detail, format, list);
    va_end(list);
    return refuse_for(exchange, fault, &problem, 1);
}

bool refuse_run(struct exchange *exchange)
{
    const struct mw_problems *problems = mw_problems(exchange->run);
    return refuse_for(exchange, fault_of(problems), problems->list, problems->count);
}
