/*
 * Lists the providers, or creates a configuration with a first account and shows how it signs in.
 * Usage: setup CONFIG [ACCOUNT OPTIONS]
 */
#include <appcore.h>
#include <stdio.h>

static int fail(appcore_error *error) {
  int kind = error->kind;
  fprintf(stderr, "%s\n", error->message);
  if (error->hint) fprintf(stderr, "  %s\n", error->hint);
  appcore_error_free(error);
  return kind;
}

/* Prints a document, or why there is none. */
static int show(int kind, char *json, appcore_error *error) {
  if (kind != APPCORE_OK) return fail(error);
  puts(json);
  appcore_string_free(json);
  return APPCORE_OK;
}

int main(int argc, char **argv) {
  if (argc != 2 && argc != 4) return APPCORE_MISUSE;
  appcore_t *core;
  appcore_error *error;
  char *json;
  /* The file need not exist yet. */
  if (appcore_open(argv[1], "{\"newConfig\": true}", &core, &error) != APPCORE_OK)
    return fail(error);
  int kind;
  if (argc == 2) {
    kind = appcore_providers(core, &json, &error);
  } else {
    kind = appcore_add_account(core, argv[2], argv[3], &json, &error);
  }
  kind = show(kind, json, error);
  appcore_close(core, NULL);
  if (argc == 2 || kind != APPCORE_OK) return kind;

  /* Another core has the account. */
  if (appcore_open(argv[1], NULL, &core, &error) != APPCORE_OK) return fail(error);
  kind = appcore_sign_in_ways(core, argv[2], &json, &error);
  kind = show(kind, json, error);
  appcore_close(core, NULL);
  return kind;
}
