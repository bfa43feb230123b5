/*
 * Many openings, many events, and cancels at random moments.
 * Usage: endurance CONFIG OPENINGS EVENTS CANCELS SEED
 * The account is signed in. Prints what it did, and how many events it fetched a second.
 */
#include "test.h"
#include <dirent.h>
#include <time.h>

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int entries(const char *path) {
  int count = 0;
  DIR *folder = opendir(path);
  EXPECT(folder);
  while (readdir(folder)) count++;
  closedir(folder);
  return count;
}

/* Waits until as few are left as before: an idle thread ends after seconds. */
static void expect_entries(const char *path, int before) {
  int left = 0;
  for (int i = 0; i < 600 && (left = entries(path)) > before; i++) {
    struct timespec pause = {0, 100000000};
    nanosleep(&pause, NULL);
  }
  if (left > before) fprintf(stderr, "%s: %d, at first %d\n", path, left, before);
  EXPECT(left <= before);
}

static void open_often(const char *config, int times) {
  int files = 0, threads = 0;
  for (int i = 0; i < times; i++) {
    appcore_t *core = open_core(config, NULL);
    char *json;
    SUCCEEDS(appcore_invoices(core, NULL, &json, &failure));
    appcore_string_free(json);
    SUCCEEDS(appcore_close(core, &failure));
    /* What the first openings leave is shared by all, such as the timers of libdispatch. */
    if (i == 9) {
      files = entries("/proc/self/fd");
      threads = entries("/proc/self/task");
    }
  }
  if (times > 10) {
    expect_entries("/proc/self/fd", files);
    expect_entries("/proc/self/task", threads);
  }
  printf("endurance: opened and closed %d times\n", times);
}

/* Starts requests and fetches their events, with as many at once as fit a program. */
static void fetch_often(const char *config, int events) {
  appcore_t *core = open_core(config, NULL);
  double start = seconds();
  int fetched = 0, running = 0;
  while (fetched < events) {
    while (running < 64) {
      /* Each fails at once, so that what is measured is the queue. */
      SUCCEEDS(appcore_sync(core, "nobody", "all", NULL, NULL, &failure));
      running++;
    }
    appcore_event *event = next(core);
    EXPECT(event->type == APPCORE_EVENT_FAILED);
    running--;
    fetched++;
    appcore_event_free(event);
  }
  printf("endurance: %d events of requests, %.0f a second\n", fetched,
         fetched / (seconds() - start));
  SUCCEEDS(appcore_close(core, &failure));
}

/* Cancels syncs, watches and reports wherever they are; each has one last event. */
static void cancel_often(const char *config, int cancels, unsigned seed) {
  appcore_t *core = open_core(config, NULL);
  srand(seed);
  int cancelled = 0, done = 0, failed = 0;
  for (int i = 0; i < cancels; i++) {
    appcore_request request;
    const char *options = "{\"full\": true}";
    switch (rand() % 4) {
      case 0: SUCCEEDS(appcore_watch(core, &request, &failure)); break;
      case 1: SUCCEEDS(appcore_status(core, NULL, &request, &failure)); break;
      default: SUCCEEDS(appcore_sync(core, NULL, "invoices", options, &request, &failure));
    }
    struct timespec pause = {0, rand() % 60 * 1000000L};
    nanosleep(&pause, NULL);
    SUCCEEDS(appcore_cancel(core, request, &failure));
    int is_running = 1;
    while (is_running) {
      appcore_event *event = next(core);
      EXPECT(event->request == request);
      cancelled += event->type == APPCORE_EVENT_CANCELLED;
      done += event->type == APPCORE_EVENT_DONE;
      failed += event->type == APPCORE_EVENT_FAILED;
      is_running = !APPCORE_EVENT_IS_LAST(event->type);
      appcore_event_free(event);
    }
  }
  EXPECT(cancelled + done == cancels && failed == 0);
  /* Closing is a cancel as well. */
  SUCCEEDS(appcore_sync(core, NULL, "invoices", NULL, NULL, &failure));
  SUCCEEDS(appcore_close(core, &failure));
  printf("endurance: %d cancels, %d too late (seed %u)\n", cancels, done, seed);
}

int main(int argc, char **argv) {
  if (argc != 6) return 64;
  open_often(argv[1], atoi(argv[2]));
  fetch_often(argv[1], atoi(argv[3]));
  cancel_often(argv[1], atoi(argv[4]), (unsigned)strtoul(argv[5], NULL, 10));
  return 0;
}
