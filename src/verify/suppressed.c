#include "verify/suppressed.h"

#include <string.h>

static bool has_label(const kith_hierarchy *h, const char *label)
{
    for (uint32_t node = 0; node < h->tree.n_nodes; node++)
        if (strcmp(h->label[node], label) == 0)
            return true;
    return false;
}

suppressed_root suppressed_root_of(const kith_hierarchy *hierarchy)
{
    if (hierarchy == NULL)
        return (suppressed_root){.label = "*"};
    return (suppressed_root){hierarchy_root_label(hierarchy), !has_label(hierarchy, "*")};
}

/* A hierarchy gives a label to one set of values only, so a text that is the root's label is the
 * root, even if a lower node has the same label. A missing cell is never the root: no root has an
 * empty label. */
static bool shows_root(const column *c, uint32_t row, const suppressed_root *root, bool star)
{
    if (c->codes[row] == TABLE_MISSING)
        return false;
    const char *text = dictionary_text(&c->values, c->codes[row]);
    return strcmp(text, root->label) == 0 || (star && root->star && strcmp(text, "*") == 0);
}

static uint32_t suppressed_find_class(const kith_table *release, const classes *c,
                                      const uint32_t *quasi, const suppressed_root *roots,
                                      uint32_t n_quasi, bool star)
{
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t n_roots = 0;
        while (n_roots < n_quasi &&
               shows_root(&release->columns[quasi[n_roots]], c->first[i], &roots[n_roots], star))
            n_roots++;
        if (n_roots == n_quasi)
            return i;
    }
    return UINT32_MAX;
}

uint32_t suppressed_find(const kith_table *release, const classes *c, const uint32_t *quasi,
                         const suppressed_root *roots, uint32_t n_quasi, uint64_t may_suppress)
{
    if (n_quasi == 0 || may_suppress == 0)
        return UINT32_MAX;
    uint32_t found = suppressed_find_class(release, c, quasi, roots, n_quasi, false);
    if (found == UINT32_MAX)
        found = suppressed_find_class(release, c, quasi, roots, n_quasi, true);
    return found != UINT32_MAX && c->size[found] <= may_suppress ? found : UINT32_MAX;
}
