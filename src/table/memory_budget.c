#include "table/memory_budget.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/error.h"

/* The kernel is asked once in CHECK_EVERY bytes, since that takes microseconds; KEEP_FREE stays for
 * others. */
enum { CHECK_EVERY = 1 << 20, KEEP_FREE = 16 << 20, PATH_BYTES = 4096 };

/* The number behind `key` in a file of "key number" lines ("" : the first number of the file);
 * UINT64_MAX if there is none, as for "max". */
static uint64_t file_number(const char *root, const char *path, const char *key)
{
    char name[PATH_BYTES + 64];
    snprintf(name, sizeof name, "%s%s", root, path);
    FILE *file = fopen(name, "re");
    if (file == NULL)
        return UINT64_MAX;
    char line[256];
    uint64_t result = UINT64_MAX;
    size_t length = strlen(key);
    while (result == UINT64_MAX && fgets(line, sizeof line, file) != NULL) {
        char *end;
        unsigned long long value;
        if (strncmp(line, key, length) != 0)
            continue;
        value = strtoull(line + length, &end, 10);
        if (end != line + length)
            result = value;
        else if (length == 0)
            break;
    }
    fclose(file);
    return result;
}

static uint64_t subtract_or_zero(uint64_t limit, uint64_t used)
{
    return limit > used ? limit - used : 0;
}

/* What is left below the limit of one group. Cached file pages count as used there, but go as soon
 * as memory is needed. */
static uint64_t group_bytes(const char *root, const char *folder, const char *limit_file,
                            const char *usage_file)
{
    char path[PATH_BYTES + 32];
    snprintf(path, sizeof path, "%s/%s", folder, limit_file);
    uint64_t limit = file_number(root, path, "");
    if (limit == UINT64_MAX)
        return UINT64_MAX;
    snprintf(path, sizeof path, "%s/%s", folder, usage_file);
    uint64_t usage = file_number(root, path, "");
    snprintf(path, sizeof path, "%s/memory.stat", folder);
    uint64_t inactive = file_number(root, path, "inactive_file ");
    uint64_t active = file_number(root, path, "active_file ");
    if (usage == UINT64_MAX)
        return limit;
    usage = inactive == UINT64_MAX ? usage : subtract_or_zero(usage, inactive);
    usage = active == UINT64_MAX ? usage : subtract_or_zero(usage, active);
    return subtract_or_zero(limit, usage);
}

/* A group is bound by its ancestors too: from the group upwards. */
static uint64_t ancestry_bytes(const char *root, const char *mount, const char *group,
                               const char *limit_file, const char *usage_file)
{
    char folder[PATH_BYTES];
    int length = snprintf(folder, sizeof folder, "%s%s", mount, group);
    if (length < 0 || (size_t)length >= sizeof folder)
        return UINT64_MAX;
    uint64_t min = UINT64_MAX;
    size_t mount_length = strlen(mount);
    for (;;) {
        size_t end = strlen(folder);
        while (end > mount_length && folder[end - 1] == '/')
            folder[--end] = '\0';
        uint64_t bytes = group_bytes(root, folder, limit_file, usage_file);
        min = bytes < min ? bytes : min;
        char *slash = strrchr(folder, '/');
        if (end <= mount_length || slash == NULL)
            return min;
        *slash = '\0';
    }
}

/* The lines of /proc/self/cgroup: "0::/path" for version 2, "5:memory:/path" for version 1. */
static uint64_t groups_bytes(const char *root)
{
    char line[PATH_BYTES];
    snprintf(line, sizeof line, "%s/proc/self/cgroup", root);
    FILE *file = fopen(line, "re");
    if (file == NULL)
        return UINT64_MAX;
    uint64_t min = UINT64_MAX;
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        char *controllers = strchr(line, ':');
        char *group = controllers == NULL ? NULL : strchr(controllers + 1, ':');
        if (group == NULL)
            continue;
        *group++ = '\0';
        uint64_t bytes = UINT64_MAX;
        if (controllers[1] == '\0')
            bytes = ancestry_bytes(root, "/sys/fs/cgroup", group, "memory.max", "memory.current");
        else if (strcmp(controllers + 1, "memory") == 0)
            bytes = ancestry_bytes(root, "/sys/fs/cgroup/memory", group, "memory.limit_in_bytes",
                                   "memory.usage_in_bytes");
        min = bytes < min ? bytes : min;
    }
    fclose(file);
    return min;
}

/* The first two numbers of /proc/self/statm: virtual and resident pages. */
static void process_bytes(const char *root, uint64_t *virtual_bytes, uint64_t *resident_bytes)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/proc/self/statm", root);
    *virtual_bytes = *resident_bytes = 0;
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return;
    unsigned long long pages, resident;
    /* NOLINTNEXTLINE(cert-err34-c): the kernel writes numbers that fit */
    if (fscanf(file, "%llu %llu", &pages, &resident) == 2) {
        uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
        *virtual_bytes = pages * page;
        *resident_bytes = resident * page;
    }
    fclose(file);
}

uint64_t memory_budget_available(const char *root, uint64_t promised)
{
    /* MemAvailable counts caches that can be dropped, unlike MemFree. */
    uint64_t kilobytes = file_number(root, "/proc/meminfo", "MemAvailable:");
    uint64_t machine = kilobytes == UINT64_MAX ? UINT64_MAX : kilobytes * 1024;
    uint64_t groups = groups_bytes(root);
    uint64_t physical = subtract_or_zero(groups < machine ? groups : machine, promised);
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return physical;
    uint64_t used, resident; /* the address space counts untouched pages by itself */
    process_bytes(root, &used, &resident);
    const uint64_t address_space = subtract_or_zero(limit.rlim_cur, used);
    return address_space < physical ? address_space : physical;
}

void memory_budget_init(memory_budget *r, const char *source, const uint32_t *rows)
{
    uint64_t used;
    *r = (memory_budget){.source = source, .rows = rows};
    process_bytes("", &used, &r->resident);
}

/* Memory that was granted but not touched yet is not in the kernel's figures. */
static uint64_t left_after_promises(const memory_budget *r)
{
    uint64_t used, resident;
    process_bytes("", &used, &resident);
    uint64_t touched = subtract_or_zero(resident, r->resident);
    uint64_t untouched = subtract_or_zero(r->granted, touched);
    uint64_t min = memory_budget_available("", untouched);
    return subtract_or_zero(min - min / 32, KEEP_FREE); /* others need some, too */
}

kith_status memory_budget_refuse(const memory_budget *r, uint64_t bytes, kith_error *error)
{
    if (r == NULL)
        return error_nomem(error);
    error_set(error, KITH_NOMEM,
              "%s does not fit into memory: after %llu rows %.1f MB more are needed, "
              "%.1f MB are free",
              r->source, (unsigned long long)(r->earlier + *r->rows), (double)bytes / 1e6,
              (double)left_after_promises(r) / 1e6);
    return error_hint(error, KITH_NOMEM,
                      "name only the columns that are needed, or use a machine with more memory");
}

kith_status memory_budget_take(memory_budget *r, uint64_t bytes, kith_error *error)
{
    if (r == NULL)
        return KITH_OK;
    if (bytes > UINT64_MAX - r->granted)
        return memory_budget_refuse(r, bytes, error);
    r->unchecked += bytes;
    if (r->unchecked >= CHECK_EVERY) {
        r->unchecked = 0;
        if (bytes > left_after_promises(r))
            return memory_budget_refuse(r, bytes, error);
    }
    r->granted += bytes;
    return KITH_OK;
}

void memory_budget_give_back(memory_budget *r, uint64_t bytes)
{
    if (r != NULL)
        r->granted = subtract_or_zero(r->granted, bytes);
}
