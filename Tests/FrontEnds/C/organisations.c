/*
 * Shows the organisations that the login reaches, and chooses one of them.
 * Usage: organisations CONFIG [ID]
 */
#include <appcore.h>
#include <stdio.h>

/* Prints what a request reports, and returns how it ended. */
static int follow(appcore_t *core) {
  for (;;) {
    appcore_event *event;
    int kind = appcore_next_event(core, -1, &event, NULL);
    if (kind != APPCORE_OK) return kind;
    if (event->type == APPCORE_EVENT_ORGANISATIONS) puts(event->json);
    if (event->error) {
      fprintf(stderr, "%s\n", event->error->message);
      kind = event->error->kind;
    }
    int is_last = APPCORE_EVENT_IS_LAST(event->type);
    appcore_event_free(event);
    if (is_last) return kind;
  }
}

int main(int argc, char **argv) {
  if (argc < 2) return APPCORE_MISUSE;
  appcore_t *core;
  if (appcore_open(argv[1], NULL, &core, NULL) != APPCORE_OK) return 1;

  appcore_request request;
  int kind;
  if (argc == 2) {
    kind = appcore_organisations(core, NULL, &request, NULL);
  } else {
    /* Its syncs read this organisation until the next sign-in. */
    kind = appcore_choose_organisation(core, NULL, argv[2], &request, NULL);
  }
  if (kind == APPCORE_OK) kind = follow(core);
  appcore_close(core, NULL);
  return kind;
}
