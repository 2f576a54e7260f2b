/* fault.c: the table of faults. */
#include "fault.h"

const struct fault_row fault_rows[FAULT_END] = {
#define FAULT(name, status, slug, title, lasts, meaning) \
    [FAULT_##name] = {status, LASTS_##lasts, slug, title, meaning},
    FAULTS(FAULT)
#undef FAULT
};
