/* A clock for tests of parties in threads, which does not depend on the speed of the machine: it
 * stands still while any thread works, and jumps to the next time for which one waits when all of
 * them wait. So no deadline passes because the machine is busy, and none takes any time.
 *
 * A test has it that says "wrap: still_clock", or stands in a place that tests/CMakeLists.txt
 * names. All that the library and the test ask of the system's clocks, condition variables, threads
 * and sleeps then comes here.
 * What waits elsewhere (for a socket, another process, a file) counts as work: tests over TLS
 * cannot use it. If all wait without a limit, the program ends with a message. */
#ifndef SUPPORT_STILL_CLOCK_H
#define SUPPORT_STILL_CLOCK_H

/* Seconds on this clock; works in every program that has it. */
double still_clock_seconds(void);

#endif
