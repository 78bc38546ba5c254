#include "protocol/view/view_cost.h"

#include <math.h>

#include "core/run/context.h"
#include "crypto/ristretto.h"
#include "protocol/view/view_parse.h"
#include "smc/smc.h"
#include "wire/frame.h"

enum { NAME = 11 /* bytes of a message's name, about */, LABEL = 12 /* of a text, about */ };

/* Sums over all columns, of the whole table. */
typedef struct totals {
    double entries, released; /* of all columns */
    double dictionary;        /* bytes: points, parents and marks */
    double row;               /* bytes of the cells of a row */
    double released_row;      /* bytes of the cells of a released row */
    double released_columns;  /* of the result */
    double sought_entries;    /* of the columns of the result */
    /* Before they are merged, of all sites together. */
    double sent_entries, sent_dictionary;
    double sent_row; /* of one row of each site */
} totals;

static uint64_t released_of(const view_cost_column *c)
{
    return c->released == 0 ? c->n_values : c->released;
}

static double code_bytes(double entries)
{
    return (double)view_parse_codes_bytes(1, (uint32_t)entries);
}

static double dictionary_bytes(const view_cost_column *c, double entries)
{
    return entries * (RISTRETTO_BYTES + 1 + (c->hierarchy ? code_bytes(entries) : 0));
}

/* Entries of a column that so many sites have together, none of them the first. */
static double held_by(const view_cost_column *c, uint32_t n_sites)
{
    return c->n_held != NULL ? c->n_held[n_sites] : (double)c->n_entries;
}

static totals view_cost_totals(const view_cost_task *t)
{
    const double sites = (double)t->n_holders / (t->n_column_parts == 0 ? 1 : t->n_column_parts);
    totals sum = {0};
    for (uint32_t j = 0; j < t->n_columns; j++) {
        const view_cost_column *c = &t->columns[j];
        const double all = (double)c->n_entries, here = held_by(c, 1);
        const double first = c->n_first > 0 ? (double)c->n_first : here;
        sum.entries += all;
        sum.dictionary += dictionary_bytes(c, all);
        sum.row += code_bytes(all);
        if (!t->has_persons || j + 1 < t->n_columns) {
            sum.released += (double)released_of(c);
            sum.released_row += code_bytes((double)released_of(c));
            sum.released_columns++;
            sum.sought_entries += all;
        }
        sum.sent_entries += first + (sites - 1) * here;
        sum.sent_dictionary += dictionary_bytes(c, first) + (sites - 1) * dictionary_bytes(c, here);
        sum.sent_row += code_bytes(first) + (sites - 1) * code_bytes(here);
    }
    return sum;
}

/* Adds the headers of frames to the bytes of some messages. */
static double framed(double bytes, double messages)
{
    return bytes + (messages + floor(bytes / FRAME_PAYLOAD)) * (FRAME_HEADER + NAME);
}

/* How the table is split over the sites. */
typedef struct spread {
    double row_parts, column_parts, rows_here, columns_here;
    bool ids;
} spread;

static spread spread_of(const view_cost_task *t)
{
    spread s = {.column_parts = t->n_column_parts == 0 ? 1 : t->n_column_parts};
    s.row_parts = t->n_holders / s.column_parts;
    s.rows_here = (double)t->n_rows / s.row_parts;
    s.columns_here = t->n_columns / s.column_parts;
    s.ids = t->partition != PARTITION_HORIZONTAL;
    return s;
}

static double shape_bytes(double columns)
{
    return 4.0 * (2 + columns * (1.0 + VIEW_LEVELS));
}

/* Messages of a packet; long arrays travel in pieces. */
static double packet_messages(double columns, bool ids, double bytes)
{
    return 1 + 2 * columns + ids + floor(bytes / SMC_PIECE);
}

/* How long bytes are on the way. */
static double transfer_seconds(double bytes, const view_calibration *c)
{
    return c->bytes_per_second > 0 ? bytes / c->bytes_per_second : 0;
}

static void set_phase(view_cost_phase *p, double operations, double messages, double bytes,
                      double seconds)
{
    *p = (view_cost_phase){(uint64_t)operations, (uint64_t)messages, (uint64_t)bytes, seconds};
}

/* EGV 4.5, first phase: e = n d, or n (r + d/n) with row ids; f1 = n (n - 1). */
static void encryption(view_cost_phase *out, const view_cost_task *t, const totals *sum,
                       const view_calibration *c)
{
    const spread s = spread_of(t);
    const double h = t->n_holders, ids = s.ids ? (double)t->n_rows * s.column_parts : 0;
    const double operations = sum->sent_entries + ids;
    const double hashes = sum->entries / s.column_parts + (s.ids ? s.rows_here : 0);
    const double packet = /* of a site, on average */
        shape_bytes(t->n_columns) + (sum->sent_dictionary + s.rows_here * sum->sent_row) / h +
        (s.ids ? s.rows_here * RISTRETTO_BYTES : 0);
    double messages = h * (h - 1) * packet_messages(s.columns_here, s.ids, packet);
    double bytes = h * (h - 1) * packet;
    if (t->partition == PARTITION_VERTICAL) { /* the lists of ids are compared */
        messages += h * (h + t->n_masters - 1);
        bytes += h * (h + t->n_masters - 1) * 32;
    }
    bytes = framed(bytes, messages);
    set_phase(out, operations, messages, bytes,
              (operations * c->multiply_seconds + hashes * c->hash_seconds) / c->cores +
                  transfer_seconds(bytes / h, c));
}

/* Bytes of the merged packet of `parts` sites; does it have the first one's columns? */
static double merged_bytes(const view_cost_task *t, const totals *sum, uint32_t parts,
                           bool with_first)
{
    if (t->partition == PARTITION_HORIZONTAL) {
        double dictionary = 0, row = 0;
        for (uint32_t j = 0; j < t->n_columns; j++) {
            const view_cost_column *c = &t->columns[j];
            const double entries =
                with_first && c->n_first > 0 ? (double)c->n_entries : held_by(c, parts);
            dictionary += dictionary_bytes(c, entries);
            row += code_bytes(entries);
        }
        return shape_bytes(t->n_columns) + dictionary +
               (double)t->n_rows * row * parts / t->n_holders;
    }
    const spread s = spread_of(t);
    const double share = (double)parts / t->n_holders;
    const double columns = fmin(1, parts / s.column_parts);
    double ids = t->partition == PARTITION_HYBRID
                     ? RISTRETTO_BYTES * (double)t->n_rows * fmin(1, parts / s.row_parts)
                     : 0;
    return shape_bytes(t->n_columns) + sum->dictionary * columns +
           (double)t->n_rows * sum->row * share + ids;
}

/* Second phase, f2 = n (n - 1) / 2 parts: the packet grows from hop to hop. An external master gets
 * the last part separately. */
static void integration(view_cost_phase *out, const view_cost_task *t, const totals *sum,
                        const view_calibration *c)
{
    const spread s = spread_of(t);
    const uint32_t h = t->n_holders;
    const bool hybrid = t->partition == PARTITION_HYBRID;
    double messages = 0, bytes = 0, way = 0;
    for (uint32_t n_parts = 1; n_parts < h; n_parts++) {
        const bool to_masters = t->n_masters > 0 && n_parts == h - 1;
        /* The ring to the left begins beside the master; an external one gets the part of the
         * first party separately. */
        const bool with_first = t->n_masters == 0 && n_parts > t->master;
        const double packet = merged_bytes(t, sum, n_parts, with_first);
        const double times = to_masters ? t->n_masters : 1;
        const double columns = fmin(t->n_columns, s.columns_here * n_parts);
        messages += times * packet_messages(columns, hybrid, packet);
        bytes += times * packet;
        way += packet;
    }
    if (t->n_masters > 0) {
        const double packet = merged_bytes(t, sum, 1, true);
        messages += t->n_masters * packet_messages(s.columns_here, hybrid, packet);
        bytes += t->n_masters * packet;
        messages += t->n_masters - 1;
    }
    if (hybrid)
        messages += h + t->n_masters - 1;
    bytes = framed(bytes, messages);
    const double checks = (h - 1) * sum->entries + (hybrid ? (h - 1) * (double)t->n_rows / 2 : 0);
    set_phase(out, 0, messages, bytes,
              checks * c->check_seconds / c->cores + transfer_seconds(way, c));
}

/* Third phase: d = n d operations one after the other, f3 = n - 1 messages of the whole result. */
static void decryption(view_cost_phase *out, const view_cost_task *t, const totals *sum,
                       const view_calibration *c)
{
    const double hops = t->n_masters > 0 ? t->n_holders : t->n_holders - 1.0;
    const double operations = t->n_holders * sum->released;
    const double packet = shape_bytes(sum->released_columns) +
                          sum->released * (RISTRETTO_BYTES + 1) +
                          (double)t->n_rows * sum->released_row;
    const double verdicts =
        t->n_masters > 0 ? (double)t->n_masters * t->n_holders : t->n_holders - 1.0;
    const double messages = hops * packet_messages(sum->released_columns, false, packet) + verdicts;
    const double bytes = framed(hops * packet + verdicts * 104, messages);
    set_phase(out, operations, messages, bytes,
              operations * c->multiply_seconds / c->cores + transfer_seconds(bytes, c));
}

/* The formulas of 4.5 for n = h parties, one of which is the master. */
static void as_printed(view_cost *out, const view_cost_task *t, const totals *sum,
                       const view_calibration *c)
{
    const double n = t->n_holders, r = (double)t->n_rows, d = sum->entries, columns = t->n_columns;
    const bool ids = t->partition != PARTITION_HORIZONTAL;
    const double e = ids ? n * (r + d / n) : n * d;
    const double first = ids ? (columns / n + 1) * r * 4 + (d / n + r) * RISTRETTO_BYTES
                             : r / n * columns * 4 + d * RISTRETTO_BYTES;
    const double second = ids ? columns / n * r * 4 + d / n * RISTRETTO_BYTES : first;
    const double last = columns * r * 4 + d * RISTRETTO_BYTES;
    out->paper.n_operations = (uint64_t)(e + n * d);
    out->paper.n_messages = (uint64_t)(n * (n - 1) + n * (n - 1) / 2 + 2 * (n - 1));
    out->paper.bytes =
        (uint64_t)(n * (n - 1) * first + n * (n - 1) / 2 * second + 2 * (n - 1) * last);
    out->paper.seconds = (e + n * d) * c->multiply_seconds / c->cores +
                         transfer_seconds((double)out->paper.bytes, c);
}

void view_cost_estimate(view_cost *out, const view_cost_task *task, const view_calibration *c)
{
    const totals sum = view_cost_totals(task);
    encryption(&out->phase[PHASE_ENCRYPTION], task, &sum, c);
    integration(&out->phase[PHASE_INTEGRATION], task, &sum, c);
    decryption(&out->phase[PHASE_DECRYPTION], task, &sum, c);
    /* Fourth phase, if public hierarchies decode all values: texts and rows go to all parties. */
    const double others = task->n_holders - 1.0;
    const double rows = (double)task->n_rows * sum.released_row;
    const double messages = others * (3 + 4.0 * sum.released_columns + floor(rows / SMC_PIECE));
    const double bytes = framed(others * (rows + sum.released * (4 + LABEL) + 16), messages);
    set_phase(&out->phase[PHASE_DECODING], 0, messages, bytes,
              sum.sought_entries * c->hash_seconds / c->cores + transfer_seconds(bytes, c));
    out->all = (view_cost_phase){0};
    for (int i = 0; i < VIEW_PHASES; i++) {
        out->all.n_operations += out->phase[i].n_operations;
        out->all.n_messages += out->phase[i].n_messages;
        out->all.bytes += out->phase[i].bytes;
        out->all.seconds += out->phase[i].seconds;
    }
    as_printed(out, task, &sum, c);
}

/* Mean seconds of a call, measured over the given time of work. */
static double time_of(bool (*calls)(point *p, const scalar *s), double seconds)
{
    point p;
    scalar s;
    uint64_t n_calls = 0;
    ristretto_random_scalar(&s);
    ristretto_hash(&p, "kith calibration", "", 0);
    const double begun = context_work_seconds();
    double now = begun;
    bool good = true;
    while (now - begun < seconds && good) {
        for (int i = 0; i < 16; i++)
            good &= calls(&p, &s);
        n_calls += 16;
        now = context_work_seconds();
    }
    return (now - begun) / (double)n_calls;
}

static bool multiply(point *p, const scalar *s)
{
    return ristretto_parse_multiply(p, s, p->bytes);
}

static bool hash(point *p, const scalar *s)
{
    ristretto_hash(p, "kith calibration", s->bytes, sizeof s->bytes);
    return true;
}

static bool view_cost_check_point(point *p, const scalar *s)
{
    point parsed;
    (void)s;
    return ristretto_parse(&parsed, p->bytes);
}

void view_cost_calibrate(view_calibration *c, double seconds)
{
    *c = (view_calibration){.cores = 1};
    c->multiply_seconds = time_of(multiply, seconds * 0.6);
    c->hash_seconds = time_of(hash, seconds * 0.2);
    c->check_seconds = time_of(view_cost_check_point, seconds * 0.2);
}
