/* fault.c: the table of faults. */
#include "fault.h"

const struct fault_row fault_rows[FAULT_END] = {
#define FAULT(name, status, slug, title, lasting, meaning) \
    [FAULT_##name] = {status, lasting, slug, title, meaning},
    FAULTS(FAULT)
#undef FAULT
};
