/* fault.c: the table of faults, and which fault a run ended in. */
#include "fault.h"
#include "lib/gen.h"

const struct fault_row fault_rows[FAULT_END] = {
#define FAULT(name, status, slug, title, lasts, meaning) \
    [FAULT_##name] = {status, LASTS_##lasts, slug, title, MW_PROSE(meaning)},
    FAULTS(FAULT)
#undef FAULT
};

static enum fault fault_of_one(enum mw_fault fault)
{
    switch (fault) {
    case MW_OK:
    case MW_BAD_PARAM: return FAULT_INVALID_PARAMETER;
    case MW_OTHER_VERSION: return FAULT_OTHER_VERSION;
    case MW_NO_RESULT: return FAULT_NO_RESULT;
    case MW_TOO_HARD: return FAULT_TOO_HARD;
    case MW_TOO_BIG: return FAULT_TOO_BIG;
    case MW_STOPPED: return FAULT_LATE;
    }
    return FAULT_UNAVAILABLE;
}

/* Another version explains all other problems; else the lowest status counts. */
enum fault fault_of(const struct mw_problems *problems)
{
    enum fault worst = FAULT_NONE;
    for (size_t i = 0; i < problems->count; i++) {
        enum fault fault = fault_of_one(problems->list[i].fault);
        if (fault == FAULT_OTHER_VERSION)
            return fault;
        if (!worst || fault_rows[fault].status < fault_rows[worst].status)
            worst = fault;
    }
    return worst ? worst : FAULT_UNAVAILABLE;
}
