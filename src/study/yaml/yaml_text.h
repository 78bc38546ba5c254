/* Writing texts into YAML. */
#ifndef STUDY_YAML_YAML_TEXT_H
#define STUDY_YAML_YAML_TEXT_H

#include <stdio.h>

/* Writes a text as a YAML scalar, in quotes if necessary. */
void yaml_text_put(FILE *out, const char *text);
/* In quotes, whatever it is. */
void yaml_text_quote(FILE *out, const char *text);

#endif
