/*
 * Lists open invoices in pages of 50, the largest due first, and sums them by status.
 * Usage: list [CONFIG]
 */
#include <appcore.h>
#include <inttypes.h>
#include <stdio.h>

static int fails(appcore_error *error) {
  fprintf(stderr, "%s\n", error->message);
  int kind = error->kind;
  appcore_error_free(error);
  return kind;
}

static int list(appcore_t *core) {
  /* A real program writes texts that users enter with a JSON library, such as jansson. */
  const char *format =
      "{\"status\": \"open,partially-paid\", \"sort\": \"dueDate\","
      " \"limit\": 50, \"offset\": %d}";
  char query[128];
  int offset = 0;
  snprintf(query, sizeof query, format, offset);

  appcore_error *error;
  int64_t count;
  if (appcore_invoice_count(core, query, &count, &error) != APPCORE_OK) return fails(error);
  printf("%" PRId64 " open invoices\n", count);

  for (; offset < count; offset += 50) {
    char *page;
    snprintf(query, sizeof query, format, offset);
    if (appcore_invoices(core, query, &page, &error) != APPCORE_OK) return fails(error);
    puts(page);
    appcore_string_free(page);
  }

  char *sums;
  if (appcore_invoice_summary(core, NULL, "status", &sums, &error) != APPCORE_OK) {
    return fails(error);
  }
  puts(sums);
  appcore_string_free(sums);
  return APPCORE_OK;
}

int main(int argc, char **argv) {
  appcore_t *core;
  if (appcore_open(argc > 1 ? argv[1] : NULL, NULL, &core, NULL) != APPCORE_OK) return 1;
  int kind = list(core);
  appcore_close(core, NULL);
  return kind;
}
