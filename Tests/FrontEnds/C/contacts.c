/*
 * Lists contacts by name, and shows one with the amounts due.
 * Usage: contacts CONFIG [NAME]
 */
#include <appcore.h>
#include <inttypes.h>
#include <stdio.h>

static int print(int kind, char *json, appcore_error *error) {
  if (kind == APPCORE_OK) puts(json);
  if (error) fprintf(stderr, "%s\n", error->message);
  /* Both functions accept NULL. */
  appcore_string_free(json);
  appcore_error_free(error);
  return kind;
}

static int list(appcore_t *core) {
  int64_t count;
  if (appcore_contact_count(core, NULL, &count, NULL) == APPCORE_OK) {
    printf("%" PRId64 " contacts\n", count);
  }
  char *json;
  appcore_error *error;
  int kind = appcore_contacts(core, "{\"limit\": 20}", &json, &error);
  return print(kind, json, error);
}

static int show(appcore_t *core, const char *name) {
  char *json;
  appcore_error *error;
  /* Fails with the code "ambiguous" if several contacts have these words in their names. */
  int kind = appcore_contact(core, NULL, name, &json, &error);
  return print(kind, json, error);
}

int main(int argc, char **argv) {
  if (argc < 2) return APPCORE_MISUSE;
  appcore_t *core;
  if (appcore_open(argv[1], NULL, &core, NULL) != APPCORE_OK) return 1;
  int kind = argc > 2 ? show(core, argv[2]) : list(core);
  appcore_close(core, NULL);
  return kind;
}
