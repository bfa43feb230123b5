/*
 * A feature module with a session of its own: downloads files, two at a time, and stops in order
 * after Ctrl-C, while a sync of the same program would go on.
 * Usage: documents CONFIG FOLDER ADDRESS…; the folder is an absolute path
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
  if (argc < 4 || appcore_open(argv[1], NULL, &core, NULL) != APPCORE_OK) return 1;
  signal(SIGINT, interrupt);

  /* Files take longer than lists. What the user's file states goes before these values. */
  const char *values = "{\"timeout\": {\"request\": \"300s\"}, \"concurrency\": 2}";
  appcore_session(core, "documents", values, NULL);
  int running = 0, failed = 0;
  for (int i = 3; i < argc; i++) {
    /* A real program writes paths that users choose with a JSON library. */
    char options[8192];
    snprintf(options, sizeof options, "{\"to\": \"%s/%d\"}", argv[2], i - 2);
    appcore_error *error;
    if (appcore_send(core, NULL, "documents", argv[i], options, NULL, &error) == APPCORE_OK) {
      running++;
    } else {
      fprintf(stderr, "%s\n", error->message);
      appcore_error_free(error);
      failed++;
    }
  }

  while (running > 0) {
    appcore_event *event;
    if (appcore_next_event(core, 100, &event, NULL) != APPCORE_OK) break;
    if (is_interrupted) {
      appcore_cancel_session(core, "documents", NULL);
      is_interrupted = 0;
    }
    if (!event) continue;
    if (event->type == APPCORE_EVENT_TRANSFER) printf("transfer %s\n", event->json);
    if (event->type == APPCORE_EVENT_RESPONSE) printf("file %s\n", event->json);
    if (event->type == APPCORE_EVENT_FAILED) fprintf(stderr, "%s\n", event->error->message);
    if (APPCORE_EVENT_IS_LAST(event->type)) {
      running--;
      failed += event->type != APPCORE_EVENT_DONE;
    }
    appcore_event_free(event);
  }
  appcore_close(core, NULL);
  return failed > 0;
}
