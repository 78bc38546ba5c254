/* Lines about a release that several commands print. */
#include "cli.h"

#include <math.h>
#include <string.h>

void classes_print(FILE *out, const kith_document *d)
{
    fprintf(out, "classes         %s, the smallest has %s\n",
            human_count(kith_document_number(d, "classes", 0)),
            human_counted(kith_document_number(d, "smallest_class", 0), "record"));
    persons_print(out, d);
}

void persons_print(FILE *out, const kith_document *d)
{
    if (kith_document_has(d, "persons"))
        fprintf(out, "persons         %s, the fewest in a class are %s\n",
                human_count(kith_document_number(d, "persons", 0)),
                human_count(kith_document_number(d, "smallest_class_persons", 0)));
}

void overlap_print(FILE *out, const kith_document *d)
{
    static const char *const says[][2] = {
        {"unknown", "whoever is at two sites counts twice: the study says nothing of overlap"},
        {"none",
         "what holds, holds if nobody is at two sites, as the parties state (overlap: none)"},
        {"matched", "whoever is at several sites counts at one of them (overlap: matched)"}};
    for (size_t i = 0; i < sizeof says / sizeof *says; i++)
        if (strcmp(kith_document_text(d, "overlap", ""), says[i][0]) == 0)
            fprintf(out, "persons         %s\n", says[i][1]);
}

/* Is 1 the loss of a release in which every cell is the root? The others are bits or sizes. */
static bool bounded(const char *measure)
{
    static const char *const measures[] = {"lm", "tree", "precision", "arx-loss"};
    for (size_t i = 0; i < sizeof measures / sizeof *measures; i++)
        if (strcmp(measure, measures[i]) == 0)
            return true;
    return false;
}

/* Of the measures that can be minimized only dm, a sum of squared sizes, is never 0. */
void loss_print(FILE *out, const kith_document *d)
{
    const char *measure = kith_document_text(d, "measure", "");
    const double loss = kith_document_number(d, "objective", NAN);
    if (isnan(loss))
        fprintf(out, "loss            - (%s; not known)\n", measure);
    else if (strcmp(measure, "dm") == 0)
        fprintf(out, "loss            %s (dm), the sum of squared class sizes\n",
                human_count(loss));
    else
        fprintf(out, "loss            %s (%s; 0 = unchanged%s)\n", human_loss(loss), measure,
                bounded(measure) ? ", 1 = everything hidden" : "");
}
