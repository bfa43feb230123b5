/*
 * Lists the payments of a period, with the invoices that they pay.
 * Usage: payments CONFIG [PERIOD]
 */
#include <appcore.h>
#include <inttypes.h>
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc < 2) return APPCORE_MISUSE;
  appcore_t *core;
  if (appcore_open(argv[1], NULL, &core, NULL) != APPCORE_OK) return 1;
  /* A period such as "2026-Q1" is both its first and its last day. */
  const char *period = argc > 2 ? argv[2] : "this-year";
  char query[128];
  snprintf(query, sizeof query, "{\"from\": \"%.20s\", \"to\": \"%.20s\", \"limit\": 20}", period,
           period);
  char *json;
  int64_t count;
  appcore_error *error;
  int kind = appcore_payment_count(core, query, &count, &error);
  if (kind == APPCORE_OK) {
    printf("%" PRId64 " payments\n", count);
    kind = appcore_payments(core, query, &json, &error);
    if (kind == APPCORE_OK) puts(json);
    appcore_string_free(json);
  }
  if (error) fprintf(stderr, "%s\n", error->message);
  appcore_error_free(error);
  appcore_close(core, NULL);
  return kind;
}
