/* Removing a directory with all that is in it. */
#ifndef CORE_SYSTEM_REMOVE_TREE_H
#define CORE_SYSTEM_REMOVE_TREE_H

/* Does not follow links, and allocates nothing: what a failed run leaves must go also if it failed
 * for lack of memory. Errors are ignored, since nobody could handle them. */
void remove_tree(const char *path);

#endif
