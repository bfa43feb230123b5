/* What the test programs share: expectations, and waiting for events. */
#ifndef APPCORE_TEST_H
#define APPCORE_TEST_H

#include <appcore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#define EXPECT(condition)                                                         \
  do {                                                                            \
    if (!(condition)) {                                                           \
      fprintf(stderr, "%s:%d: expected %s\n", __FILE__, __LINE__, #condition);    \
      abort();                                                                    \
    }                                                                             \
  } while (0)

/* Expects that a call succeeds, which writes its error to `failure`. */
#define SUCCEEDS(call)                                                            \
  do {                                                                            \
    appcore_error *failure = NULL;                                                \
    int kind = call;                                                              \
    if (failure) fprintf(stderr, "%s (%s)\n", failure->message, failure->code);   \
    EXPECT(kind == APPCORE_OK && failure == NULL && #call);                       \
  } while (0)

/* Expects that a call fails with a kind and a code. */
#define FAILS(call, wanted, wanted_code)                                          \
  do {                                                                            \
    appcore_error *failure = NULL;                                                \
    int kind = call;                                                              \
    EXPECT(kind == (wanted) && failure && failure->kind == kind && #call);        \
    if (strcmp(failure->code, wanted_code)) fprintf(stderr, "%s\n", failure->code); \
    EXPECT(strcmp(failure->code, wanted_code) == 0 && failure->message[0]);       \
    appcore_error_free(failure);                                                  \
  } while (0)

static inline int has(const char *text, const char *part) {
  return text && strstr(text, part) != NULL;
}

static inline int times(const char *text, const char *part) {
  int count = 0;
  for (; (text = strstr(text, part)); text += strlen(part)) count++;
  return count;
}

/* Copies the first member of this name. */
static inline void member(const char *json, const char *name, char *value, size_t size) {
  char key[64];
  snprintf(key, sizeof key, "\"%s\":\"", name);
  const char *start = json ? strstr(json, key) : NULL;
  EXPECT(start);
  start += strlen(key);
  snprintf(value, size, "%.*s", (int)strcspn(start, "\""), start);
}

static inline void run_program(const char *program, const char *argument) {
  EXPECT(program && argument);
  pid_t child = fork();
  if (child == 0) {
    execlp(program, program, argument, (char *)NULL);
    _exit(127);
  }
  int status;
  EXPECT(child > 0 && waitpid(child, &status, 0) == child);
  EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* Opens a core; `folder` holds its data and state, NULL for the usual folders. */
static inline appcore_t *open_core(const char *config, const char *folder) {
  char options[4096] = "{}";
  if (folder) {
    snprintf(options, sizeof options, "{\"dataFolder\": \"%s\", \"stateFolder\": \"%s\"}", folder,
             folder);
  }
  appcore_t *core;
  SUCCEEDS(appcore_open(config, options, &core, &failure));
  EXPECT(core);
  return core;
}

/* Returns the next event. Under Valgrind, a cancel may wait minutes for a transaction to end. */
static inline appcore_event *next(appcore_t *core) {
  appcore_event *event;
  SUCCEEDS(appcore_next_event(core, 600000, &event, &failure));
  EXPECT(event);
  return event;
}

/* Returns the next event of a type, and expects only progress, changes and log lines before it. */
static inline appcore_event *await(appcore_t *core, appcore_request request, int type) {
  while (1) {
    appcore_event *event = next(core);
    if (event->type == type && event->request == request) return event;
    int is_passing = event->type == APPCORE_EVENT_PROGRESS ||
                     event->type == APPCORE_EVENT_CHANGED || event->type == APPCORE_EVENT_LOG ||
                     event->type == APPCORE_EVENT_TRANSFER ||
                     event->type == APPCORE_EVENT_DOCUMENT_PROGRESS;
    if (!is_passing) {
      fprintf(stderr, "event %d of request %d: %s\n", event->type, (int)event->request,
              event->json ? event->json : "");
    }
    EXPECT(is_passing);
    appcore_event_free(event);
  }
}

#endif
