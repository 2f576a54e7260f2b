/*
 * address.c: params to the text of an address, and the text of an address to arguments.
 *
 * One spelling for each value, so that one map has one address: integers and thousandths in their
 * shortest form, all bytes but the unreserved ones (RFC 3986) and the separators of lists escaped.
 */
#include "number.h"
#include "run.h"

/* The text must be how the number itself is written, so that it comes back as it was. */
bool mw_read_seed(const char *seed, int64_t *number)
{
    char digits[MW_DIGITS + 1];
    if (!mw_read_integer(span_of(seed), 0, MW_SEED_MOST, number))
        return false;
    *mw_write_int(digits, *number) = '\0';
    return !strcmp(digits, seed);
}

void mw_put_seed(struct mw_run *run, const struct mw_spelling *s, const char *seed)
{
    int64_t number;
    if (mw_read_seed(seed, &number))
        s->put_int(run, number);
    else
        s->put_text(run, seed, strlen(seed));
}

/* A param that was left out and follows from a map below, which is not made yet, is not written. */
static bool is_written(const struct mw_request *request, int i)
{
    const struct mw_field *field = &request->generator->fields[i];
    bool known = true, given = request->given >> i & 1;
    for (const struct mw_base *g = request->bases; g; g = g->next)
        known = known && !(field->follows >> g->field->type & 1);
    return mw_base_of(request, field) ||
           ((known || given) && mw_field_present(field, request->params));
}

void mw_write_address(struct mw_run *run, struct mw_request *request)
{
    const struct mw_generator *generator = request->generator;
    assert(request->params && generator->seedless == !request->seed);
    request->address = run->bottom;
    mw_put_char(run, '/');
    mw_put(run, generator->name);
    mw_put(run, "?v=");
    mw_put_int(run, generator->version);
    for (int i = 0; generator->fields[i].type != MW_END_OF_TABLE; i++) {
        const struct mw_field *f = &generator->fields[i];
        const struct mw_base *base = mw_base_of(request, f);
        if (!is_written(request, i))
            continue;
        mw_put_char(run, '&');
        mw_put(run, f->name);
        mw_put_char(run, '=');
        if (base) /* an address within it: what RFC 3986 allows in a query is not escaped */
            mw_put_url(run, base->address, base->address_length, "/?=,;:@");
        else
            mw_put_field(run, &mw_as_url, f, request);
    }
    if (request->seed) {
        mw_put(run, "&seed=");
        mw_put_url(run, request->seed, strlen(request->seed), "");
    }
    request->address_length = (size_t)(run->bottom - request->address);
    mw_put_char(run, '\0');
    assert(strlen(request->address) == request->address_length);
}

/* ---- reading a query ------------------------------------------------------------------------- */

struct query {
    struct span text;
    struct mw_arg *args;
    size_t count;
};

/* Decodes a piece into memory of the run. */
static struct span decode(struct mw_run *run, struct span piece)
{
    char *start = MW_NEW(run, char, piece.length + 1), *to = start;
    for (size_t i = 0; i < piece.length; i++) {
        char c = piece.at[i];
        if (c != '%') {
            *to++ = c == '+' ? ' ' : c;
            continue;
        }
        int byte = mw_read_escape(piece.at + i, piece.at + piece.length);
        if (byte < 0)
            mw_fail(run, MW_BAD_PARAM, "",
                    "the query has a '%%' without two hexadecimal digits: '%%25' is one");
        *to++ = (char)byte;
        i += 2;
    }
    assert((size_t)(to - start) <= piece.length);
    return (struct span){start, (size_t)(to - start)};
}

static struct mw_arg read_pair(struct mw_run *run, struct span piece)
{
    struct span value = piece, name;
    span_cut(&value, '=', &name);
    name = decode(run, name);
    value = value.at ? decode(run, value) : (struct span){"", 0};
    return (struct mw_arg){name.at, name.length, MW_RAW, value.at, value.length};
}

static void read_query(struct mw_run *run, void *context)
{
    struct query *query = context;
    struct span rest = query->text, piece;
    query->args = MW_NEW(run, struct mw_arg, span_count(rest, '&'));
    while (span_cut(&rest, '&', &piece))
        if (piece.length)
            query->args[query->count++] = read_pair(run, piece);
}

bool mw_read_query(struct mw_run *run, const char *text, size_t length, const struct mw_arg **args,
                   size_t *count)
{
    struct query query = {.text = {text, length}};
    bool good = mw_guarded(run, read_query, &query);
    *args = query.args;
    *count = query.count;
    return good;
}
