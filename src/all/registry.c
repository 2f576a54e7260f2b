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
