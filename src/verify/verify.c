#include "verify/verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/error.h"
#include "core/group_by_part.h"
#include "core/sort.h"
#include "verify/checks.h"
#include "verify/crossings.h"

/* What the checks of all models share. */
typedef struct check {
    const kith_table *release;
    const classes *classes;
    uint32_t suppressed;   /* class of the suppressed rows, or UINT32_MAX */
    const uint32_t *quasi; /* [n_quasi] columns of the release */
    uint32_t n_quasi;
    uint64_t n_all;                /* rows of the whole release, or persons */
    bool is_part;                  /* `release` is not all of it */
    const verify_persons *persons; /* NULL: rows are counted */
    const uint32_t *in_class;      /* [classes] persons of each */
    const uint32_t *most_rows;     /* [classes] of one of these persons */
} check;

/* Which way a model's value is worse. */
static bool worse(const verify_model *model, double value, double than)
{
    switch (model->kind) {
    case VERIFY_L_RECURSIVE:
    case VERIFY_T_CLOSENESS:
    case VERIFY_SHARE:
    case VERIFY_DOMINANCE:
    case VERIFY_COMBINATIONS:
    case VERIFY_DISCLOSURE:
    case VERIFY_LIKENESS: return value > than;
    case VERIFY_PRESENCE:
        return fmax(model->low - value, value - model->need) >
               fmax(model->low - than, than - model->need);
    default: return value < than;
    }
}

/* Adds the answer about one class to the verdict of a model, or that about several classes. */
static void judge(verify_verdict *v, const verify_model *model, check_answer a, uint32_t row)
{
    /* The report names the worst class; as soon as one violates the model, only those that violate
     * it are compared. */
    bool counts = !a.holds || v->holds, first = !v->judged || (!a.holds && v->holds);
    if (first || (counts && !isinf(v->worst) && worse(model, a.value, v->worst))) {
        v->worst = a.value;
        v->row = row;
    }
    v->judged = true;
    v->holds = v->holds && a.holds;
}

static void judge_class(verify_verdict *v, const verify_model *model, check_answer a,
                        uint32_t n_rows, uint32_t row)
{
    judge(v, model, a, row);
    v->n_violating_classes += !a.holds;
    v->n_violating_rows += a.holds ? 0 : n_rows;
}

/* k-anonymity needs no sensitive values, therefore no sorting of classes. */
static void check_sizes(verify_verdict *v, const check *c, const verify_model *model)
{
    for (uint32_t i = 0; i < c->classes->count; i++) {
        const uint32_t size = c->persons != NULL ? c->in_class[i] : c->classes->size[i];
        const check_answer answer = {.holds = size >= model->need, .value = size};
        if (i != c->suppressed)
            judge_class(v, model, answer, c->classes->size[i], c->classes->first[i]);
    }
}

/* The share of the rows of one person. */
static void check_parts(verify_verdict *v, const check *c, const verify_model *model)
{
    for (uint32_t i = 0; i < c->classes->count; i++) {
        const uint32_t size = c->classes->size[i];
        const double most = c->persons != NULL ? c->most_rows[i] : 1;
        const check_answer answer = {.holds = most / size <= model->need, .value = most / size};
        if (i != c->suppressed)
            judge_class(v, model, answer, size, c->classes->first[i]);
    }
}

/* Sorts and counts the values of a class; `scratch` has twice its size. */
static check_class read_class(const verify_values *values, const uint32_t *row, uint32_t size,
                              uint32_t *scratch)
{
    ASSERT(size > 0);
    check_class c = {
        .size = size, .n_rows = size, .row = row, .value = scratch, .count = scratch + size};
    for (uint32_t i = 0; i < size; i++)
        scratch[i] = values->of_row[row[i]];
    qsort(scratch, size, sizeof *scratch, sort_uint32);
    for (uint32_t i = 0; i < size; i++) {
        if (i > 0 && scratch[i] == scratch[c.distinct - 1]) {
            scratch[size + c.distinct - 1]++;
            continue;
        }
        scratch[size + c.distinct] = 1;
        scratch[c.distinct++] = scratch[i];
    }
    return c;
}

/* What was seen of a person: numbers from 1, 0 is never. */
typedef struct person_mark {
    uint32_t class, n_rows; /* its last class, and its rows there */
    uint32_t shown;         /* the last value of a class for which it was counted */
} person_mark;

typedef struct person_marks {
    person_mark *of; /* [persons] */
    uint32_t n_classes, n_shown;
} person_marks;

/* The same by persons, of rows that are sorted by their values. A value is certain of a person who
 * has more rows in the class than the class has rows without it, and of everybody if all persons
 * have it. */
static check_class read_persons(const verify_values *values, const uint32_t *person,
                                const uint32_t *row, uint32_t n_rows, person_marks *marks,
                                uint32_t *scratch)
{
    uint32_t *count = scratch + n_rows, run = 0, most_rows = 0, most_shown = 0;
    check_class c = {.n_rows = n_rows, .row = row, .value = scratch, .count = count};
    marks->n_classes++;
    for (uint32_t i = 0; i < n_rows; i++) {
        person_mark *m = &marks->of[person[row[i]]];
        const uint32_t value = values->of_row[row[i]];
        if (c.distinct == 0 || scratch[c.distinct - 1] != value) {
            scratch[c.distinct] = value;
            count[c.distinct++] = run = 0;
            marks->n_shown++;
        }
        c.size += m->class != marks->n_classes;
        m->n_rows = m->class != marks->n_classes ? 1 : m->n_rows + 1;
        m->class = marks->n_classes;
        most_rows = m->n_rows > most_rows ? m->n_rows : most_rows;
        count[c.distinct - 1] += m->shown != marks->n_shown;
        m->shown = marks->n_shown;
        most_shown = ++run > most_shown ? run : most_shown;
    }
    c.certain = most_rows > n_rows - most_shown;
    for (uint32_t i = 0; i < c.distinct; i++)
        c.certain = c.certain || count[i] == c.size;
    return c;
}

/* Puts the rows of each class in the order of their values. */
static kith_status sort_by_values(uint32_t *row, const classes *grouping,
                                  const verify_values *values, uint32_t n_rows, arena *memory,
                                  kith_error *error)
{
    arena *own ARENA_SCOPED = TRY_ALLOC(arena_new_like(memory), error);
    const uint32_t most = values->count > grouping->count ? values->count : grouping->count;
    uint32_t *start = TRY_ARRAY(start, own, most + (size_t)2, error);
    uint32_t *by_value = TRY_ARRAY(by_value, own, n_rows, error);
    uint32_t *class = TRY_ARRAY(class, own, n_rows, error);
    group_by_part(by_value, start, values->of_row, values->count, NULL, n_rows);
    for (uint32_t i = 0; i < n_rows; i++)
        class[i] = grouping->class_of[by_value[i]];
    group_by_part(row, start, class, grouping->count, by_value, n_rows);
    return KITH_OK;
}

/* Asks `ask` about every class of a grouping. */
static kith_status check_classes(verify_verdict *v, const check *c, const verify_model *model,
                                 check_function *ask, arena *memory, kith_error *error)
{
    uint32_t *start, *row;
    TRY(classes_rows(c->classes, memory, c->release->n_rows, &start, &row, error));
    uint32_t *scratch = TRY_ARRAY(scratch, memory, 2 * (size_t)c->release->n_rows, error);
    person_marks marks = {NULL, 0, 0};
    if (c->persons != NULL) {
        marks.of = TRY_ZEROS(marks.of, memory, c->persons->count, error);
        TRY(sort_by_values(row, c->classes, model->values, c->release->n_rows, memory, error));
    }
    for (uint32_t i = 0; i < c->classes->count; i++) {
        uint32_t size = c->classes->size[i];
        if (i == c->suppressed || size == 0)
            continue;
        const check_class one = c->persons == NULL
                                    ? read_class(model->values, row + start[i], size, scratch)
                                    : read_persons(model->values, c->persons->of_row,
                                                   row + start[i], size, &marks, scratch);
        check_answer answer = ask(model, &one, c->n_all);
        if (isnan(answer.value))
            return error_nomem(error);
        judge_class(v, model, answer, size, c->classes->first[i]);
    }
    return KITH_OK;
}

/* What the labels of the quasi-identifiers stand for. */
typedef struct shown_labels {
    label_meaning *of_text; /* [values of the release's column + 1], the last for empty cells */
    const column *released;
} shown_labels;

static const label_meaning *shown_set(const shown_labels *s, uint32_t row)
{
    const uint32_t code = s->released->codes[row];
    return &s->of_text[code == TABLE_MISSING ? s->released->values.count : code];
}

/* Every text is read once. */
static kith_status read_labels(shown_labels *s, const column *released,
                               const label_grammar *grammar, arena *memory, kith_error *error)
{
    const uint32_t count = released->values.count;
    s->released = released;
    s->of_text = TRY_ARRAY(s->of_text, memory, count + (size_t)1, error);
    for (uint32_t code = 0; code <= count; code++)
        TRY(label_meaning_read(&s->of_text[code], grammar,
                               code == count ? NULL : dictionary_text(&released->values, code),
                               memory, error));
    return KITH_OK;
}

/* Does a class stand for this person? */
static bool stands_for(const verify_people *people, const shown_labels *shown, uint32_t n_quasi,
                       uint32_t row, uint32_t person)
{
    for (uint32_t j = 0; j < n_quasi; j++) {
        const column *c = &people->table->columns[people->column[j]];
        const label_grammar *g = &people->grammar[j];
        const uint32_t code = c->codes[person];
        uint32_t leaf = UINT32_MAX;
        if (g->file != NULL)
            leaf = code == TABLE_MISSING ? g->file->missing_leaf : people->leaf_of[j][code];
        if (!label_meaning_holds(shown_set(&shown[j], row), g, &c->values, code, leaf))
            return false;
    }
    return true;
}

/* k-map: how many people of the population look like the class? Every person is compared with every
 * class, which is slow but plainly right. */
static kith_status check_people(verify_verdict *v, const check *c, const verify_model *model,
                                arena *memory, kith_error *error)
{
    const verify_people *people = model->people;
    shown_labels *shown = TRY_ARRAY(shown, memory, c->n_quasi, error);
    for (uint32_t j = 0; j < c->n_quasi; j++)
        TRY(read_labels(&shown[j], &c->release->columns[c->quasi[j]], &people->grammar[j], memory,
                        error));
    for (uint32_t i = 0; i < c->classes->count; i++) {
        if (i == c->suppressed)
            continue;
        uint32_t row = c->classes->first[i], found = 0;
        for (uint32_t person = 0; person < people->table->n_rows; person++)
            found += stands_for(people, shown, c->n_quasi, row, person);
        const check_answer answer = {.holds = found >= model->need, .value = found};
        judge_class(v, model, answer, c->classes->size[i], row);
    }
    return KITH_OK;
}

/* The next choice of `count` of `of` columns in lexicographic order; false after the last. */
static bool next_choice(uint32_t *choice, uint32_t count, uint32_t of)
{
    for (uint32_t i = count; i-- > 0;)
        if (choice[i] < of - count + i) {
            choice[i]++;
            for (uint32_t j = i + 1; j < count; j++)
                choice[j] = choice[j - 1] + 1;
            return true;
        }
    return false;
}

/* The classes by some columns only. Suppressed rows would join other classes there; they are set
 * apart, because the model does not count them. */
static kith_status check_choice(verify_verdict *v, const check *c, const verify_model *model,
                                const uint32_t *columns, uint32_t count, arena *memory,
                                kith_error *error)
{
    classes some, grown;
    TRY(classes_make(&some, memory, c->release, columns, count, error));
    grown = some;
    grown.size = TRY_ARRAY(grown.size, memory, some.count + (size_t)1, error);
    grown.first = TRY_ARRAY(grown.first, memory, some.count + (size_t)1, error);
    memcpy(grown.size, some.size, some.count * sizeof *grown.size);
    memcpy(grown.first, some.first, some.count * sizeof *grown.first);
    grown.first[some.count] = 0;
    /* A copy of the classes of some columns in which the suppressed rows are a class of their own,
     * the last. */
    grown.size[grown.count] = 0;
    for (uint32_t row = 0; row < c->release->n_rows; row++)
        if (c->classes->class_of[row] == c->suppressed) {
            grown.size[grown.class_of[row]]--;
            grown.class_of[row] = grown.count;
            grown.size[grown.count]++;
        }
    grown.count++;
    for (uint32_t row = c->release->n_rows; row-- > 0;)
        grown.first[grown.class_of[row]] = row;
    check part = *c;
    part.classes = &grown;
    part.suppressed = grown.count - 1;
    return check_classes(v, &part, model, check_confidence, memory, error);
}

/* LKC: an attacker knows any L quasi-identifiers. Classes by fewer of them are unions of classes by
 * L, which are at least as large and as mixed, therefore only choices of exactly L are checked. For
 * the same reason no choice is checked if the classes by all quasi-identifiers are good. In a part
 * of a release these alone are complete: they must be good there, which asks for more than the
 * model. */
static kith_status check_combinations(verify_verdict *v, const check *c, const verify_model *model,
                                      arena *memory, kith_error *error)
{
    verify_verdict fresh = *v;
    TRY(check_classes(v, c, model, check_confidence, memory, error));
    if (v->holds || model->known >= c->n_quasi || c->is_part)
        return KITH_OK;
    *v = fresh;
    uint32_t *choice = TRY_ARRAY(choice, memory, model->known, error);
    uint32_t *columns = TRY_ARRAY(columns, memory, model->known, error);
    for (uint32_t i = 0; i < model->known; i++)
        choice[i] = i;
    do {
        arena *own ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
        for (uint32_t i = 0; i < model->known; i++)
            columns[i] = c->quasi[choice[i]];
        TRY(check_choice(v, c, model, columns, model->known, own, error));
    } while (next_choice(choice, model->known, c->n_quasi));
    return KITH_OK;
}

/* The persons of every class, and the fewest of those that are not suppressed. */
static kith_status verify_count_persons(verify_report *report, const verify_task *task,
                                        arena *memory, kith_error *error)
{
    const classes *groups = report->grouping;
    uint32_t *start, *row;
    TRY(classes_rows(groups, memory, task->release->n_rows, &start, &row, error));
    uint32_t *last = TRY_ARRAY(last, memory, task->persons->count, error);
    uint32_t *own = TRY_ARRAY(own, memory, task->persons->count, error);
    memset(last, 0xff, task->persons->count * sizeof *last);
    report->by_persons = true;
    report->n_persons = task->persons->count;
    report->persons = TRY_ALLOC(arena_zalloc(memory, groups->count, sizeof(uint32_t)), error);
    report->most_rows = TRY_ALLOC(arena_zalloc(memory, groups->count, sizeof(uint32_t)), error);
    report->smallest_persons = UINT32_MAX;
    for (uint32_t i = 0; i < groups->count; i++) {
        uint32_t *most = &report->most_rows[i];
        for (uint32_t j = 0; j < groups->size[i]; j++) {
            const uint32_t person = task->persons->of_row[row[start[i] + j]];
            report->persons[i] += last[person] != i;
            own[person] = last[person] != i ? 1 : own[person] + 1;
            last[person] = i;
            *most = own[person] > *most ? own[person] : *most;
        }
        if (i == report->suppressed_class)
            continue;
        if (report->persons[i] < report->smallest_persons)
            report->smallest_persons = report->persons[i];
        report->largest_part = fmax(report->largest_part, (double)*most / groups->size[i]);
    }
    if (report->n_classes == 0)
        report->smallest_persons = 0;
    return KITH_OK;
}

/* Sizes for the report, without the suppressed class. */
static void count_classes(verify_report *report, const check *c, uint32_t suppressed)
{
    report->n_rows = c->release->n_rows;
    report->smallest = 0;
    for (uint32_t i = 0; i < c->classes->count; i++) {
        uint32_t size = c->classes->size[i];
        if (i == suppressed) {
            report->suppressed = size;
            continue;
        }
        if (report->n_classes++ == 0 || size < report->smallest)
            report->smallest = size;
    }
}

/* Most models look at one class at a time; the table says which check is theirs. */
static kith_status check_model(verify_verdict *v, const check *c, const verify_model *model,
                               arena *memory, kith_error *error)
{
    static check_function *const by_class[] = {
        [VERIFY_L_FREQUENCY] = check_frequency, [VERIFY_L_DISTINCT] = check_distinct,
        [VERIFY_L_ENTROPY] = check_entropy,     [VERIFY_L_RECURSIVE] = check_recursive,
        [VERIFY_T_CLOSENESS] = check_closeness, [VERIFY_PRESENCE] = check_presence,
        [VERIFY_SHARE] = check_share,           [VERIFY_DISSIMILARITY] = check_dissimilarity,
        [VERIFY_DISCLOSURE] = check_disclosure, [VERIFY_LIKENESS] = check_likeness,
        [VERIFY_INVARIANCE] = check_invariance,
    };
    switch (model->kind) {
    case VERIFY_K_ANONYMITY: check_sizes(v, c, model); return KITH_OK;
    case VERIFY_DOMINANCE: check_parts(v, c, model); return KITH_OK;
    case VERIFY_K_MAP: return check_people(v, c, model, memory, error);
    case VERIFY_COMBINATIONS: return check_combinations(v, c, model, memory, error);
    default: return check_classes(v, c, model, by_class[model->kind], memory, error);
    }
}

kith_status verify_report_none(verify_report *report, uint32_t n_models, arena *memory,
                               kith_error *error)
{
    *report = (verify_report){.holds = true, .suppressed_class = UINT32_MAX};
    report->verdict = TRY_ZEROS(report->verdict, memory, n_models, error);
    for (uint32_t i = 0; i < n_models; i++)
        report->verdict[i] = (verify_verdict){.holds = true, .worst = INFINITY};
    return KITH_OK;
}

kith_status verify_release(verify_report *report, const verify_task *task, arena *memory,
                           kith_error *error)
{
    CHECK(table_check(task->release));
    TRY(verify_report_none(report, task->n_models, memory, error));
    classes *grouping = TRY_ALLOC(arena_alloc(memory, sizeof *grouping), error);
    TRY(classes_make(grouping, memory, task->release, task->quasi, task->n_quasi, error));
    report->grouping = grouping;
    report->suppressed_class = suppressed_find(task->release, grouping, task->quasi, task->roots,
                                               task->n_quasi, task->may_suppress);
    const bool is_part = task->n_whole_rows > 0;
    check c = {.release = task->release,
               .classes = grouping,
               .suppressed = report->suppressed_class,
               .quasi = task->quasi,
               .n_quasi = task->n_quasi,
               .n_all = is_part ? task->n_whole_rows : task->release->n_rows,
               .is_part = is_part,
               .persons = task->persons};
    count_classes(report, &c, report->suppressed_class);
    if (task->persons != NULL) {
        TRY(verify_count_persons(report, task, memory, error));
        c.n_all = task->persons->count;
        c.in_class = report->persons;
        c.most_rows = report->most_rows;
    }
    if (task->judge_suppressed)
        c.suppressed = UINT32_MAX;
    for (uint32_t i = 0; i < task->n_models; i++) {
        verify_verdict *v = &report->verdict[i];
        v->with_earlier = task->models[i].signature != NULL;
        v->unknown =
            task->counts_persons && task->persons == NULL && task->models[i].kind != VERIFY_K_MAP;
        report->unknown = report->unknown || v->unknown;
        if (v->unknown)
            continue;
        TRY(check_model(v, &c, &task->models[i], memory, error));
        v->common = c.persons == NULL ? 0 : task->models[i].common;
        if (v->common > 0)
            TRY(crossings_count(&v->n_exposed, c.persons, grouping, report->suppressed_class,
                                task->models[i].values, task->release->n_rows, v->common, memory,
                                error));
        report->holds = report->holds && v->holds && v->n_exposed == 0;
    }
    return KITH_OK;
}

void verify_report_add(verify_report *to, const verify_report *part, const verify_model *models,
                       uint32_t n_models)
{
    if (part->n_classes > 0 && (to->n_classes == 0 || part->smallest < to->smallest))
        to->smallest = part->smallest;
    if (part->n_classes > 0 &&
        (to->n_classes == 0 || part->smallest_persons < to->smallest_persons))
        to->smallest_persons = part->smallest_persons;
    to->by_persons = to->by_persons || part->by_persons;
    to->n_persons = part->by_persons ? part->n_persons : to->n_persons;
    to->largest_part = fmax(to->largest_part, part->largest_part);
    to->n_rows += part->n_rows;
    to->n_classes += part->n_classes;
    to->suppressed += part->suppressed;
    to->holds = to->holds && part->holds;
    for (uint32_t i = 0; i < n_models; i++) {
        const verify_verdict *from = &part->verdict[i];
        verify_verdict *v = &to->verdict[i];
        v->unknown = v->unknown || from->unknown;
        if (from->judged) {
            judge(v, &models[i], (check_answer){from->holds, from->worst}, from->row);
            /* Classes are judged in the order of their first rows, therefore the first of those
             * that are equally bad is named. */
            if (v->holds == from->holds && !worse(&models[i], v->worst, from->worst) &&
                !worse(&models[i], from->worst, v->worst) && from->row < v->row) {
                v->worst = from->worst;
                v->row = from->row;
            }
        }
        v->n_violating_classes += from->n_violating_classes;
        v->n_violating_rows += from->n_violating_rows;
    }
}
