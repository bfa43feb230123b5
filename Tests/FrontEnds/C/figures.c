/*
 * Figures: opening a core and reading the first 50 invoices, in a process that does nothing else or
 * again and again; and events a second.
 * Usage: figures CONFIG once | figures CONFIG again TIMES | figures CONFIG events COUNT
 * Prints microseconds, one line for each time; events a second.
 */
#include "test.h"
#include <time.h>

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void first_page(const char *config) {
  double start = seconds();
  appcore_t *core = open_core(config, NULL);
  char *page;
  SUCCEEDS(appcore_invoices(core, "{\"limit\": 50}", &page, &failure));
  printf("%.0f\n", (seconds() - start) * 1e6);
  EXPECT(times(page, "\"rawStatus\":") == 50);
  appcore_string_free(page);
  SUCCEEDS(appcore_close(core, &failure));
}

/* Each request fails at once, so that what is measured is requests and the queue. */
static void fetch_events(const char *config, int count) {
  appcore_t *core = open_core(config, NULL);
  int running = 0;
  double start = seconds();
  for (int fetched = 0; fetched < count; fetched++) {
    while (running < 64) {
      SUCCEEDS(appcore_sync(core, "nobody", "all", NULL, NULL, &failure));
      running++;
    }
    appcore_event_free(next(core));
    running--;
  }
  printf("%.0f\n", count / (seconds() - start));
  SUCCEEDS(appcore_close(core, &failure));
}

int main(int argc, char **argv) {
  if (argc == 3 && strcmp(argv[2], "once") == 0) {
    first_page(argv[1]);
  } else if (argc == 4 && strcmp(argv[2], "again") == 0) {
    for (int i = 0; i < atoi(argv[3]); i++) first_page(argv[1]);
  } else if (argc == 4 && strcmp(argv[2], "events") == 0) {
    fetch_events(argv[1], atoi(argv[3]));
  } else {
    return 64;
  }
  return 0;
}
