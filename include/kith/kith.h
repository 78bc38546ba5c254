/* Kith: joint and single-table anonymization. This header includes the whole public interface.
 *
 * The library never prints and never exits. Every call that can fail returns a kith_status and
 * fills a caller-owned kith_error. Objects made by a call are freed by the matching _free. */
#ifndef KITH_KITH_H
#define KITH_KITH_H

#include <kith/anonymize.h>
#include <kith/document.h>
#include <kith/hierarchy.h>
#include <kith/party.h>
#include <kith/run.h>
#include <kith/status.h>
#include <kith/study.h>
#include <kith/table.h>

#ifdef __cplusplus
extern "C" {
#endif

/* "0.1.0" */
KITH_API const char *kith_version(void);

#ifdef __cplusplus
}
#endif
#endif
