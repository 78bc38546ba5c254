#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "table/memory_budget.h"

static char root[] = "/tmp/kith-room-XXXXXX";

static void put(const char *path, const char *text)
{
    char command[600];
    snprintf(command, sizeof command, "mkdir -p \"$(dirname '%s%s')\"", root, path);
    assert_int_equal(system(command), 0);
    snprintf(command, sizeof command, "%s%s", root, path);
    FILE *file = fopen(command, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static int set_up(void **state)
{
    (void)state;
    strcpy(root, "/tmp/kith-room-XXXXXX");
    return mkdtemp(root) == NULL;
}

static int tear_down(void **state)
{
    (void)state;
    char command[100];
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    return system(command);
}

static void test_unknown(void **state)
{
    (void)state;
    assert_true(memory_budget_available(root, 0) == UINT64_MAX);
}

static void test_machine(void **state)
{
    (void)state;
    put("/proc/meminfo", "MemTotal:       1000 kB\nMemFree: 5 kB\nMemAvailable:     600 kB\n");
    assert_int_equal(memory_budget_available(root, 0), 600 * 1024);
    assert_int_equal(memory_budget_available(root, 100 * 1024), 500 * 1024);
    assert_int_equal(memory_budget_available(root, 601 * 1024), 0);
}

static void test_group(void **state)
{
    (void)state;
    put("/proc/meminfo", "MemAvailable:     6000 kB\n");
    put("/proc/self/cgroup", "0::/a/b\n");
    put("/sys/fs/cgroup/a/b/memory.max", "max\n");
    put("/sys/fs/cgroup/a/b/memory.current", "7\n");
    assert_int_equal(memory_budget_available(root, 0), 6000 * 1024);
    /* An ancestor has a limit; cached files do not count. */
    put("/sys/fs/cgroup/a/memory.max", "100000\n");
    put("/sys/fs/cgroup/a/memory.current", "70000\n");
    assert_int_equal(memory_budget_available(root, 0), 30000);
    put("/sys/fs/cgroup/a/memory.stat", "anon 5\nactive_file 1000\ninactive_file 2000\n");
    assert_int_equal(memory_budget_available(root, 0), 33000);
    put("/sys/fs/cgroup/a/b/memory.max", "5\n");
    assert_int_equal(memory_budget_available(root, 0), 0);
}

static void test_old_group(void **state)
{
    (void)state;
    put("/proc/meminfo", "MemAvailable:     6000 kB\n");
    put("/proc/self/cgroup", "5:cpu:/\n4:memory:/box\n");
    put("/sys/fs/cgroup/memory/box/memory.limit_in_bytes", "5000\n");
    put("/sys/fs/cgroup/memory/box/memory.usage_in_bytes", "4000\n");
    assert_int_equal(memory_budget_available(root, 0), 1000);
}

static void test_here(void **state)
{
    (void)state;
    uint64_t bytes = memory_budget_available("", 0);
    assert_true(bytes > 0);
    uint32_t n_rows = 17;
    memory_budget r;
    kith_error error = {0};
    memory_budget_init(&r, "x.csv", &n_rows);
    assert_int_equal(memory_budget_take(&r, 5 << 20, &error), KITH_OK);
    assert_int_equal(r.granted, 5 << 20);
    memory_budget_give_back(&r, 5 << 20);
    assert_int_equal(r.granted, 0);
    if (bytes == UINT64_MAX)
        skip();
    assert_int_equal(memory_budget_take(&r, bytes * 2, &error), KITH_NOMEM);
    assert_non_null(strstr(error.message, "x.csv does not fit into memory: after 17 rows "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_unknown, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_machine, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_group, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_old_group, set_up, tear_down),
        cmocka_unit_test(test_here),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
