/* Inputs of scripted_peer.h for libFuzzer: lists of mutations. Header only. */
#ifndef SUPPORT_FUZZ_PEER_H
#define SUPPORT_FUZZ_PEER_H

#include "support/scripted_peer.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

enum { FUZZ_PEER_HEAD = 2, FUZZ_PEER_ORDER = 6, FUZZ_PEER_ORDERS = 64 };

/* Writes a mutation of a frame: its bytes, and a few that some kinds read. */
static inline size_t fuzz_peer_order(uint8_t *to, unsigned *seed)
{
    const size_t more = (size_t)(rand_r(seed) % 3 == 0 ? rand_r(seed) % 24 : 0);
    for (size_t i = 0; i < FUZZ_PEER_ORDER + more; i++)
        to[i] = (uint8_t)(rand_r(seed) >> 4);
    if (rand_r(seed) % 2 == 0)
        to[4] = 0; /* near the beginning of the frame, where counts stand */
    if (more > 0)
        to[5] = (uint8_t)more;
    return FUZZ_PEER_ORDER + more;
}

/* Adds a mutation in most cases: bytes alone would mostly change the choice of the scene. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    uint8_t added[FUZZ_PEER_ORDER + 24];
    const unsigned choice = (unsigned)rand_r(&seed) % 8;
    if (size < FUZZ_PEER_HEAD || choice < 2)
        return LLVMFuzzerMutate(data, size, max_size);
    if (choice == 2) { /* another party */
        data[rand_r(&seed) % FUZZ_PEER_HEAD] = (uint8_t)('0' + rand_r(&seed) % 10);
        return size;
    }
    if (choice == 3 || size > FUZZ_PEER_HEAD + FUZZ_PEER_ORDERS * sizeof added)
        size = FUZZ_PEER_HEAD; /* nothing but the new one */
    const size_t length = fuzz_peer_order(added, &seed);
    if (size + length > max_size)
        return LLVMFuzzerMutate(data, size, max_size);
    if (choice < 6) { /* at the end, or at the beginning */
        memcpy(data + size, added, length);
    } else {
        memmove(data + FUZZ_PEER_HEAD + length, data + FUZZ_PEER_HEAD, size - FUZZ_PEER_HEAD);
        memcpy(data + FUZZ_PEER_HEAD, added, length);
    }
    return size + length;
}

/* A target of joint runs. */
static inline int fuzz_peer(const uint8_t *data, size_t size, const char *prefix)
{
    static scripted_peer_scene scenes[SCRIPTED_PEER_SCENES];
    static joint_scene joint[SCRIPTED_PEER_SCENES];
    static size_t count;
    if (count == 0)
        count = scripted_peer_open(scenes, joint, prefix);
    scripted_peer_play(scenes, count, data, size);
    return 0;
}

#endif
