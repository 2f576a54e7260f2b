/* write.c: bytes to where they are wanted, all of them or a complaint. */
#include "cli.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

int write_out(const char *output, const char *bytes, size_t length)
{
    assert(bytes);
    FILE *file = output ? fopen(output, "wb") : stdout;
    if (!file)
        return complain(STATUS_SYSTEM, "cannot write %s: %s", output, strerror(errno));
    bool good = fwrite(bytes, 1, length, file) == length;
    good = !(output ? fclose(file) : fflush(file)) && good;
    if (!good)
        return complain(STATUS_SYSTEM, "cannot write%s%s: %s", output ? " " : "",
                        output ? output : "", strerror(errno));
    return STATUS_DONE;
}

int flush_out(void)
{
    if (ferror(stdout) || fflush(stdout))
        return complain(STATUS_SYSTEM, "cannot write: %s", strerror(errno));
    return STATUS_DONE;
}
