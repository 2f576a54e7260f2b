/* process.h: the standard metrics of a process, as client libraries of Prometheus name them. */
#ifndef MAPWRIGHT_PROCESS_H
#define MAPWRIGHT_PROCESS_H

/* PROCESS(name, metric, decimals, help): in seconds, bytes or pieces. */
#define PROCESS_VALUES(PROCESS) \
    PROCESS(CPU, "process_cpu_seconds_total", 2, "Time of all cores spent, for user and system") \
    PROCESS(OPEN_FDS, "process_open_fds", 0, "Descriptors open") \
    PROCESS(MAX_FDS, "process_max_fds", 0, "Descriptors that may be open") \
    PROCESS(VIRTUAL, "process_virtual_memory_bytes", 0, "Address space reserved") \
    PROCESS(RESIDENT, "process_resident_memory_bytes", 0, "Memory in use") \
    PROCESS(START, "process_start_time_seconds", 2, "When it began, since 1970")

enum process_value {
#define PROCESS(name, metric, decimals, help) PROCESS_##name,
    PROCESS_VALUES(PROCESS)
#undef PROCESS
        PROCESS_END
};

/* -1: the system does not provide it. */
void process_measure(double values[PROCESS_END]);

#endif
