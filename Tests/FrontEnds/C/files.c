/*
 * Fetches the PDF of an invoice, shows progress, stops in order after Ctrl-C, and prints the list
 * of the invoice's files, whose member "path" is where each is.
 * Usage: files CONFIG INVOICE; the invoice's number or id
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
  if (argc != 3 || appcore_open(argv[1], NULL, &core, NULL) != APPCORE_OK) return 1;
  signal(SIGINT, interrupt);

  /* A real program writes texts that users enter with a JSON library. */
  char options[256];
  snprintf(options, sizeof options, "{\"invoice\": \"%.100s\", \"kind\": \"pdf\"}", argv[2]);
  appcore_request request;
  appcore_error *error;
  int kind = appcore_fetch_documents(core, NULL, options, &request, &error);
  int is_running = kind == APPCORE_OK;
  if (!is_running) fprintf(stderr, "%s\n", error->message);
  appcore_error_free(error);

  while (is_running) {
    appcore_event *event;
    if (appcore_next_event(core, 100, &event, NULL) != APPCORE_OK) break;
    if (is_interrupted) {
      appcore_cancel(core, request, NULL);
      is_interrupted = 0;
    }
    if (!event) continue;
    if (event->type == APPCORE_EVENT_DOCUMENT_PROGRESS) printf("progress %s\n", event->json);
    if (event->type == APPCORE_EVENT_DOCUMENT_REPORT) printf("report %s\n", event->json);
    if (event->error) {
      fprintf(stderr, "%s\n", event->error->message);
      kind = event->error->kind;
    }
    is_running = !APPCORE_EVENT_IS_LAST(event->type);
    appcore_event_free(event);
  }

  char *json;
  if (appcore_documents(core, options, &json, NULL) == APPCORE_OK) puts(json);
  appcore_string_free(json);
  appcore_close(core, NULL);
  return kind;
}
