/* Keys and ports of the processes of a simulation. */
#include <kith/joint.h>
#include <kith/kith.h>
#include <kith/pkg.h>
#include <netinet/in.h>
#include <sodium.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/error.h"
#include "job/rehearse/simulate.h"
#include "wire/party.h"

/* Each party gets its key as a file; the pin goes into the study. */
kith_status simulate_keys_make(simulation *s, kith_error *error)
{
    for (uint32_t i = 0; i < s->n_parties; i++) {
        kith_document *d = NULL;
        const kith_identity_options options =
            KITH_OPTIONS(kith_identity_options, .name = s->parties[i].name, .n_days = 2);
        TRY(kith_identity_create(s->endpoints[i].key, &options, error));
        TRY(kith_identity_describe(&d, s->endpoints[i].key, error));
        s->parties[i].pin = arena_strdup(s->context.memory, kith_document_text(d, "key", ""));
        kith_document_free(d);
        TRY_ALLOC(s->parties[i].pin, error);
    }
    return KITH_OK;
}

kith_status simulate_keys_generator(simulation *s, kith_error *error)
{
    arena *memory = s->context.memory;
    const char *private = s->files.private_directory, *period = s->site_study->pkg_period;
    if (s->site_study->pkg == NULL)
        return KITH_OK;
    const char *directory = TRY_ALLOC(arena_printf(memory, "%s/generator", private), error);
    TRY(kith_pkg_init(directory, NULL, error));
    s->generator = TRY_ALLOC(arena_printf(memory, "%s/parameters.pkg", directory), error);
    for (uint32_t i = 0; i < s->n_parties; i++) {
        const kith_pkg_issue_options options =
            KITH_OPTIONS(kith_pkg_issue_options, .name = s->parties[i].name, .period = period);
        s->endpoints[i].id_key =
            TRY_ALLOC(arena_printf(memory, "%s/%s.id.key", private, s->names[i]), error);
        TRY(kith_pkg_issue(s->endpoints[i].id_key, directory, &options, error));
    }
    return KITH_OK;
}

/* A socket bound to the port, or -1 if a party could not listen there. It stays open until all
 * ports are chosen, so that no two parties get the same one. */
static int hold_port(uint16_t port)
{
    int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in at = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (descriptor < 0)
        return -1;
    /* Without SO_REUSEADDR, which would let two sockets of this process have the same port. */
    if (bind(descriptor, (const struct sockaddr *)&at, sizeof at) == 0)
        return descriptor;
    close(descriptor);
    return -1;
}

/* Chooses a port below the range from which the system takes the ports of outgoing connections;
 * otherwise a connection of one party could occupy the port of another. */
static int find_port(uint16_t *port)
{
    enum { FIRST = 15000, COUNT = 17000, ATTEMPTS = 1000 };
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        *port = (uint16_t)(FIRST + randombytes_uniform(COUNT));
        int descriptor = hold_port(*port);
        if (descriptor >= 0)
            return descriptor;
    }
    return -1;
}

/* All ports are held until the last one is found, then released for the parties to listen on. */
kith_status simulate_keys_ports(simulation *s, kith_error *error)
{
    int held[PARTY_MAX];
    uint32_t count = 0;
    kith_status status = KITH_OK;
    for (; count < s->n_parties && status == KITH_OK; count++) {
        uint16_t port = 0;
        held[count] = find_port(&port);
        s->parties[count].address = arena_printf(s->context.memory, "127.0.0.1:%u", (unsigned)port);
        if (held[count] < 0)
            status = error_set(error, KITH_IO, "no free port of this machine could be found");
        else if (s->parties[count].address == NULL)
            status = error_nomem(error);
    }
    while (count-- > 0)
        if (held[count] >= 0)
            close(held[count]);
    return status;
}
