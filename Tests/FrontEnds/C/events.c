/*
 * Waits for events in a main loop of its own, with poll(2), and cancels a request.
 * Usage: events [CONFIG]
 */
#include <appcore.h>
#include <poll.h>
#include <stdio.h>

int main(int argc, char **argv) {
  appcore_t *core;
  if (appcore_open(argc > 1 ? argv[1] : NULL, NULL, &core, NULL) != APPCORE_OK) return 1;

  /* One request ends by itself, the other when it is cancelled. */
  appcore_request status, watch;
  appcore_watch(core, &watch, NULL);
  appcore_status(core, NULL, &status, NULL);

  int ended = 0;
  while (ended < 2) {
    /* A real program waits here for its windows and sockets as well. */
    struct pollfd waiting = {appcore_event_fd(core), POLLIN, 0};
    if (poll(&waiting, 1, -1) < 0) continue;

    appcore_event *event;
    while (appcore_next_event(core, 0, &event, NULL) == APPCORE_OK && event) {
      if (event->type == APPCORE_EVENT_STATUS) puts(event->json);
      if (event->type == APPCORE_EVENT_FAILED) printf("failed: %s\n", event->error->message);
      if (APPCORE_EVENT_IS_LAST(event->type)) {
        ended++;
        /* The watch goes on until it is cancelled. */
        if (event->request == status) appcore_cancel(core, watch, NULL);
      }
      appcore_event_free(event);
    }
  }
  return appcore_close(core, NULL);
}
