/*
 * Lists open invoices in pages of 50, by the day when they are due, and sums them by status.
 * Usage: list [CONFIG]
 */
#include <appcore.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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
      " \"limit\": 50%s%.*s%s}";
  char query[1024];
  snprintf(query, sizeof query, format, "", 0, "", "");

  appcore_error *error;
  int64_t count;
  if (appcore_invoice_count(core, query, &count, &error) != APPCORE_OK) return fails(error);
  printf("%" PRId64 " open invoices\n", count);

  /* Each page begins after the one before it; "next" of the last one is null. */
  for (int is_last = 0; !is_last;) {
    char *page;
    if (appcore_invoices(core, query, &page, &error) != APPCORE_OK) return fails(error);
    puts(page);
    /* A real program reads the member with its JSON library. */
    const char *next = strstr(page, "\"next\":\"");
    is_last = next == NULL;
    if (next) {
      next += strlen("\"next\":\"");
      int length = (int)strcspn(next, "\"");
      snprintf(query, sizeof query, format, ", \"after\": \"", length, next, "\"");
    }
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
