/*
 * Eight threads with one handle: they read, start requests of all kinds, cancel them and fetch
 * events. Then a ninth thread closes the core in the middle of their work. Before that, one thread
 * ends a reading of another one, while a third reads on.
 * Usage: threads CONFIG ROUNDS
 * The account is signed in.
 */
#include "test.h"
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { THREADS = 8, KINDS = 8 };

static appcore_t *core;
static char invoice[128];
/* The number that the next request of this thread has. */
static _Thread_local appcore_request promised;
static int rounds;
static atomic_int started, ended, calls, closed, cancelled;

/* A call may fail only because another thread has closed the core, or because of too many. */
static int is_open(int kind) {
  EXPECT(kind == APPCORE_OK || kind == APPCORE_MISUSE || kind == APPCORE_TRY_AGAIN);
  calls++;
  return kind != APPCORE_MISUSE;
}

/* Counts a request that was started, and returns false if the core is closed. */
static int is_started(int kind, appcore_request request) {
  EXPECT((kind == APPCORE_OK) == (request != 0));
  EXPECT(request == 0 || request == promised);
  if (request) started++;
  return is_open(kind);
}

static int is_cancelled(int kind, appcore_request request) {
  int is_running = is_started(kind, request);
  return request ? is_open(appcore_cancel(core, request, NULL)) : is_running;
}

/* Makes one of the calls; returns false if the core is closed. */
static int call(int number) {
  appcore_request request;
  char *json = NULL;
  int64_t count;
  int is_running = 1, kind;
  promised = appcore_next_request(core);
  switch (number % KINDS) {
    case 0: is_running = is_open(appcore_invoices(core, NULL, &json, NULL)); break;
    case 1: is_running = is_open(appcore_invoice(core, NULL, invoice, &json, NULL)); break;
    case 2: is_running = is_open(appcore_contact_count(core, NULL, &count, NULL)); break;
    case 3:
      kind = appcore_status(core, NULL, &request, NULL);
      is_running = is_started(kind, request);
      break;
    case 4:
      kind = appcore_watch(core, &request, NULL);
      is_running = is_cancelled(kind, request);
      break;
    case 5:
      /* Of several at once, one syncs and the others fail. */
      kind = appcore_sync(core, NULL, "invoices", "{\"wait\": false}", &request, NULL);
      is_running = is_started(kind, request);
      break;
    case 6:
      kind = appcore_sync(core, NULL, "all", NULL, &request, NULL);
      is_running = is_cancelled(kind, request);
      break;
    default:
      /* Nobody approves it. */
      kind = appcore_sign_in(core, NULL, NULL, &request, NULL);
      if (request) {
        int result = appcore_paste_redirect(core, request, "http://127.0.0.1", NULL);
        EXPECT(result == APPCORE_FAILED || result == APPCORE_MISUSE);
      }
      is_running = is_cancelled(kind, request);
  }
  appcore_string_free(json);
  return is_running;
}

/* Fetches the events that have come; returns false if the core is closed. */
static int fetch(void) {
  appcore_event *event;
  while (1) {
    if (!is_open(appcore_next_event(core, 1, &event, NULL))) return 0;
    if (!event) return 1;
    ended += APPCORE_EVENT_IS_LAST(event->type);
    appcore_event_free(event);
  }
}

static void *work(void *argument) {
  int self = *(int *)argument;
  for (int i = 0; i < rounds; i++) EXPECT(call(self + i) && fetch());
  return NULL;
}

/* Works until the core is closed. */
static void *work_on(void *argument) {
  int self = *(int *)argument;
  while (call(self) && fetch()) self++;
  return NULL;
}

/* Waits for an event that never comes, until the core is closed. */
static void *wait_for_nothing(void *argument) {
  (void)argument;
  appcore_event *event;
  EXPECT(appcore_next_event(core, -1, &event, NULL) == APPCORE_MISUSE && event == NULL);
  return NULL;
}

/* Closes the core; of several threads that do, one succeeds. */
static void *close_core(void *argument) {
  (void)argument;
  int kind = appcore_close(core, NULL);
  EXPECT(kind == APPCORE_OK || kind == APPCORE_MISUSE);
  closed += kind == APPCORE_OK;
  return NULL;
}

/* Closes the core at a random moment, once the others are at work. */
static void *close_in_the_middle(void *argument) {
  int moment = calls + 200 + rand() % 200;
  while (calls < moment) sched_yield();
  return close_core(argument);
}

/* Reads until it is cancelled. */
static void *read_until_cancelled(void *argument) {
  (void)argument;
  int kind;
  do {
    appcore_error *error;
    char *json;
    kind = appcore_invoices(core, "{\"all\": true, \"reading\": \"list\"}", &json, &error);
    EXPECT(kind == APPCORE_OK || (kind == APPCORE_CANCELLED && json == NULL));
    if (error) EXPECT(strcmp(error->code, "interrupted") == 0);
    appcore_error_free(error);
    appcore_string_free(json);
  } while (kind == APPCORE_OK);
  atomic_store(&cancelled, 1);
  return NULL;
}

/* Reads under another name and under none, and is never cancelled. */
static void *read_on(void *argument) {
  (void)argument;
  while (!atomic_load(&cancelled)) {
    char *json;
    int64_t count;
    SUCCEEDS(appcore_invoices(core, "{\"all\": true, \"reading\": \"li\"}", &json, &failure));
    appcore_string_free(json);
    SUCCEEDS(appcore_invoice_count(core, "{\"search\": \"a\"}", &count, &failure));
  }
  return NULL;
}

static void cancel_reading(void) {
  pthread_t reader, other;
  EXPECT(pthread_create(&reader, NULL, read_until_cancelled, NULL) == 0);
  EXPECT(pthread_create(&other, NULL, read_on, NULL) == 0);
  while (!atomic_load(&cancelled)) {
    SUCCEEDS(appcore_cancel_reading(core, "list", &failure));
    usleep(500);
  }
  pthread_join(reader, NULL);
  pthread_join(other, NULL);
}

/* Runs a function in eight threads, and another in a ninth if there is one. */
static void run(void *(*function)(void *), void *(*ninth)(void *)) {
  pthread_t threads[THREADS + 1];
  int numbers[THREADS];
  for (int i = 0; i < THREADS; i++) {
    numbers[i] = i;
    EXPECT(pthread_create(&threads[i], NULL, function, &numbers[i]) == 0);
  }
  if (ninth) EXPECT(pthread_create(&threads[THREADS], NULL, ninth, NULL) == 0);
  for (int i = 0; i < THREADS + (ninth != NULL); i++) pthread_join(threads[i], NULL);
}

/* Opens the core, and reads the id of an invoice, which a sync brings at first. */
static void open_synced(const char *config) {
  core = open_core(config, NULL);
  appcore_request request;
  SUCCEEDS(appcore_sync(core, NULL, "invoices", NULL, &request, &failure));
  appcore_event_free(await(core, request, APPCORE_EVENT_REPORT));
  appcore_event_free(await(core, request, APPCORE_EVENT_DONE));
  char *json;
  SUCCEEDS(appcore_invoices(core, "{\"limit\": 1}", &json, &failure));
  member(json, "id", invoice, sizeof invoice);
  appcore_string_free(json);
}

int main(int argc, char **argv) {
  if (argc != 3) return 64;
  rounds = atoi(argv[2]);
  open_synced(argv[1]);
  cancel_reading();
  run(work, NULL);
  while (ended < started) {
    appcore_event *event = next(core);
    ended += APPCORE_EVENT_IS_LAST(event->type);
    appcore_event_free(event);
  }
  printf("threads: %d calls, %d requests\n", calls, started);
  run(wait_for_nothing, close_core);
  EXPECT(closed == 1);

  int closings = 1 + rounds / 10;
  for (int i = 0; i < closings; i++) {
    core = open_core(argv[1], NULL);
    run(work_on, close_in_the_middle);
    FAILS(appcore_close(core, &failure), APPCORE_MISUSE, "bad-handle");
  }
  EXPECT(closed == 1 + closings);
  run(close_core, close_core);
  EXPECT(closed == 1 + closings);
  printf("threads: closed %d times in mid-work\n", closings);
  return 0;
}
