/* fence.c: a filter of system calls (seccomp(2)). */
#include "worker.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Sanitizers map memory and look into files at any time. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define ARCHITECTURE 0
#elif defined __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#define ARCHITECTURE 0
#endif

/* clang-format off */
#define LOAD(member) \
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offsetof(struct seccomp_data, member))
#define IF_NOT(value, skipped) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)(value), 0, skipped)
#define LEAVE BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define KILL BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)
#define ALLOW(call) IF_NOT(SYS_##call, 1), LEAVE
/* By the first argument, too: descriptors and processes are numbers of 32 bits. */
#define ALLOW_ON(call, first) IF_NOT(SYS_##call, 4), LOAD(args), IF_NOT(first, 1), LEAVE, LOAD(nr)
/* clang-format on */

bool fence_exists(void)
{
    return ARCHITECTURE && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) && errno == EFAULT;
}

bool fence_close(void)
{
    struct sock_filter code[] = {
        LOAD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
        KILL,
        LOAD(nr),
        ALLOW(futex),   /* waits for its turn, and gives it away */
        ALLOW(madvise), /* gives memory back */
        ALLOW(clock_gettime),
        ALLOW(restart_syscall), /* after SIGSTOP */
        ALLOW(exit_group),
        /* abort(3), so that a failed assertion is seen as one */
        ALLOW_ON(write, STDERR_FILENO),
        ALLOW_ON(writev, STDERR_FILENO),
        ALLOW(rt_sigprocmask),
        ALLOW(getpid),
        ALLOW(gettid),
        ALLOW_ON(tgkill, getpid()),
        KILL,
    };
    return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
           !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER,
                  &(struct sock_fprog){sizeof code / sizeof *code, code});
}
