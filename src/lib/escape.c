/*
 * escape.c: the way out of whatever a run was doing when it fails: the only setjmp there is.
 *
 * In a file of its own because WebAssembly has no setjmp: there the host of the module, which has
 * exceptions, provides these two.
 */
#include "run.h"

#include <setjmp.h>

bool mw_catch(struct mw_run *run, void (*body)(struct mw_run *, void *), void *context)
{
    jmp_buf here;
    assert(!run->escape); /* one setjmp at a time */
    run->escape = &here;
    if (setjmp(here)) {
        run->escape = NULL;
        return false;
    }
    body(run, context);
    run->escape = NULL;
    return true;
}

void mw_throw(struct mw_run *run)
{
    assert(run->escape); /* nothing fails outside of mw_catch */
    longjmp(*(jmp_buf *)run->escape, 1);
}
