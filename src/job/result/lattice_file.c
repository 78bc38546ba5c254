#include "job/result/lattice_file.h"

#include <math.h>
#include <stdio.h>

#include "core/error.h"
#include "core/text.h"

kith_status lattice_file_check(const algorithm *a, kith_error *error)
{
    if (a->global && !a->cuts)
        return KITH_OK;
    char able[256] = "";
    for (uint32_t i = 0; search_at(i) != NULL; i++)
        if (search_at(i)->global && !search_at(i)->cuts)
            text_list_add(able, sizeof able, search_at(i)->name);
    error_set(error, KITH_INVALID, "algorithm %s searches no lattice that could be written out",
              a->name);
    return error_hint(error, KITH_INVALID, "these do: %s", able);
}

/* One line: levels, answer, how it is known, and the loss and the smallest class if they were
 * computed. */
static void write_node(output *out, const searched_lattice *l, uint32_t node)
{
    static const char *const words[] = {[ANSWER_UNKNOWN] = "unknown\t\t",
                                        [ANSWER_SATISFIED] = "yes\tchecked\t",
                                        [ANSWER_VIOLATED] = "no\tchecked\t",
                                        [ANSWER_PREDICTED_SATISFIED] = "yes\tpredicted\t",
                                        [ANSWER_PREDICTED_VIOLATED] = "no\tpredicted\t"};
    char text[64];
    for (uint32_t j = 0; j < l->n_attributes; j++) {
        snprintf(text, sizeof text, "%u\t", l->low[j] + node / l->stride[j] % (l->height[j] + 1));
        output_text(out, text);
    }
    output_text(out, words[l->answer[node]]);
    text[0] = '\0';
    if (!isnan(l->loss[node]))
        snprintf(text, sizeof text, "%.12g", l->loss[node]);
    output_text(out, text);
    text[0] = '\0';
    if (l->smallest[node] > 0)
        snprintf(text, sizeof text, "%u", l->smallest[node]);
    output_text(out, "\t");
    output_text(out, text);
    output_text(out, "\n");
}

void lattice_file_write(output *out, const prepared *p, const searched_lattice *lattice)
{
    for (uint32_t j = 0; j < p->problem.n_attributes; j++) {
        const char *name = p->columns[p->quasi[j]].study->name;
        for (; *name != '\0'; name++) /* with blanks for tabs and line breaks */
            output_write(out, (unsigned char)*name < ' ' ? " " : name, 1);
        output_text(out, "\t");
    }
    output_text(out, "satisfied\tknown\tloss\tsmallest_class\n");
    for (uint32_t node = 0; node < lattice->n_nodes; node++)
        write_node(out, lattice, node);
}
