/* registry.c: the generators and encoders of list.h, to be walked, and found by name. */
#include "lib/gen.h"

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

const struct mw_generator *mw_find(const char *name)
{
    for (const struct mw_generator *const *g = mw_generators; *g; g++)
        if (!strcmp((*g)->name, name))
            return *g;
    return NULL;
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
