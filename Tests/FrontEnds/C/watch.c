/*
 * Shows the number of invoices whenever it changes, through this program or another.
 * Usage: watch [CONFIG [TIMES]]; ends after so many numbers, or with Ctrl-C
 */
#include <appcore.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int times = argc > 2 ? atoi(argv[2]) : 0;
  appcore_t *core;
  if (appcore_open(argc > 1 ? argv[1] : NULL, NULL, &core, NULL) != APPCORE_OK) return 1;
  if (appcore_watch(core, NULL, NULL) != APPCORE_OK) return 1;

  int64_t shown = -1;
  int is_running = 1;
  while (is_running) {
    appcore_event *event;
    if (appcore_next_event(core, -1, &event, NULL) != APPCORE_OK) break;
    if (event->type == APPCORE_EVENT_CHANGED) {
      int64_t count;
      appcore_invoice_count(core, NULL, &count, NULL);
      if (count != shown) {
        printf("%" PRId64 " invoices\n", count);
        fflush(stdout);
        shown = count;
        is_running = --times != 0;
      }
    }
    if (APPCORE_EVENT_IS_LAST(event->type)) is_running = 0;
    appcore_event_free(event);
  }
  return appcore_close(core, NULL);
}
