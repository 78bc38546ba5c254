/* A program of several tests: the argument says which one it is to run. */
#include <stdio.h>
#include <string.h>

#define TEST(name, run) int run(void);
#include TEST_LIST
#undef TEST

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(void);
    } tests[] = {
#define TEST(name, run) {name, run},
#include TEST_LIST
#undef TEST
    };
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        if (argc == 2 && strcmp(argv[1], tests[i].name) == 0)
            return tests[i].run();
    }
    fprintf(stderr, "usage: %s TEST, where TEST is one of:\n", argv[0]);
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        fprintf(stderr, "  %s\n", tests[i].name);
    return 2;
}
