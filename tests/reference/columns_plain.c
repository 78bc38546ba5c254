/* needs: clustering */
#include "reference/columns_plain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/columns/columns_sequential.h"

/* --- clusters --- */

static int64_t list_cost(const columns_plain *w, const uint32_t *list, uint32_t size)
{
    int64_t cost = 0;
    for (uint32_t j = 0; j < w->p->n_attributes && size > 0; j++) {
        const attribute *a = &w->p->attributes[j];
        uint32_t node = a->cells[list[0]];
        for (uint32_t m = 1; m < size; m++)
            node = tree_lca(a->tree, node, a->cells[list[m]]);
        cost += llrint(a->cost[node] * COLUMNS_UNIT);
    }
    return cost * size;
}

static int64_t total(const columns_plain *w, uint32_t cluster)
{
    return list_cost(w, w->member[cluster], w->size[cluster]);
}

static int64_t with(const columns_plain *w, uint32_t cluster, const uint32_t *more, uint32_t count)
{
    uint32_t list[2 * COLUMNS_PLAIN_RECORDS];
    memcpy(list, w->member[cluster], w->size[cluster] * sizeof *list);
    memcpy(list + w->size[cluster], more, count * sizeof *list);
    return list_cost(w, list, w->size[cluster] + count);
}

static int64_t without(const columns_plain *w, uint32_t record)
{
    uint32_t list[COLUMNS_PLAIN_RECORDS], count = 0, own = w->of[record];
    for (uint32_t m = 0; m < w->size[own]; m++)
        if (w->member[own][m] != record)
            list[count++] = w->member[own][m];
    return list_cost(w, list, count);
}

static int64_t move_price(const columns_plain *w, uint32_t record, uint32_t to)
{
    uint32_t own = w->of[record];
    return with(w, to, &record, 1) + without(w, record) - total(w, to) - total(w, own);
}

static int64_t union_price(const columns_plain *w, uint32_t a, uint32_t b)
{
    return with(w, a, w->member[b], w->size[b]) - total(w, a) - total(w, b);
}

static uint32_t add(columns_plain *w)
{
    return w->n_free > 0 ? w->freed[--w->n_free] : w->used++;
}

static void put(columns_plain *w, uint32_t record, uint32_t to)
{
    w->member[to][w->size[to]++] = record;
    w->of[record] = to;
}

static void drop(columns_plain *w, uint32_t cluster)
{
    w->size[cluster] = 0;
    w->freed[w->n_free++] = cluster;
}

static void move(columns_plain *w, uint32_t record, uint32_t to)
{
    uint32_t own = w->of[record], last = --w->size[own];
    for (uint32_t m = 0; m < last; m++)
        if (w->member[own][m] == record)
            w->member[own][m] = w->member[own][last];
    if (last == 0)
        drop(w, own);
    put(w, record, to);
}

static void unite(columns_plain *w, uint32_t into, uint32_t from)
{
    for (uint32_t m = 0; m < w->size[from]; m++)
        put(w, w->member[from][m], into);
    drop(w, from);
}

uint32_t columns_plain_clusters(const columns_plain *w)
{
    return w->used - w->n_free;
}

/* --- models --- */

static bool holds(const columns_plain *w, const uint32_t *list, uint32_t size)
{
    for (uint32_t i = 0; i < size && w->diverse; i++) {
        uint32_t same = 0;
        for (uint32_t o = 0; o < size; o++)
            same += w->p->sensitive[0].values[list[o]] == w->p->sensitive[0].values[list[i]];
        if ((double)size / same < w->p->models[1].l)
            return false;
    }
    return true;
}

static bool may_move(const columns_plain *w, uint32_t record, uint32_t to)
{
    uint32_t list[COLUMNS_PLAIN_RECORDS];
    memcpy(list, w->member[to], w->size[to] * sizeof *list);
    list[w->size[to]] = record;
    return holds(w, list, w->size[to] + 1);
}

static bool may_leave(const columns_plain *w, uint32_t record)
{
    uint32_t list[COLUMNS_PLAIN_RECORDS], count = 0, own = w->of[record];
    for (uint32_t m = 0; m < w->size[own]; m++)
        if (w->member[own][m] != record)
            list[count++] = w->member[own][m];
    return holds(w, list, count);
}

static bool parts_hold(const columns_plain *w, const uint32_t *member, const uint32_t *parts,
                       uint32_t size, uint32_t n_parts)
{
    for (uint32_t i = 0; i < n_parts; i++) {
        uint32_t list[COLUMNS_PLAIN_RECORDS], count = 0;
        for (uint32_t m = 0; m < size; m++)
            if (parts[m] == i)
                list[count++] = member[m];
        if (!holds(w, list, count))
            return false;
    }
    return true;
}

/* --- the steps --- */

static void first(columns_plain *w)
{
    uint32_t n = w->p->n_records, n_parts = n / (w->aim / 2), member[COLUMNS_PLAIN_RECORDS],
             parts[COLUMNS_PLAIN_RECORDS], id[COLUMNS_PLAIN_RECORDS];
    for (uint32_t i = 0; i < n; i++)
        member[i] = i;
    for (uint32_t attempt = 1;; attempt++) {
        random_split_assign(&w->split, parts, member, n, n_parts, &w->r);
        if (parts_hold(w, member, parts, n, n_parts))
            break;
        n_parts -= attempt % 8 == 0 ? n_parts / 8 + 1 : 0;
    }
    for (uint32_t i = 0; i < n_parts; i++)
        id[i] = add(w);
    for (uint32_t record = 0; record < n; record++)
        for (uint32_t m = 0; m < n; m++)
            if (member[m] == record)
                put(w, record, id[parts[m]]);
    for (uint32_t i = 0; i < n_parts; i++)
        if (w->size[id[i]] == 0)
            drop(w, id[i]);
}

/* What becomes of one record, given its prices before the block. */
static bool visit(columns_plain *w, uint32_t record, const int64_t *price)
{
    uint32_t own = w->of[record], best = UINT32_MAX;
    bool alone = w->size[own] == 1, wants = false, blocked = false;
    for (uint32_t r = 0; r < w->used; r++)
        wants |= r != own && price[r] != INT64_MAX && (alone || price[r] < 0);
    if (!wants)
        return true;
    if (!may_leave(w, record))
        return true;
    if (w->touched[own])
        return false;
    for (uint32_t r = 0; r < w->used; r++) {
        if (r == own || price[r] == INT64_MAX || !(alone || price[r] < 0))
            continue;
        if (!may_move(w, record, r) || (w->diverse && w->size[r] == 0))
            continue;
        blocked |= w->touched[r];
        if (w->touched[r])
            continue;
        w->n_ties += best != UINT32_MAX && price[r] == price[best];
        if (best == UINT32_MAX || price[r] < price[best])
            best = r;
    }
    if (best == UINT32_MAX)
        return !blocked;
    w->touched[own] = w->touched[best] = true;
    w->n_moves++;
    move(w, record, best);
    return true;
}

static void pass(columns_plain *w, uint32_t keep)
{
    static int64_t price[COLUMNS_PLAIN_RECORDS][COLUMNS_PLAIN_RECORDS];
    uint32_t off[COLUMNS_PLAIN_RECORDS], off_count = 0, next = 0, n = w->p->n_records;
    w->n_moves = 0;
    while (off_count > 0 || next < n) {
        uint32_t record[COLUMNS_PLAIN_RECORDS], count = 0, left = 0;
        for (uint32_t i = 0; i < off_count; i++) {
            if (count == w->block)
                off[left++] = off[i];
            else if (w->size[w->of[off[i]]] > keep)
                record[count++] = off[i];
        }
        for (; next < n && count < w->block; next++)
            if (w->size[w->of[next]] > keep)
                record[count++] = next;
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t r = 0; r < w->used; r++)
                price[i][r] = w->size[r] == 0         ? INT64_MAX
                              : r == w->of[record[i]] ? 0
                                                      : move_price(w, record[i], r);
        memset(w->touched, 0, sizeof w->touched);
        uint32_t later[COLUMNS_PLAIN_RECORDS], later_count = 0;
        for (uint32_t i = 0; i < count && columns_plain_clusters(w) > 1; i++)
            if (!visit(w, record[i], price[i]))
                later[later_count++] = record[i];
        w->put_off += later_count;
        w->n_visits += count - later_count;
        if (w->adapts && count == w->block)
            w->block = later_count * 10 < count ? w->block < 4096 ? w->block * 2 : w->block
                       : later_count * 10 > count * 3 && w->block > 16 ? w->block / 2
                                                                       : w->block;
        memcpy(later + later_count, off, left * sizeof *later);
        off_count = later_count + left;
        memcpy(off, later, off_count * sizeof *off);
    }
}

static void split(columns_plain *w)
{
    uint32_t large[COLUMNS_PLAIN_RECORDS], count = 0;
    static uint32_t members[COLUMNS_PLAIN_RECORDS][COLUMNS_PLAIN_RECORDS],
        parts[COLUMNS_PLAIN_RECORDS][COLUMNS_PLAIN_RECORDS];
    bool good[COLUMNS_PLAIN_RECORDS];
    for (uint32_t c = 0; c < w->used; c++) {
        uint32_t size = w->size[c];
        if (size <= 1.5 * w->aim)
            continue;
        good[count] = false;
        for (int attempt = 0; attempt < 8 && !good[count]; attempt++) {
            memcpy(members[count], w->member[c], size * sizeof(uint32_t));
            random_split_assign(&w->split, parts[count], members[count], size, 2, &w->r);
            good[count] = parts_hold(w, members[count], parts[count], size, 2);
        }
        large[count++] = c;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t list[COLUMNS_PLAIN_RECORDS], size = w->size[large[i]], second = 0, id[2];
        memcpy(list, w->member[large[i]], size * sizeof *list);
        for (uint32_t m = 0; m < size; m++)
            second += parts[i][m] == 1;
        if (!good[i] || second == 0 || second == size)
            continue;
        w->n_splits++;
        drop(w, large[i]);
        id[0] = add(w);
        id[1] = add(w);
        for (uint32_t m = 0; m < size; m++)
            for (uint32_t o = 0; o < size; o++)
                if (members[i][o] == list[m])
                    put(w, list[m], id[parts[i][o]]);
    }
}

static int64_t cost_of_all(const columns_plain *w)
{
    int64_t sum = 0;
    for (uint32_t c = 0; c < w->used; c++)
        sum += total(w, c);
    return sum;
}

static void improve(columns_plain *w)
{
    int64_t before = cost_of_all(w), now;
    do {
        pass(w, 0);
        split(w);
        w->n_passes++;
        now = cost_of_all(w);
        if (w->n_passes >= 5 && (double)(before - now) < 1e-5 * (double)before)
            return;
        before = now;
    } while (w->n_moves > 0 && w->n_passes < 200);
}

static void merge(columns_plain *w)
{
    for (;;) {
        uint32_t a = UINT32_MAX, b = 0, last = UINT32_MAX;
        int64_t best = INT64_MAX;
        for (uint32_t x = 0; x < w->used; x++) {
            if (w->size[x] == 0 || w->size[x] >= w->k)
                continue;
            last = x;
            for (uint32_t y = x + 1; y < w->used; y++) {
                if (w->size[y] == 0 || w->size[y] >= w->k || union_price(w, x, y) >= best)
                    continue;
                best = union_price(w, x, y);
                a = x;
                b = y;
            }
        }
        if (last == UINT32_MAX)
            return;
        w->united++;
        if (a != UINT32_MAX) {
            unite(w, a, b);
            continue;
        }
        for (uint32_t y = 0; y < w->used; y++)
            if (y != last && w->size[y] > 0 && union_price(w, last, y) < best) {
                best = union_price(w, last, y);
                a = y;
            }
        if (a != UINT32_MAX)
            unite(w, a, last);
        return;
    }
}

/* One small cluster of a round, if it need not wait; prices are those before the round. */
static void treat(columns_plain *w, uint32_t own, const columns_plain *was)
{
    uint32_t into = UINT32_MAX, size = w->size[own], to[COLUMNS_PLAIN_RECORDS],
             list[COLUMNS_PLAIN_RECORDS];
    int64_t uniting = INT64_MAX, dissolving = 0;
    bool free = true;
    if (w->touched[own])
        return;
    for (uint32_t r = 0; r < was->used; r++) {
        if (r == own || was->size[r] == 0)
            continue;
        int64_t price = union_price(was, own, r);
        if (was->size[r] < w->k && was->size[r] + size >= w->k && price > 0)
            price /= 2;
        if (into == UINT32_MAX || price < uniting) {
            uniting = price;
            into = r;
        }
    }
    for (uint32_t m = 0; m < size; m++) {
        int64_t best = INT64_MAX;
        list[m] = w->member[own][m];
        for (uint32_t r = 0; r < was->used; r++) {
            if (r == own || was->size[r] == 0)
                continue;
            int64_t price = with(was, r, &list[m], 1) - total(was, r) - total(was, own) / size;
            if (price < best) {
                best = price;
                to[m] = r;
            }
        }
        dissolving += best;
        free &= !w->touched[to[m]];
    }
    if (!w->diverse && dissolving < uniting) {
        for (uint32_t m = size; free && m-- > 0;) {
            move(w, list[m], to[m]);
            w->touched[own] = w->touched[to[m]] = true;
        }
        w->dissolved += free;
    } else if (!w->touched[into]) {
        unite(w, into, own);
        w->touched[own] = w->touched[into] = true;
        w->united++;
    }
}

static void hybrid(columns_plain *w)
{
    for (;;) {
        uint32_t small[COLUMNS_PLAIN_RECORDS], count = 0;
        for (uint32_t size = 1; size < w->k; size++)
            for (uint32_t c = 0; c < w->used; c++)
                if (w->size[c] == size)
                    small[count++] = c;
        if (count == 0 || columns_plain_clusters(w) == 1)
            break;
        columns_plain *was = arena_alloc(w->memory, sizeof *was);
        *was = *w;
        memset(w->touched, 0, sizeof w->touched);
        for (uint32_t i = 0; i < (count + 9) / 10; i++)
            treat(w, small[i], was);
    }
    int64_t before = cost_of_all(w), now;
    for (uint32_t i = 0; i < 20; i++) {
        pass(w, w->k);
        now = cost_of_all(w);
        if (w->n_moves == 0 || (double)(before - now) < 1e-5 * (double)before)
            break;
        before = now;
    }
}

void columns_plain_run(columns_plain *w, bool merges)
{
    first(w);
    improve(w);
    if (merges)
        merge(w);
    else
        hybrid(w);
}
