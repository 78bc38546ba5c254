/* Included by the headers that kith.h and joint.h leave out. They serve the program, the console and
 * the packages of other languages, which come with the library; any version may change them. */
#ifndef KITH_UNSTABLE_H
#define KITH_UNSTABLE_H

#ifndef KITH_UNSTABLE_API
#error "this interface of Kith is not stable: define KITH_UNSTABLE_API to use it nevertheless"
#endif

#endif
