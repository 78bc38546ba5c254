/* OpenSSL where memory is short: beginning with it, and why it failed. */
#ifndef CORE_SYSTEM_OPENSSL_H
#define CORE_SYSTEM_OPENSSL_H

#include <stdbool.h>

#include <kith/status.h>

/* To be called before anything else of OpenSSL: without its own global state, which it makes when
 * it is first needed, its functions would crash. Empties this thread's queue of errors. */
kith_status openssl_begin(kith_error *error) KITH_MUST_USE;

/* A call failed that depends on this machine only: KITH_NOMEM, or KITH_IO with the message "OpenSSL
 * cannot <what>: <reason>". OpenSSL hides some lacks of memory, and its settings may forbid things.
 * The queue of errors was empty before that call. */
kith_status openssl_error(kith_error *error, const char *what);

/* Is there memory? Empties the queue. For calls whose input may be wrong: OpenSSL says of some
 * damaged certificates that memory is lacking. */
bool openssl_memory_left(void);

/* Does the first or the last error of the queue, which stays, say that it was OpenSSL itself that
 * failed and not the peer? Then a lack of memory is most likely, and openssl_error says what it
 * was. */
bool openssl_failed_itself(void);

#endif
