#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "search/cluster/scan.h"
#include "search/slots/cpu.h"
#include "search/slots/slots_kernels.h"
#include "support/random_problem.h"

static void only_known_names_are_found(void **state)
{
    (void)state;
    assert_int_equal(cpu_find_kernels("portable"), SIMD_PORTABLE);
    assert_int_equal(cpu_find_kernels("abacus"), SIMD_NONE);
    assert_int_equal(cpu_find_kernels(""), SIMD_NONE);
}

static void the_widest_set_includes_the_smaller(void **state)
{
    (void)state;
    if (cpu_find_kernels("avx512") == SIMD_AVX512)
        assert_int_equal(cpu_find_kernels("avx2"), SIMD_AVX2);
#ifndef __x86_64__
    assert_int_equal(cpu_choose_kernels(), SIMD_PORTABLE);
#endif
}

static void the_environment_chooses(void **state)
{
    (void)state;
    unsetenv("KITH_SIMD");
    simd_set best = cpu_choose_kernels();
    assert_int_not_equal(best, SIMD_NONE);
    setenv("KITH_SIMD", "portable", 1);
    assert_int_equal(cpu_choose_kernels(), SIMD_PORTABLE);
    setenv("KITH_SIMD", "abacus", 1);
    assert_int_equal(cpu_choose_kernels(), best);
    unsetenv("KITH_SIMD");
}

static scan_kernel *kernel_of_scan(void)
{
    static const random_shape shape = {
        .n_records = 10, .n_attributes = 2, .max_leaves = 4, .max_levels = 3, .k = 2};
    arena *memory = arena_new();
    scan s;
    assert_int_equal(scan_init(&s, random_problem(&shape, 1, memory), 10, memory, NULL), KITH_OK);
    scan_kernel *kernel = s.kernel;
    arena_free(memory);
    return kernel;
}

static void slots_and_scan_take_the_same_set(void **state)
{
    (void)state;
    static const char *const names[] = {"portable", "avx2", "avx512", "abacus"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        setenv("KITH_SIMD", names[i], 1);
        const char *chosen = slots_kernels_choose()->name;
        if (cpu_find_kernels(names[i]) != SIMD_NONE)
            assert_string_equal(chosen, names[i]);
        assert_ptr_equal(kernel_of_scan(), scan_kernel_find(chosen));
    }
    unsetenv("KITH_SIMD");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_known_names_are_found),
        cmocka_unit_test(the_widest_set_includes_the_smaller),
        cmocka_unit_test(the_environment_chooses),
        cmocka_unit_test(slots_and_scan_take_the_same_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
