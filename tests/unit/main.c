/* The one program of a room's unit tests: `unit_<room> <test> [argument…]` runs that test's main;
 * with other arguments, but of an unknown test, it is AGAIN's main, since some tests start
 * themselves as a helper of the product; alone it lists the tests. mains.inc is made by
 * moowatch_units (ci/build.cmake). */
#include <stdio.h>
#include <string.h>

#define UNIT(entry, name) int entry(int argc, char **argv);
#include "mains.inc"
#undef UNIT

static const struct {
    const char *name;
    int (*entry)(int argc, char **argv);
} units[] = {
#define UNIT(entry, name) {name, entry},
#include "mains.inc"
};

int main(int argc, char **argv) {
    int (*again)(int argc, char **argv) = AGAIN;
    const size_t count = sizeof units / sizeof units[0];
    for (size_t i = 0; argc > 1 && i < count; i++)
        if (strcmp(argv[1], units[i].name) == 0) {
            argv[1] = argv[0];
            return units[i].entry(argc - 1, argv + 1);
        }
    if (argc > 1 && again && !strstr(argv[1], "/test_"))
        return again(argc, argv);
    for (size_t i = 0; i < count; i++)
        (void)puts(units[i].name);
    return argc > 1 ? 2 : 0;
}
