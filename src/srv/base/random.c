/* random.c: fresh bytes from the kernel. */
#include "hash.h"

#include <errno.h>
#include <sys/random.h>

void random_bytes(void *bytes, size_t length)
{
    for (size_t done = 0; done < length;) {
        ssize_t n = getrandom((char *)bytes + done, length - done, 0);
        if (n > 0)
            done += (size_t)n;
        else if (errno != EINTR)
            return; /* a kernel without getrandom: older than what we can run on */
    }
}
