/*
 * What an open core is for its process: its threads leave signals to the program, and none of them
 * wakes while nothing happens.
 * Usage: process CONFIG [SECONDS]
 * The account is signed in. Counts how often a thread wakes in so many seconds, 3 by default.
 */
#include "test.h"
#include <dirent.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <time.h>

static const int left_to_program[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM,
                                      SIGCHLD, SIGCONT, SIGTSTP, SIGWINCH, SIGIO};

/* Calls a function with the value of a line of each thread but the first. */
static void for_each_thread(const char *line, void (*call)(const char *value)) {
  DIR *folder = opendir("/proc/self/task");
  EXPECT(folder);
  struct dirent *entry;
  while ((entry = readdir(folder))) {
    if (atoi(entry->d_name) == 0 || atoi(entry->d_name) == getpid()) continue;
    char path[300], text[256];
    snprintf(path, sizeof path, "/proc/self/task/%s/status", entry->d_name);
    FILE *file = fopen(path, "r");
    /* The thread may have ended. */
    if (!file) continue;
    while (fgets(text, sizeof text, file)) {
      if (strncmp(text, line, strlen(line)) == 0) call(text + strlen(line));
    }
    fclose(file);
  }
  closedir(folder);
}

static unsigned long wakes, threads;

static void add_wakes(const char *value) { wakes += strtoul(value, NULL, 10); }

static void expect_blocked(const char *value) {
  unsigned long mask = strtoul(value, NULL, 16);
  threads++;
  for (size_t i = 0; i < sizeof left_to_program / sizeof *left_to_program; i++) {
    EXPECT(mask >> (left_to_program[i] - 1) & 1);
  }
}

static unsigned long counted_wakes(void) {
  wakes = 0;
  for_each_thread("voluntary_ctxt_switches:", add_wakes);
  return wakes;
}

/* Reads the log of a sync, whose lines are events. */
static void read_log(appcore_t *core) {
  int lines = 0, is_running = 1;
  appcore_request request;
  SUCCEEDS(appcore_sync(core, NULL, "invoices", NULL, &request, &failure));
  while (is_running) {
    appcore_event *event = next(core);
    if (event->type == APPCORE_EVENT_LOG) {
      EXPECT(event->request == 0 && has(event->json, "\"level\":\""));
      EXPECT(has(event->json, "\"label\":\"appcore.") && has(event->json, "\"metadata\":{"));
      lines++;
    }
    is_running = event->request != request || !APPCORE_EVENT_IS_LAST(event->type);
    appcore_event_free(event);
  }
  EXPECT(lines > 0);
}

/* Does something of each kind, so that every thread that the library uses has been started. */
static void work(appcore_t *core) {
  appcore_request request;
  SUCCEEDS(appcore_status(core, NULL, &request, &failure));
  appcore_event_free(await(core, request, APPCORE_EVENT_STATUS));
  appcore_event_free(await(core, request, APPCORE_EVENT_DONE));
  SUCCEEDS(appcore_sync(core, NULL, "all", NULL, &request, &failure));
  appcore_event_free(await(core, request, APPCORE_EVENT_REPORT));
  appcore_event_free(await(core, request, APPCORE_EVENT_DONE));
  char *json;
  SUCCEEDS(appcore_invoices(core, "{\"limit\": 1}", &json, &failure));
  appcore_string_free(json);
}

static void receive_signals(void) {
  for_each_thread("SigBlk:", expect_blocked);
  EXPECT(threads > 0);
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigprocmask(SIG_BLOCK, &signals, NULL);
  int descriptor = signalfd(-1, &signals, SFD_CLOEXEC);
  for (int i = 0; i < 100; i++) {
    kill(getpid(), SIGTERM);
    struct signalfd_siginfo received;
    EXPECT(read(descriptor, &received, sizeof received) == sizeof received);
    EXPECT(received.ssi_signo == SIGTERM);
  }
  close(descriptor);
  printf("process: %lu threads leave signals to the program\n", threads);
}

/* Waits for so many seconds in which no thread of the library wakes. */
static void be_idle(int seconds) {
  unsigned long woken = 1;
  for (int i = 0; i < 20 && woken; i++) {
    unsigned long before = counted_wakes();
    struct timespec pause = {seconds, 0};
    nanosleep(&pause, NULL);
    /* Threads that have ended take their wakes along, so the sum is then less. */
    woken = counted_wakes() - before;
  }
  EXPECT(woken == 0);
  printf("process: no thread woke in %d s\n", seconds);
}

int main(int argc, char **argv) {
  if (argc < 2) return 64;
  appcore_t *core;
  const char *options = "{\"logEvents\": true, \"logLevel\": \"debug\"}";
  SUCCEEDS(appcore_open(argv[1], options, &core, &failure));
  appcore_request watch;
  SUCCEEDS(appcore_watch(core, &watch, &failure));
  work(core);
  read_log(core);
  receive_signals();
  be_idle(argc > 2 ? atoi(argv[2]) : 3);
  SUCCEEDS(appcore_close(core, &failure));
  return 0;
}
