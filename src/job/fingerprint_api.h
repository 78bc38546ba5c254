/* Fingerprints in documents. */
#ifndef JOB_FINGERPRINT_API_H
#define JOB_FINGERPRINT_API_H

#include "core/document.h"
#include "core/fingerprint.h"

/* Adds "grouped" and "words". */
void fingerprint_api_put(kith_document *d, document_node *to,
                         const unsigned char bytes[FINGERPRINT_BYTES]);

#endif
