/*
 * Syncs everything that changed, shows progress, and stops in order after Ctrl-C.
 * Usage: sync [CONFIG]
 */
#include <appcore.h>
#include <signal.h>
#include <stdio.h>

static volatile sig_atomic_t is_interrupted;

static void interrupt(int signal) {
  (void)signal;
  is_interrupted = 1;
}

int main(int argc, char **argv) {
  appcore_t *core;
  if (appcore_open(argc > 1 ? argv[1] : NULL, NULL, &core, NULL) != APPCORE_OK) return 1;
  signal(SIGINT, interrupt);

  appcore_request request;
  appcore_error *error;
  int kind = appcore_sync(core, NULL, "all", NULL, &request, &error);
  int is_running = kind == APPCORE_OK;
  if (!is_running) fprintf(stderr, "%s\n", error->message);
  appcore_error_free(error);

  while (is_running) {
    appcore_event *event;
    if (appcore_next_event(core, 100, &event, NULL) != APPCORE_OK) break;
    if (is_interrupted) {
      /* The last event still follows. */
      appcore_cancel(core, request, NULL);
      is_interrupted = 0;
    }
    if (!event) continue;
    switch (event->type) {
      case APPCORE_EVENT_PROGRESS: printf("progress %s\n", event->json); break;
      case APPCORE_EVENT_REPORT: printf("report %s\n", event->json); break;
      case APPCORE_EVENT_FAILED:
        fprintf(stderr, "%s\n", event->error->message);
        if (event->error->kind == APPCORE_SIGN_IN_REQUIRED) fputs("Sign in first.\n", stderr);
        kind = event->error->kind;
        break;
      case APPCORE_EVENT_CANCELLED: kind = APPCORE_CANCELLED; break;
      default: break;
    }
    is_running = !APPCORE_EVENT_IS_LAST(event->type);
    appcore_event_free(event);
  }
  appcore_close(core, NULL);
  return kind;
}
