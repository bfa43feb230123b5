/*
 * Eight threads with one handle: they read, start requests, cancel them and fetch events, until one
 * of them closes the core under the others.
 * Usage: threads CONFIG ROUNDS
 */
#include "test.h"
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 8 };

static appcore_t *core;
static int rounds;
static atomic_int started, ended, fetched;

/* A call may fail only because another thread has closed the core, or because of too many. */
static int is_open(int kind) {
  EXPECT(kind == APPCORE_OK || kind == APPCORE_MISUSE || kind == APPCORE_TRY_AGAIN);
  return kind != APPCORE_MISUSE;
}

static void *work(void *argument) {
  int self = *(int *)argument;
  for (int i = 0; i < rounds; i++) {
    appcore_request request;
    char *json;
    appcore_event *event;
    int is_running = 1;
    switch ((self + i) % 4) {
      case 0:
        is_running = is_open(appcore_invoices(core, NULL, &json, NULL));
        appcore_string_free(json);
        break;
      case 1:
        is_running = is_open(appcore_status(core, NULL, &request, NULL));
        if (request) started++;
        break;
      case 2:
        is_running = is_open(appcore_watch(core, &request, NULL));
        if (request) started++;
        if (request) is_running = is_open(appcore_cancel(core, request, NULL));
        break;
      default: break;
    }
    while (is_running && (is_running = is_open(appcore_next_event(core, 1, &event, NULL))) && event) {
      fetched++;
      ended += APPCORE_EVENT_IS_LAST(event->type);
      appcore_event_free(event);
    }
    EXPECT(is_running);
  }
  return NULL;
}

/* Waits for an event that never comes, until the core is closed. */
static void *wait_for_nothing(void *argument) {
  (void)argument;
  appcore_event *event;
  EXPECT(appcore_next_event(core, -1, &event, NULL) == APPCORE_MISUSE && event == NULL);
  return NULL;
}

int main(int argc, char **argv) {
  if (argc != 3) return 64;
  rounds = atoi(argv[2]);
  core = open_core(argv[1], NULL);
  pthread_t threads[THREADS];
  int numbers[THREADS];
  for (int i = 0; i < THREADS; i++) {
    numbers[i] = i;
    EXPECT(pthread_create(&threads[i], NULL, work, &numbers[i]) == 0);
  }
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  while (ended < started) {
    appcore_event *event = next(core);
    ended += APPCORE_EVENT_IS_LAST(event->type);
    fetched++;
    appcore_event_free(event);
  }
  printf("threads: %d requests, %d events\n", started, fetched);

  for (int i = 0; i < THREADS; i++) {
    EXPECT(pthread_create(&threads[i], NULL, wait_for_nothing, NULL) == 0);
  }
  SUCCEEDS(appcore_close(core, &failure));
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  puts("threads: done");
  return 0;
}
