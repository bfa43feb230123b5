/*
 * NULL, wrong handles, closed handles and wrong arguments of every function: each has a defined
 * result.
 * Usage: misuse CONFIG
 */
#include "test.h"

/* Every function that takes a handle refuses this one. */
static void refuse(appcore_t *core) {
  appcore_event *event = (appcore_event *)1;
  appcore_request request = 1;
  char *json = (char *)1;
  int64_t count = 1;
  EXPECT(appcore_event_fd(core) == -1);
  FAILS(appcore_next_event(core, -1, &event, &failure), APPCORE_MISUSE, "bad-handle");
  EXPECT(event == NULL);
  FAILS(appcore_cancel(core, 1, &failure), APPCORE_MISUSE, "bad-handle");
  FAILS(appcore_sign_in(core, NULL, NULL, &request, &failure), APPCORE_MISUSE, "bad-handle");
  EXPECT(request == 0);
  FAILS(appcore_paste_redirect(core, 1, "http://127.0.0.1/callback?code=1", &failure),
        APPCORE_MISUSE, "bad-handle");
  FAILS(appcore_sign_out(core, NULL, NULL, &request, &failure), APPCORE_MISUSE, "bad-handle");
  FAILS(appcore_status(core, NULL, &request, &failure), APPCORE_MISUSE, "bad-handle");
  FAILS(appcore_organisations(core, NULL, &request, &failure), APPCORE_MISUSE, "bad-handle");
  FAILS(appcore_choose_organisation(core, NULL, "id", &request, &failure), APPCORE_MISUSE,
        "bad-handle");
  FAILS(appcore_providers(core, &json, &failure), APPCORE_MISUSE, "bad-handle");
  FAILS(appcore_sign_in_ways(core, NULL, &json, &failure), APPCORE_MISUSE, "bad-handle");
  FAILS(appcore_add_account(core, "a", NULL, &json, &failure), APPCORE_MISUSE, "bad-handle");
  FAILS(appcore_rename_account(core, "a", "b", &request, &failure), APPCORE_MISUSE, "bad-handle");
  FAILS(appcore_remove_account(core, "a", NULL, &request, &failure), APPCORE_MISUSE,
        "bad-handle");
  FAILS(appcore_sync(core, NULL, "all", NULL, &request, &failure), APPCORE_MISUSE, "bad-handle");
  FAILS(appcore_watch(core, &request, &failure), APPCORE_MISUSE, "bad-handle");
  EXPECT(appcore_next_request(core) == 0);
  FAILS(appcore_invoices(core, NULL, &json, &failure), APPCORE_MISUSE, "bad-handle");
  EXPECT(json == NULL);
  FAILS(appcore_invoice_count(core, NULL, &count, &failure), APPCORE_MISUSE, "bad-handle");
  EXPECT(count == 0);
  FAILS(appcore_invoice(core, NULL, "1", &json, &failure), APPCORE_MISUSE, "bad-handle");
  FAILS(appcore_invoice_summary(core, NULL, NULL, &json, &failure), APPCORE_MISUSE, "bad-handle");
  FAILS(appcore_contacts(core, NULL, &json, &failure), APPCORE_MISUSE, "bad-handle");
  FAILS(appcore_contact_count(core, NULL, &count, &failure), APPCORE_MISUSE, "bad-handle");
  FAILS(appcore_contact(core, NULL, "1", &json, &failure), APPCORE_MISUSE, "bad-handle");
  FAILS(appcore_payments(core, NULL, &json, &failure), APPCORE_MISUSE, "bad-handle");
  FAILS(appcore_payment_count(core, NULL, &count, &failure), APPCORE_MISUSE, "bad-handle");
  FAILS(appcore_payment(core, NULL, "1", &json, &failure), APPCORE_MISUSE, "bad-handle");
  FAILS(appcore_changes(core, NULL, &json, &failure), APPCORE_MISUSE, "bad-handle");
  FAILS(appcore_documents(core, NULL, &json, &failure), APPCORE_MISUSE, "bad-handle");
  FAILS(appcore_fetch_documents(core, NULL, NULL, &request, &failure), APPCORE_MISUSE,
        "bad-handle");
  FAILS(appcore_export_documents(core, NULL, NULL, &request, &failure), APPCORE_MISUSE,
        "bad-handle");
  FAILS(appcore_cancel_reading(core, "1", &failure), APPCORE_MISUSE, "bad-handle");
  /* A caller may not want the error. */
  EXPECT(appcore_invoices(core, NULL, &json, NULL) == APPCORE_MISUSE);
  EXPECT(appcore_watch(core, NULL, NULL) == APPCORE_MISUSE);
}

/* Every pointer of every function may be NULL. */
static void pass_nothing(appcore_t *core) {
  FAILS(appcore_open(NULL, NULL, NULL, &failure), APPCORE_MISUSE, "bad-argument");
  EXPECT(appcore_open(NULL, NULL, NULL, NULL) == APPCORE_MISUSE);
  FAILS(appcore_next_event(core, 0, NULL, &failure), APPCORE_MISUSE, "bad-argument");
  FAILS(appcore_invoices(core, NULL, NULL, &failure), APPCORE_MISUSE, "bad-argument");
  FAILS(appcore_invoice_count(core, NULL, NULL, &failure), APPCORE_MISUSE, "bad-argument");
  FAILS(appcore_invoice(core, NULL, "1", NULL, &failure), APPCORE_MISUSE, "bad-argument");
  FAILS(appcore_invoice_summary(core, NULL, NULL, NULL, &failure), APPCORE_MISUSE, "bad-argument");
  FAILS(appcore_contacts(core, NULL, NULL, &failure), APPCORE_MISUSE, "bad-argument");
  FAILS(appcore_contact_count(core, NULL, NULL, &failure), APPCORE_MISUSE, "bad-argument");
  FAILS(appcore_contact(core, NULL, "1", NULL, &failure), APPCORE_MISUSE, "bad-argument");
  FAILS(appcore_payments(core, NULL, NULL, &failure), APPCORE_MISUSE, "bad-argument");
  FAILS(appcore_payment_count(core, NULL, NULL, &failure), APPCORE_MISUSE, "bad-argument");
  FAILS(appcore_payment(core, NULL, "1", NULL, &failure), APPCORE_MISUSE, "bad-argument");
  FAILS(appcore_changes(core, NULL, NULL, &failure), APPCORE_MISUSE, "bad-argument");
  FAILS(appcore_documents(core, NULL, NULL, &failure), APPCORE_MISUSE, "bad-argument");
  FAILS(appcore_export_documents(core, NULL, NULL, NULL, &failure), APPCORE_MISUSE,
        "bad-argument");
  FAILS(appcore_providers(core, NULL, &failure), APPCORE_MISUSE, "bad-argument");
  FAILS(appcore_sign_in_ways(core, NULL, NULL, &failure), APPCORE_MISUSE, "bad-argument");
  char *json;
  FAILS(appcore_add_account(core, NULL, NULL, &json, &failure), APPCORE_MISUSE, "bad-text");
  FAILS(appcore_rename_account(core, NULL, NULL, NULL, &failure), APPCORE_MISUSE, "bad-text");
  FAILS(appcore_remove_account(core, NULL, NULL, NULL, &failure), APPCORE_MISUSE, "bad-text");
  FAILS(appcore_invoice(core, NULL, NULL, &json, &failure), APPCORE_MISUSE, "bad-text");
  FAILS(appcore_contact(core, NULL, NULL, &json, &failure), APPCORE_MISUSE, "bad-text");
  FAILS(appcore_payment(core, NULL, NULL, &json, &failure), APPCORE_MISUSE, "bad-text");
  FAILS(appcore_cancel_reading(core, NULL, &failure), APPCORE_MISUSE, "bad-text");
  SUCCEEDS(appcore_cancel_reading(core, "nobody reads", &failure));
  FAILS(appcore_sync(core, NULL, NULL, NULL, NULL, &failure), APPCORE_MISUSE, "bad-text");
  FAILS(appcore_choose_organisation(core, NULL, NULL, NULL, &failure), APPCORE_MISUSE, "bad-text");
  FAILS(appcore_paste_redirect(core, 1, NULL, &failure), APPCORE_MISUSE, "bad-text");
  EXPECT(appcore_paste_redirect(core, 1, NULL, NULL) == APPCORE_MISUSE);
  appcore_error_free(NULL);
  appcore_event_free(NULL);
  appcore_string_free(NULL);
  SUCCEEDS(appcore_close(NULL, &failure));
  EXPECT(appcore_close(NULL, NULL) == APPCORE_OK);
  EXPECT(appcore_version() && appcore_version() == appcore_version());
}

/*
 * In a child of fork the threads of the library are missing: each function refuses instead of
 * waiting for them. The alarm ends a child that waits nevertheless.
 */
static void refuse_after_fork(appcore_t *core) {
  pid_t child = fork();
  if (child == 0) {
    alarm(60);
    appcore_t *other = core;
    appcore_event *event;
    int64_t count;
    FAILS(appcore_open(NULL, NULL, &other, &failure), APPCORE_MISUSE, "forked");
    EXPECT(other == NULL);
    EXPECT(appcore_event_fd(core) == -1);
    FAILS(appcore_next_event(core, -1, &event, &failure), APPCORE_MISUSE, "forked");
    FAILS(appcore_status(core, NULL, NULL, &failure), APPCORE_MISUSE, "forked");
    FAILS(appcore_invoice_count(core, NULL, &count, &failure), APPCORE_MISUSE, "forked");
    FAILS(appcore_close(core, &failure), APPCORE_MISUSE, "forked");
    /* At an exit, Valgrind would count as lost what belongs to the missing threads. */
    execlp("true", "true", (char *)NULL);
    _exit(127);
  }
  int status;
  EXPECT(child > 0 && waitpid(child, &status, 0) == child);
  EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT(appcore_event_fd(core) >= 0);
}

static void pass_nonsense(appcore_t *core) {
  char *json;
  FAILS(appcore_cancel(core, 0, &failure), APPCORE_MISUSE, "bad-request");
  FAILS(appcore_cancel(core, 1, &failure), APPCORE_MISUSE, "bad-request");
  FAILS(appcore_cancel(core, UINT64_MAX, &failure), APPCORE_MISUSE, "bad-request");
  FAILS(appcore_paste_redirect(core, 0, "", &failure), APPCORE_MISUSE, "bad-request");
  FAILS(appcore_paste_redirect(core, UINT64_MAX, "", &failure), APPCORE_MISUSE, "bad-request");
  FAILS(appcore_paste_redirect(core, 1, "\xff", &failure), APPCORE_MISUSE, "bad-text");
  FAILS(appcore_sync(core, NULL, "rain", NULL, NULL, &failure), APPCORE_MISUSE, "bad-argument");
  FAILS(appcore_sync(core, "\xff", "all", NULL, NULL, &failure), APPCORE_MISUSE, "bad-text");
  FAILS(appcore_invoice(core, NULL, "\xc3", &json, &failure), APPCORE_MISUSE, "bad-text");
  FAILS(appcore_invoice(core, "nobody", "1", &json, &failure), APPCORE_CONFIGURATION,
        "unknown-account");
  FAILS(appcore_invoice_summary(core, NULL, "decade", &json, &failure), APPCORE_MISUSE,
        "bad-argument");
}

/* Expects that a call fails with "bad-argument", and that the message has a part. */
#define REFUSES(call, part)                                                       \
  do {                                                                            \
    appcore_error *failure = NULL;                                                \
    EXPECT((call) == APPCORE_MISUSE && failure && #call);                         \
    EXPECT(strcmp(failure->code, "bad-argument") == 0);                           \
    if (!has(failure->message, part)) fprintf(stderr, "%s\n", failure->message);  \
    EXPECT(has(failure->message, part) && !has(failure->message, "canary"));      \
    appcore_error_free(failure);                                                  \
  } while (0)

/* What is no object, is unknown, or has the wrong type is refused; no message shows a token. */
static void pass_bad_options(appcore_t *core) {
  char *json;
  int64_t count;
  const char *bad[] = {"", "x", "[]", "{", "{}x", "\"canary\"", "{\"limit\": 1, \"limit\": 2}"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    REFUSES(appcore_invoices(core, bad[i], &json, &failure), "query");
    REFUSES(appcore_sign_in(core, NULL, bad[i], NULL, &failure), "options");
    REFUSES(appcore_sign_out(core, NULL, bad[i], NULL, &failure), "options");
    REFUSES(appcore_sync(core, NULL, "all", bad[i], NULL, &failure), "options");
  }
  FAILS(appcore_invoices(core, "{\"search\": \"\xff\"}", &json, &failure), APPCORE_MISUSE,
        "bad-text");

  REFUSES(appcore_invoices(core, "{\"status\": \"open,lost\"}", &json, &failure), "'lost'");
  REFUSES(appcore_invoices(core, "{\"serach\": \"x\"}", &json, &failure),
          "'serach'; available: account, search,");
  REFUSES(appcore_add_account(core, "a", NULL, &json, &failure), "provider is missing");
  REFUSES(appcore_add_account(core, "a", "{\"provider\": \"xero\", \"environment\": \"moon\"}",
                              &json, &failure),
          "'moon'; available: production, sandbox");
  REFUSES(appcore_remove_account(core, "a", "{\"forget\": 1}", NULL, &failure), "forget");
  FAILS(appcore_add_account(core, "a", "{\"provider\": \"xero\"}", &json, &failure),
        APPCORE_CONFIGURATION, "configuration");
  FAILS(appcore_sign_in_ways(core, "nobody", &json, &failure), APPCORE_CONFIGURATION,
        "unknown-account");
  REFUSES(appcore_contacts(core, "{\"status\": \"open\"}", &json, &failure), "'status'");
  REFUSES(appcore_contacts(core, "{\"sort\": \"luck\"}", &json, &failure), "'luck'");
  REFUSES(appcore_payments(core, "{\"overdue\": true}", &json, &failure), "'overdue'");
  REFUSES(appcore_payments(core, "{\"type\": \"bill\"}", &json, &failure), "'bill'");
  REFUSES(appcore_payments(core, "{\"from\": \"2026\", \"to\": \"2025\"}", &json, &failure), "2025");
  REFUSES(appcore_changes(core, "{\"after\": \"canary\"}", &json, &failure), "after");
  REFUSES(appcore_changes(core, "{\"kind\": \"bill\"}", &json, &failure),
          "'bill'; available: account");
  REFUSES(appcore_changes(core, "{\"limit\": 0}", &json, &failure), "limit");
  REFUSES(appcore_changes(core, "{\"all\": true}", &json, &failure), "'all'");
  REFUSES(appcore_invoice_count(core, "{\"offset\": -1}", &count, &failure), "offset");
  REFUSES(appcore_invoice_count(core, "{\"limit\": 1.5}", &count, &failure), "limit");
  REFUSES(appcore_invoice_count(core, "{\"limit\": \"1\"}", &count, &failure), "limit");
  const char *large = "{\"limit\": 9223372036854775808}";
  REFUSES(appcore_invoice_count(core, large, &count, &failure), "limit");
  REFUSES(appcore_invoice_count(core, "{\"all\": 1}", &count, &failure),
          "all must be true or false");
  REFUSES(appcore_invoice_count(core, "{\"search\": 5}", &count, &failure), "search");
  const char *empty[] = {"min", "max", "from", "to", "currency", "type"};
  for (size_t i = 0; i < sizeof empty / sizeof *empty; i++) {
    char query[64];
    snprintf(query, sizeof query, "{\"%s\": \"\"}", empty[i]);
    FAILS(appcore_invoices(core, query, &json, &failure), APPCORE_MISUSE, "bad-argument");
  }
  const char *days = "{\"from\": \"2026-02\", \"to\": \"2026-01\"}";
  REFUSES(appcore_invoices(core, days, &json, &failure), "from 2026-02-01 is after to 2026-01-31");
  REFUSES(appcore_invoice_count(core, days, &count, &failure), "from");
  const char *amounts = "{\"min\": \"2\", \"max\": 1.99}";
  REFUSES(appcore_invoice_summary(core, amounts, NULL, &json, &failure), "max is less than min");

  const char *syncs[][2] = {
      {"{\"since\": \"2026-01-01\", \"full\": true}", "since"},
      {"{\"since\": \"soon\"}", "'soon'"},
      {"{\"limit\": 0}", "limit"},
      {"{\"limit\": -1}", "limit"},
      {"{\"maxDurationSeconds\": 0}", "maxDurationSeconds"},
      {"{\"maxWaitSeconds\": 1e30}", "maxWaitSeconds"},
      {"{\"dryrun\": true}", "'dryrun'; available: full, verify, dryRun,"},
  };
  for (size_t i = 0; i < sizeof syncs / sizeof *syncs; i++) {
    REFUSES(appcore_sync(core, NULL, "all", syncs[i][0], NULL, &failure), syncs[i][1]);
  }
  const char *fetches[][2] = {
      {"{\"kind\": \"pdf,photo\"}", "'photo'"},
      {"{\"refresh\": \"often\"}", "'often'; available: changed, never, all"},
      {"{\"invoice\": \"1\", \"type\": \"bill\"}", "invoice cannot be combined"},
      {"{\"limit\": 0}", "limit"},
      {"{\"offset\": 1}", "'offset'"},
      {"{\"account\": \"default\"}", "'account'"},
  };
  for (size_t i = 0; i < sizeof fetches / sizeof *fetches; i++) {
    REFUSES(appcore_fetch_documents(core, NULL, fetches[i][0], NULL, &failure), fetches[i][1]);
  }
  REFUSES(appcore_documents(core, "{\"state\": \"lost\"}", &json, &failure), "'lost'");
  REFUSES(appcore_documents(core, "{\"sort\": \"total\"}", &json, &failure), "'sort'");
  const char *exports[][2] = {
      {"{\"folder\": \"here\"}", "folder must be an absolute path"},
      {"{\"folder\": \"/a\", \"zip\": \"/b\"}", "name a folder, or a zip"},
      {"{\"zip\": \"/b\", \"clobber\": true}", "clobber exclude each other"},
      {"{\"folder\": \"/a\", \"name\": \"{luck}\"}", "luck"},
      {"{\"folder\": \"/a\", \"layout\": \"other\"}", "'layout'"},
  };
  for (size_t i = 0; i < sizeof exports / sizeof *exports; i++) {
    REFUSES(appcore_export_documents(core, NULL, exports[i][0], NULL, &failure), exports[i][1]);
  }
  const char *ways[][2] = {
      {"{\"method\": \"telepathy\"}", "'telepathy'; available: browser"},
      {"{\"method\": 0}", "method"},
      {"{\"method\": \"device\", \"token\": \"canary\"}", "method cannot be combined with token"},
      {"{\"token\": \"canary \\u0001\"}", "token"},
      {"{\"token\": [\"canary\"]}", "token"},
      {"{\"timeoutSeconds\": -1}", "timeoutSeconds"},
  };
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    REFUSES(appcore_sign_in(core, NULL, ways[i][0], NULL, &failure), ways[i][1]);
  }
  REFUSES(appcore_sign_out(core, NULL, "{\"everything\": true}", NULL, &failure), "'everything'");
}

/* A member that is null is as one that is absent. */
static void pass_null(appcore_t *core) {
  char *json;
  const char *query =
      "{\"account\": \"default\", \"search\": null, \"limit\": null, \"all\": null}";
  SUCCEEDS(appcore_invoices(core, query, &json, &failure));
  EXPECT(has(json, "\"invoices\":[]"));
  appcore_string_free(json);
}

static void open_badly(const char *config) {
  appcore_t *core = (appcore_t *)1;
  FAILS(appcore_open("/nonexistent/config.yaml", NULL, &core, &failure), APPCORE_CONFIGURATION,
        "configuration");
  EXPECT(core == NULL);
  REFUSES(appcore_open("", NULL, &core, &failure), "config");
  REFUSES(appcore_open(config, "{\"dataFolder\": \"relative\"}", &core, &failure), "dataFolder");
  REFUSES(appcore_open(config, "{\"logLevel\": \"loud\"}", &core, &failure), "'loud'");
  REFUSES(appcore_open(config, "{\"logEvents\": \"yes\"}", &core, &failure), "logEvents");
  REFUSES(appcore_open(config, "{\"folder\": \"/\"}", &core, &failure), "'folder'");
  /* The first core of the same logins is open. */
  FAILS(appcore_open(config, NULL, &core, &failure), APPCORE_MISUSE, "already-open");
}

/* Only a sign-in in a browser that waits for it takes a pasted address. */
static void paste_nowhere(appcore_t *core) {
  const char *address = "http://127.0.0.1:1/callback?code=1&state=1";
  appcore_request requests[2];
  SUCCEEDS(appcore_watch(core, &requests[0], &failure));
  SUCCEEDS(appcore_sign_in(core, NULL, "{\"method\": \"device\"}", &requests[1], &failure));
  for (int i = 0; i < 2; i++) {
    FAILS(appcore_paste_redirect(core, requests[i], address, &failure), APPCORE_FAILED,
          "no-redirect-expected");
    SUCCEEDS(appcore_cancel(core, requests[i], &failure));
  }
  int ended = 0;
  while (ended < 2) {
    appcore_event *event = next(core);
    ended += APPCORE_EVENT_IS_LAST(event->type);
    appcore_event_free(event);
  }
  FAILS(appcore_paste_redirect(core, requests[1], address, &failure), APPCORE_FAILED,
        "no-redirect-expected");
}

/* Who starts requests and fetches no event is refused at last. */
static void fetch_nothing(appcore_t *core) {
  int started = 0, kind;
  while ((kind = appcore_sync(core, "nobody", "all", NULL, NULL, NULL)) == APPCORE_OK) started++;
  EXPECT(kind == APPCORE_TRY_AGAIN && started == 1024);
  FAILS(appcore_watch(core, NULL, &failure), APPCORE_TRY_AGAIN, "too-many-requests");
  int ended = 0;
  while (ended < started) {
    appcore_event *event = next(core);
    EXPECT(event->type == APPCORE_EVENT_FAILED && event->error->kind == APPCORE_CONFIGURATION);
    EXPECT(has(event->json, "\"code\":\"unknown-account\""));
    ended++;
    appcore_event_free(event);
  }
  appcore_event *event;
  SUCCEEDS(appcore_next_event(core, 0, &event, &failure));
  EXPECT(event == NULL);
}

/* The number is known beforehand, also for a start that fails first. */
static void know_numbers(appcore_t *core) {
  appcore_request number = appcore_next_request(core), request;
  EXPECT(number && appcore_next_request(core) == number);
  REFUSES(appcore_sync(core, NULL, "everything", NULL, NULL, &failure), "'everything'");
  SUCCEEDS(appcore_cancel(core, number, &failure));
  SUCCEEDS(appcore_sync(core, "nobody", "all", NULL, &request, &failure));
  EXPECT(request == number && appcore_next_request(core) != number);
  appcore_event *event = next(core);
  EXPECT(event->request == number && appcore_event_is_last(event->type));
  EXPECT(!appcore_event_is_last(APPCORE_EVENT_CHANGED));
  appcore_event_free(event);
}

int main(int argc, char **argv) {
  if (argc != 2) return 64;
  EXPECT(appcore_interface_version() == APPCORE_INTERFACE_VERSION);
  refuse(NULL);
  refuse((appcore_t *)12345);
  int local;
  refuse((appcore_t *)&local);
  FAILS(appcore_close((appcore_t *)&local, &failure), APPCORE_MISUSE, "bad-handle");

  appcore_t *core = open_core(argv[1], NULL);
  pass_nothing(core);
  pass_nonsense(core);
  pass_bad_options(core);
  pass_null(core);
  open_badly(argv[1]);
  paste_nowhere(core);
  know_numbers(core);
  fetch_nothing(core);
  /* Events that nobody fetched are dropped. */
  SUCCEEDS(appcore_watch(core, NULL, &failure));
  refuse_after_fork(core);
  SUCCEEDS(appcore_close(core, &failure));
  refuse(core);
  FAILS(appcore_close(core, &failure), APPCORE_MISUSE, "bad-handle");

  /* A ticket is never used again. */
  appcore_t *other = open_core(argv[1], NULL);
  EXPECT(other != core);
  refuse(core);
  SUCCEEDS(appcore_close(other, &failure));
  puts("misuse: done");
  return 0;
}
