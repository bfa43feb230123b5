/*
 * Opens a core with a configuration file, and says what is wrong with it if there is anything.
 * Usage: open [CONFIG]
 */
#include <appcore.h>
#include <stdio.h>

int main(int argc, char **argv) {
  appcore_t *core;
  appcore_error *error;
  if (appcore_open(argc > 1 ? argv[1] : NULL, NULL, &core, &error) != APPCORE_OK) {
    fprintf(stderr, "%s (%s)\n", error->message, error->code);
    if (error->hint) fprintf(stderr, "  %s\n", error->hint);
    int kind = error->kind;
    appcore_error_free(error);
    return kind;
  }
  printf("appcore %s is open\n", appcore_version());

  int kind = appcore_close(core, &error);
  if (kind != APPCORE_OK) fprintf(stderr, "%s\n", error->message);
  appcore_error_free(error);
  return kind;
}
