#include <string.h>

#include "core/bytes.h"
#include "wire/tls_front.h"

enum { VALUE = 8, DIGEST = 16 };

void knock_message_write(unsigned char bytes[KNOCK_BYTES], const knock_message *m)
{
    memset(bytes, 0, KNOCK_BYTES);
    bytes[0] = m->kind;
    bytes[1] = m->code;
    bytes_put(bytes + VALUE, (uint64_t)m->value, 8);
    memcpy(bytes + DIGEST, m->digest, sizeof m->digest);
}

bool knock_message_read(knock_message *m, const unsigned char bytes[KNOCK_BYTES])
{
    static const unsigned char zeros[VALUE - 2];
    *m = (knock_message){
        .kind = bytes[0], .code = bytes[1], .value = (int64_t)bytes_get(bytes + VALUE, 8)};
    memcpy(m->digest, bytes + DIGEST, sizeof m->digest);
    return memcmp(bytes + 2, zeros, sizeof zeros) == 0 && m->kind != '\0' &&
           strchr("ATGR", m->kind) != NULL;
}
