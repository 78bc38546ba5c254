/* Looking up addresses. The system's function may take many seconds, during which a party would
 * neither accept connections nor heed its user: a name is looked up in a thread of its own. */
#ifndef WIRE_TLS_TLS_LOOKUP_H
#define WIRE_TLS_TLS_LOOKUP_H

#include <netdb.h>
#include <stdbool.h>

typedef struct tls_lookup tls_lookup;

/* Begins to look up "host:port" or "[host]:port". A number needs no thread: it is done at once.
 * NULL if there is no memory or no thread for it. */
tls_lookup *tls_lookup_start(const char *address);
/* True once there is a result or an error. */
bool tls_lookup_is_done(const tls_lookup *l);
/* Of a lookup that is done: what was found, or NULL and a few words that say why not. */
const struct addrinfo *tls_lookup_result(const tls_lookup *l, const char **why);
/* Does not wait: a lookup that is under way ends by itself. NULL is allowed. */
void tls_lookup_free(tls_lookup *l);

#endif
