#include "search/admit.h"

#include <math.h>

#include "core/error.h"

kith_status admit_init(admit *a, const problem *p, arena *memory, kith_error *error)
{
    *a = (admit){.problem = p};
    a->condition = arena_array(memory, (size_t)p->models + 1, sizeof *a->condition);
    TRY_ALLOC(a->condition, error);
    uint32_t values = 1;
    for (uint32_t m = 0; m < p->models; m++) {
        if (p->model[m].id == MODEL_K_ANONYMITY)
            continue;
        a->condition[a->conditions++] = &p->model[m];
        uint32_t count = p->secret[p->model[m].sensitive].count;
        values = count > values ? count : values;
    }
    a->count = arena_zalloc(memory, values, sizeof *a->count);
    TRY_ALLOC(a->count, error);
    return KITH_OK;
}

/* size / largest count >= l, written as the model does, so that both round alike. */
static bool diverse(const model_spec *model, uint32_t size, uint32_t most)
{
    return most == 0 || (double)size / (double)most >= model->l;
}

/* Largest count of a value among the members without `leaver` (UINT32_MAX: nobody leaves). */
static uint32_t largest_count(const admit *a, const uint32_t *values, const uint32_t *members,
                              uint32_t size, uint32_t leaver)
{
    uint32_t most = 0;
    for (uint32_t m = 0; m < size; m++) {
        if (members[m] == leaver)
            continue;
        uint32_t count = ++a->count[values[members[m]]];
        most = count > most ? count : most;
    }
    for (uint32_t m = 0; m < size; m++)
        a->count[values[members[m]]] = 0;
    return most;
}

bool admit_class(const admit *a, const uint32_t *members, uint32_t size)
{
    for (uint32_t c = 0; c < a->conditions; c++) {
        const model_spec *model = a->condition[c];
        const uint32_t *values = a->problem->secret[model->sensitive].values;
        if (!diverse(model, size, largest_count(a, values, members, size, UINT32_MAX)))
            return false;
    }
    return true;
}

bool admit_leave(const admit *a, const uint32_t *members, uint32_t size, uint32_t record)
{
    for (uint32_t c = 0; c < a->conditions; c++) {
        const model_spec *model = a->condition[c];
        const uint32_t *values = a->problem->secret[model->sensitive].values;
        if (!diverse(model, size - 1, largest_count(a, values, members, size, record)))
            return false;
    }
    return true;
}

bool admit_join(const admit *a, const uint32_t *members, uint32_t size, uint32_t record)
{
    for (uint32_t c = 0; c < a->conditions; c++) {
        const model_spec *model = a->condition[c];
        const uint32_t *values = a->problem->secret[model->sensitive].values;
        uint32_t same = 1;
        for (uint32_t m = 0; m < size; m++)
            same += values[members[m]] == values[record];
        uint32_t most = largest_count(a, values, members, size, UINT32_MAX);
        if (!diverse(model, size + 1, same > most ? same : most))
            return false;
    }
    return true;
}

bool admit_join_sound(const admit *a, const uint32_t *members, uint32_t size, uint32_t record)
{
    for (uint32_t c = 0; c < a->conditions; c++) {
        const model_spec *model = a->condition[c];
        const uint32_t *values = a->problem->secret[model->sensitive].values;
        uint32_t value = values[record], same = 1;
        for (uint32_t m = 0; m < size; m++)
            same += values[members[m]] == value;
        if (!diverse(model, size + 1, same))
            return false;
    }
    return true;
}

uint32_t admit_minimum_size(const problem *p)
{
    double least = p->k;
    for (uint32_t m = 0; m < p->models; m++)
        if (p->model[m].id == MODEL_L_DIVERSITY)
            least = fmax(least, ceil(p->model[m].l));
    return least < p->records ? (uint32_t)least : p->records;
}

uint32_t admit_tightest(const admit *a)
{
    uint32_t tightest = UINT32_MAX;
    double least_room = INFINITY;
    for (uint32_t c = 0; c < a->conditions; c++) {
        const model_spec *model = a->condition[c];
        const secret *s = &a->problem->secret[model->sensitive];
        uint32_t most = 0;
        for (uint32_t i = 0; i < a->problem->records; i++)
            most = ++a->count[s->values[i]] > most ? a->count[s->values[i]] : most;
        for (uint32_t i = 0; i < a->problem->records; i++)
            a->count[s->values[i]] = 0;
        double room = (double)a->problem->records / ((double)most * model->l);
        if (room < least_room) {
            least_room = room;
            tightest = model->sensitive;
        }
    }
    return tightest;
}
