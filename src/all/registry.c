/* registry.c: the generators and encoders of list.h, to be walked, and found by name. */
#include "registry.h"

#include "lib/run.h"

#define GENERATOR(name) extern const struct mw_generator mw_##name;
#define ENCODER(name) extern const struct mw_encoder mw_##name;
#include "list.h"
#undef GENERATOR
#undef ENCODER

#define ENCODER(name)
#define GENERATOR(name) &mw_##name,
const struct mw_generator *const mw_generators[] = {
#include "list.h"
    NULL};
#undef GENERATOR
#undef ENCODER

#define GENERATOR(name)
#define ENCODER(name) &mw_##name,
const struct mw_encoder *const mw_encoders[] = {
#include "list.h"
    NULL};

const struct mw_generator *mw_find_named(struct span name)
{
    const struct mw_generator *const *g = mw_generators;
    while (*g && !span_is(name, (*g)->name))
        g++;
    return *g;
}

const struct mw_generator *mw_find(const char *name) { return mw_find_named(span_of(name)); }

static void refuse_name(struct mw_run *run, struct span name)
{
    const char *names[sizeof mw_generators / sizeof *mw_generators] = {NULL};
    char word[61] = {0};
    for (size_t i = 0; mw_generators[i]; i++)
        names[i] = mw_generators[i]->name;
    memcpy(word, name.at, name.length < sizeof word ? name.length : sizeof word - 1);
    mw_refuse_word(run, "", name, word, ": is no generator", names);
}

bool mw_read_asked(struct mw_run *run, struct span address, struct asked_map *asked)
{
    bool slash = address.length && *address.at == '/';
    struct span query = {address.at + slash, address.length - slash}, name = {"", 0};
    span_cut(&query, '?', &asked->suffix);
    span_cut(&asked->suffix, '.', &name);
    asked->generator = mw_find_named(name);
    if (!asked->generator)
        refuse_name(run, name);
    return asked->generator &&
           mw_read_query(run, query.at, query.length, &asked->args, &asked->count);
}

const char *mw_suffix(const struct mw_encoder *encoder)
{
    return encoder->suffix ? encoder->suffix : encoder->name;
}

const struct mw_encoder *mw_encoder_named(const char *name)
{
    for (const struct mw_encoder *const *e = mw_encoders; *e; e++)
        if (!strcmp((*e)->name, name) || !strcmp(mw_suffix(*e), name))
            return *e;
    return NULL;
}

static bool draws_under(const struct mw_encoder *encoder, const struct mw_request *request)
{
    return encoder->look_mask & MW_LOOK_BIT(UNDER) && request->look.under;
}

bool mw_fits(const struct mw_encoder *encoder, const struct mw_request *request)
{
    bool fits = encoder->fits(request->generator), over = draws_under(encoder, request);
    for (const struct mw_base *g = request->bases; g && over && !fits; g = g->next)
        fits = g->field->role == MW_LABEL_GRID && encoder->fits(g->request.generator);
    return fits;
}

void mw_write_formats(char text[MW_FORMATS_ROOM], const struct mw_request *request)
{
    enum { MOST = sizeof mw_encoders / sizeof *mw_encoders };
    const char *names[MOST];
    size_t count = 0;
    for (const struct mw_encoder *const *e = mw_encoders; *e; e++)
        if (mw_fits(*e, request))
            names[count++] = (*e)->name;
    assert(count > 0 && count < MOST);
    names[count] = NULL;
    mw_list_names(text, MW_FORMATS_ROOM, names);
}
