/* system.c: what a command needs of Windows; src/cli/system.c has the same for Linux. */
#include "cli/cli.h"

#include <fcntl.h>
#include <io.h>
#include <windows.h>

/* From advapi32, under the name that it has there: RtlGenRandom. */
BOOLEAN NTAPI SystemFunction036(void *to, ULONG length);

/* Maps are bytes: a line ends as it is written. */
__attribute__((constructor)) static void use_binary_streams(void)
{
    _setmode(_fileno(stdin), _O_BINARY);
    _setmode(_fileno(stdout), _O_BINARY);
}

/* Windows commits memory as a whole: the block must fit. */
void *take_block(size_t size)
{
    return VirtualAlloc(NULL, size, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}

bool draw_bits(uint64_t *bits) { return SystemFunction036(bits, sizeof *bits); }

int terminal_columns(void)
{
    CONSOLE_SCREEN_BUFFER_INFO info;
    if (!GetConsoleScreenBufferInfo(GetStdHandle(STD_OUTPUT_HANDLE), &info))
        return 0;
    return info.srWindow.Right - info.srWindow.Left + 1;
}

int64_t clock_ms(void) { return (int64_t)GetTickCount64(); }

bool write_file(const char *output, const char *bytes, size_t length)
{
    FILE *file = fopen(output, "wb");
    bool good = file && fwrite(bytes, 1, length, file) == length;
    return file && !fclose(file) && good;
}
