/*
 * A sync and feature modules at once, as a test: sessions of their own, one login and one renewal,
 * cancellation of one module, a server that is slow for another, and another origin.
 * Usage: modules CONFIG INVOICES FOLDER
 */
#include "test.h"
#include <sys/stat.h>
#include <time.h>

enum { FILES = 200 };

static double milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static appcore_request begin(appcore_t *core, const char *module, const char *address,
                             const char *options) {
  appcore_request request;
  SUCCEEDS(appcore_send(core, NULL, module, address, options, &request, &failure));
  return request;
}

/* Sends a request while no other is under way, and returns its response. */
static appcore_event *ask(appcore_t *core, const char *address, const char *options) {
  appcore_request request = begin(core, "control", address, options);
  appcore_event *response = await(core, request, APPCORE_EVENT_RESPONSE);
  appcore_event_free(await(core, request, APPCORE_EVENT_DONE));
  return response;
}

static void control(appcore_t *core, const char *address, const char *options) {
  appcore_event *response = ask(core, address, options);
  EXPECT(has(response->json, "\"status\":200"));
  appcore_event_free(response);
}

static int renewals(appcore_t *core) {
  appcore_event *statistics = ask(core, "_sandbox/stats", NULL);
  const char *count = strstr(statistics->json, "\\\"refresh_token\\\":");
  int found = count ? atoi(count + strlen("\\\"refresh_token\\\":")) : 0;
  appcore_event_free(statistics);
  return found;
}

static void refuse_mistakes(appcore_t *core) {
  appcore_request request;
  FAILS(appcore_session(core, NULL, NULL, &failure), APPCORE_MISUSE, "bad-text");
  FAILS(appcore_session(core, "a/b", NULL, &failure), APPCORE_MISUSE, "bad-argument");
  FAILS(appcore_session(core, "invoices", NULL, &failure), APPCORE_MISUSE, "bad-argument");
  FAILS(appcore_session(core, "auth", NULL, &failure), APPCORE_MISUSE, "bad-argument");
  FAILS(appcore_session(core, "x", "{\"concurency\": 2}", &failure), APPCORE_MISUSE,
        "bad-argument");
  FAILS(appcore_session(core, "x", "{\"concurrency\": 0}", &failure), APPCORE_MISUSE,
        "bad-argument");
  FAILS(appcore_session(core, "x", "concurrency: 2", &failure), APPCORE_MISUSE, "bad-argument");
  FAILS(appcore_send(core, NULL, "x", NULL, NULL, &request, &failure), APPCORE_MISUSE, "bad-text");
  FAILS(appcore_send(core, NULL, "x", "a", "{\"to\": \"a\"}", &request, &failure), APPCORE_MISUSE,
        "bad-argument");
  FAILS(appcore_send(core, NULL, "x", "a", "{\"bodyBase64\": \"?\"}", &request, &failure),
        APPCORE_MISUSE, "bad-argument");
  FAILS(appcore_send(core, NULL, "x", "a", "{\"too\": \"/a\"}", &request, &failure),
        APPCORE_MISUSE, "bad-argument");
  EXPECT(request == 0);
  SUCCEEDS(appcore_cancel_session(core, "x", &failure));
}

/* The same host under another name is another origin, which must not see the login. */
static void visit_other_origin(appcore_t *core) {
  const char *json = "{\"headers\": {\"Accept\": \"application/json\"}}";
  appcore_event *status = ask(core, "api.xro/2.0/Invoices?page=1", json);
  char url[4096], other[4200];
  member(status->json, "url", url, sizeof url);
  EXPECT(has(status->json, "\"status\":200"));
  appcore_event_free(status);
  char *rest = strstr(url, "127.0.0.1");
  EXPECT(rest);
  snprintf(other, sizeof other, "http://localhost%s", rest + strlen("127.0.0.1"));
  appcore_event *refused = ask(core, other, json);
  EXPECT(has(refused->json, "\"status\":401"));
  appcore_event_free(refused);
}

int main(int argc, char **argv) {
  if (argc != 4) return 64;
  const char *folder = argv[3];
  appcore_t *core = open_core(argv[1], NULL);
  refuse_mistakes(core);
  const char *values = "{\"timeout\": {\"request\": \"300s\", \"idle\": null}, \"concurrency\": 2}";
  SUCCEEDS(appcore_session(core, "documents", values, &failure));
  SUCCEEDS(appcore_session(core, "documents", values, &failure));
  visit_other_origin(core);
  FAILS(appcore_session(core, "control", values, &failure), APPCORE_MISUSE, "bad-argument");

  char *page;
  SUCCEEDS(appcore_invoices(core, "{\"all\": true, \"limit\": 201}", &page, &failure));
  char addresses[FILES + 1][256], *rest = page;
  for (int i = 0; i <= FILES; i++) {
    /* The id of an invoice comes before its number; a contact has an id as well. */
    char id[128];
    rest = strstr(rest + 1, "\",\"number\":");
    EXPECT(rest);
    const char *start = rest;
    while (start[-1] != '"') start--;
    snprintf(id, sizeof id, "%.*s", (int)(rest - start), start);
    snprintf(addresses[i], sizeof addresses[i], "api.xro/2.0/Invoices/%s", id);
  }
  appcore_string_free(page);

  /* The server sends the last one at a byte a second. */
  char fault[1024];
  snprintf(fault, sizeof fault,
           "{\"method\": \"POST\", \"body\": \"{\\\"path\\\": \\\"/%s\\\", \\\"kind\\\": "
           "\\\"trickle\\\"}\"}", addresses[FILES]);
  control(core, "_sandbox/faults", fault);
  int before = renewals(core);
  control(core, "_sandbox/tokens/expire", "{\"method\": \"POST\"}");

  appcore_request sync, slow = begin(
      core, "previews", addresses[FILES], "{\"headers\": {\"Accept\": \"application/json\"}}");
  SUCCEEDS(appcore_sync(core, NULL, "invoices", "{\"full\": true}", &sync, &failure));
  appcore_request first = 0;
  for (int i = 0; i < FILES; i++) {
    char options[4200];
    snprintf(options, sizeof options, "{\"to\": \"%s/%d.json\", \"headers\": {\"Accept\": "
             "\"application/json\"}}", folder, i);
    appcore_request request = begin(core, "documents", addresses[i], options);
    if (first == 0) first = request;
  }

  int done = 0, cancelled = 0, has_synced = 0, is_slow_cancelled = 0;
  double start = 0, end = 0;
  while (done + cancelled < FILES || !has_synced || !is_slow_cancelled) {
    appcore_event *event = next(core);
    if (event->type == APPCORE_EVENT_REPORT) {
      EXPECT(has(event->json, "\"result\":\"complete\"") && event->request == sync);
      char read[32];
      snprintf(read, sizeof read, "\"unchanged\":%s,", argv[2]);
      EXPECT(has(event->json, read));
    }
    if (APPCORE_EVENT_IS_LAST(event->type)) {
      if (event->request == sync) {
        EXPECT(event->type == APPCORE_EVENT_DONE);
        has_synced = 1;
        /* The slow one neither ends nor holds up the others. */
        SUCCEEDS(appcore_cancel(core, slow, &failure));
      } else if (event->request == slow) {
        EXPECT(event->type == APPCORE_EVENT_CANCELLED && has_synced);
        is_slow_cancelled = 1;
      } else {
        EXPECT(event->request >= first && event->request < first + FILES);
        EXPECT(event->type == APPCORE_EVENT_DONE || event->type == APPCORE_EVENT_CANCELLED);
        if (event->type == APPCORE_EVENT_DONE) done++; else cancelled++;
        if (cancelled) end = milliseconds();
        if (done == 20 && start == 0) {
          start = milliseconds();
          SUCCEEDS(appcore_cancel_session(core, "documents", &failure));
        }
      }
    }
    appcore_event_free(event);
  }
  EXPECT(done >= 20 && cancelled > 0);
  int files = 0;
  for (int i = 0; i < FILES; i++) {
    char path[4200];
    struct stat status;
    snprintf(path, sizeof path, "%s/%d.json", folder, i);
    files += stat(path, &status) == 0 && status.st_size > 100;
  }
  EXPECT(files == done);

  /* The session can be used again, and continues into the same files. */
  char options[4200];
  snprintf(options, sizeof options, "{\"to\": \"%s/%d.json\", \"headers\": {\"Accept\": "
           "\"application/json\"}}", folder, FILES - 1);
  appcore_request again = begin(core, "documents", addresses[FILES - 1], options);
  appcore_event *file = await(core, again, APPCORE_EVENT_RESPONSE);
  EXPECT(has(file->json, "\"file\":\"") && has(file->json, "\"resumedFrom\":"));
  appcore_event_free(file);
  appcore_event_free(await(core, again, APPCORE_EVENT_DONE));
  again = begin(core, "documents", "api.xro/2.0/Invoices/nothing", options);
  appcore_event *missing = next(core);
  EXPECT(missing->type == APPCORE_EVENT_FAILED && strcmp(missing->error->code, "not-found") == 0);
  appcore_event_free(missing);
  EXPECT(renewals(core) == before + 1);
  SUCCEEDS(appcore_close(core, &failure));
  printf("modules: %d files, %d cancelled in %.1f ms\n", done, cancelled, end - start);
  return 0;
}
