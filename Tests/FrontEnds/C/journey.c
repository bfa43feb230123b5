/*
 * The whole life of a program with the library, as a test: sign-in, sync, pages, an invoice, its
 * PDF, a change by another process, a cancelled sync, sign-out, and closing.
 * Usage: journey CONFIG INVOICES
 * $BROWSER approves the sign-in; $OTHER_BROWSER does on another machine, and prints the address on
 * which it ends. $OTHER_PROCESS is a command that changes an invoice at the server and syncs it in
 * another process.
 */
#include "test.h"

static void sign_in(appcore_t *core) {
  appcore_request request;
  SUCCEEDS(appcore_sign_in(core, NULL, NULL, &request, &failure));
  appcore_event *event = await(core, request, APPCORE_EVENT_OPEN_URL);
  char url[4096];
  member(event->json, "url", url, sizeof url);
  EXPECT(has(event->json, "\"purpose\":\"sign-in\""));
  appcore_event_free(event);
  run_program(getenv("BROWSER"), url);
  event = await(core, request, APPCORE_EVENT_SIGNED_IN);
  EXPECT(has(event->json, "\"account\":\"default\""));
  appcore_event_free(event);
  appcore_event_free(await(core, request, APPCORE_EVENT_DONE));
}

/* Another account is added, renamed and removed; the open core keeps the accounts that it has. */
static void set_up_another(appcore_t *core, const char *config) {
  char *json;
  SUCCEEDS(appcore_providers(core, &json, &failure));
  EXPECT(has(json, "\"name\":\"xero\"") && has(json, "\"clientIDName\":"));
  appcore_string_free(json);
  SUCCEEDS(appcore_sign_in_ways(core, NULL, &json, &failure));
  EXPECT(has(json, "\"signIn\":[\"browser\",") && has(json, "\"pasteRequired\":false"));
  appcore_string_free(json);
  const char *options = "{\"provider\": \"stripe\"}";
  SUCCEEDS(appcore_add_account(core, "second", options, &json, &failure));
  EXPECT(has(json, "second.yaml"));
  appcore_string_free(json);
  FAILS(appcore_add_account(core, "second", options, &json, &failure), APPCORE_CONFIGURATION,
        "configuration");
  FAILS(appcore_sign_in_ways(core, "second", &json, &failure), APPCORE_CONFIGURATION,
        "unknown-account");
  SUCCEEDS(appcore_close(core, &failure));

  appcore_t *other;
  appcore_request request;
  SUCCEEDS(appcore_open(config, NULL, &other, &failure));
  SUCCEEDS(appcore_sign_in_ways(other, "second", &json, &failure));
  EXPECT(has(json, "\"signIn\":[\"token\"]") && has(json, "\"tokenName\":"));
  appcore_string_free(json);
  SUCCEEDS(appcore_rename_account(other, "second", "third", &request, &failure));
  appcore_event_free(await(other, request, APPCORE_EVENT_DONE));
  SUCCEEDS(appcore_close(other, &failure));

  SUCCEEDS(appcore_open(config, NULL, &other, &failure));
  SUCCEEDS(appcore_remove_account(other, "third", "{\"forget\": true}", &request, &failure));
  appcore_event_free(await(other, request, APPCORE_EVENT_DONE));
  SUCCEEDS(appcore_close(other, &failure));
}

/* The browser is on another machine, and the user pastes the address on which it ends. */
static void paste_redirect(appcore_t *core) {
  appcore_request request;
  SUCCEEDS(appcore_sign_in(core, NULL, NULL, &request, &failure));
  appcore_event *event = await(core, request, APPCORE_EVENT_OPEN_URL);
  char url[4096], command[8192], address[4096], foreign[8192];
  member(event->json, "url", url, sizeof url);
  appcore_event_free(event);
  snprintf(command, sizeof command, "\"%s\" '%s'", getenv("OTHER_BROWSER"), url);
  FILE *browser = popen(command, "r");
  EXPECT(browser && fgets(address, sizeof address, browser) && pclose(browser) == 0);
  FAILS(appcore_paste_redirect(core, request, url, &failure), APPCORE_FAILED, "not-redirect");
  char *state = strstr(address, "state=");
  EXPECT(state);
  snprintf(foreign, sizeof foreign, "%.*sstate=1", (int)(state - address), address);
  FAILS(appcore_paste_redirect(core, request, foreign, &failure), APPCORE_FAILED,
        "foreign-redirect");
  SUCCEEDS(appcore_paste_redirect(core, request, address, &failure));
  appcore_event_free(await(core, request, APPCORE_EVENT_SIGNED_IN));
  appcore_event_free(await(core, request, APPCORE_EVENT_DONE));
  FAILS(appcore_paste_redirect(core, request, address, &failure), APPCORE_FAILED,
        "no-redirect-expected");
}

/* A code for another device, which nobody enters: the user gives up. */
static void give_up_device(appcore_t *core) {
  appcore_request request;
  SUCCEEDS(appcore_sign_in(core, NULL, "{\"method\": \"device\"}", &request, &failure));
  appcore_event *event = await(core, request, APPCORE_EVENT_DEVICE_CODE);
  char code[64], page[4096];
  member(event->json, "userCode", code, sizeof code);
  member(event->json, "verificationURL", page, sizeof page);
  EXPECT(code[0] && has(page, "http://127.0.0.1:"));
  appcore_event_free(event);
  SUCCEEDS(appcore_cancel(core, request, &failure));
  appcore_event_free(await(core, request, APPCORE_EVENT_CANCELLED));
}

static void sync_everything(appcore_t *core, const char *invoices) {
  appcore_request request;
  SUCCEEDS(appcore_sync(core, NULL, "all", NULL, &request, &failure));
  int progress = 0;
  appcore_event *event = NULL;
  do {
    appcore_event_free(event);
    event = next(core);
    EXPECT(event->request == request);
    progress += event->type == APPCORE_EVENT_PROGRESS;
  } while (event->type == APPCORE_EVENT_PROGRESS);
  EXPECT(progress > 0);
  EXPECT(event->type == APPCORE_EVENT_REPORT);
  char inserted[32];
  snprintf(inserted, sizeof inserted, "\"inserted\":%s,", invoices);
  EXPECT(has(event->json, inserted));
  EXPECT(has(event->json, "\"result\":\"complete\""));
  appcore_event_free(event);
  appcore_event_free(await(core, request, APPCORE_EVENT_DONE));
}

/* Reads every invoice in pages, and returns how many there were. */
static int pages(appcore_t *core) {
  int count = 0, found;
  do {
    char query[64], *page;
    snprintf(query, sizeof query, "{\"all\": true, \"limit\": 100, \"offset\": %d}", count);
    SUCCEEDS(appcore_invoices(core, query, &page, &failure));
    found = times(page, "\"rawStatus\":");
    count += found;
    appcore_string_free(page);
  } while (found > 0);
  return count;
}

/* Reads every invoice in one order, each page after the one before it. */
static int pages_in_order(appcore_t *core, const char *sort) {
  int count = 0;
  char query[1024], after[512] = "", *page;
  do {
    snprintf(query, sizeof query, "{\"all\": true, \"limit\": 70, \"sort\": \"%s\"%s%s%s}", sort,
             after[0] ? ", \"after\": \"" : "", after, after[0] ? "\"" : "");
    SUCCEEDS(appcore_invoices(core, query, &page, &failure));
    count += times(page, "\"rawStatus\":");
    if (has(page, "\"next\":null")) {
      after[0] = 0;
    } else {
      member(page, "next", after, sizeof after);
      EXPECT(after[0]);
    }
    appcore_string_free(page);
  } while (after[0]);
  return count;
}

static void read_records(appcore_t *core, const char *invoices) {
  EXPECT(pages(core) == atoi(invoices));
  const char *orders[] = {"issueDate", "-dueDate", "-total", "amountDue", "-number", "contact"};
  for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
    EXPECT(pages_in_order(core, orders[i]) == atoi(invoices));
  }
  int64_t count;
  SUCCEEDS(appcore_invoice_count(core, "{\"all\": true}", &count, &failure));
  EXPECT(count == atoi(invoices));
  SUCCEEDS(appcore_contact_count(core, NULL, &count, &failure));
  EXPECT(count > 0);

  char *json, id[128];
  SUCCEEDS(appcore_invoices(core, "{\"all\": true, \"limit\": 1}", &json, &failure));
  EXPECT(!has(json, "\"lines\":"));
  member(json, "id", id, sizeof id);
  appcore_string_free(json);
  SUCCEEDS(appcore_invoice(core, NULL, id, &json, &failure));
  EXPECT(has(json, id) && has(json, "\"lines\":"));
  appcore_string_free(json);

  SUCCEEDS(appcore_contacts(core, NULL, &json, &failure));
  EXPECT(times(json, "\"invoiceCount\":") == count);
  char contact[128];
  member(json, "id", contact, sizeof contact);
  appcore_string_free(json);
  SUCCEEDS(appcore_contact(core, "default", contact, &json, &failure));
  EXPECT(has(json, contact));
  appcore_string_free(json);

  SUCCEEDS(appcore_payment_count(core, "{\"all\": true}", &count, &failure));
  SUCCEEDS(appcore_payments(core, "{\"all\": true, \"sort\": \"amount\"}", &json, &failure));
  EXPECT(count > 0 && times(json, "\"unallocatedAmount\":") == count);
  char payment[128];
  member(json, "id", payment, sizeof payment);
  appcore_string_free(json);
  SUCCEEDS(appcore_payment(core, NULL, payment, &json, &failure));
  EXPECT(has(json, payment) && has(json, "\"allocations\":"));
  appcore_string_free(json);

  /* All changes, page by page; after them there are none. */
  char next[128] = "";
  int64_t found = 0;
  for (int has_more = 1; has_more;) {
    char query[192];
    snprintf(query, sizeof query, "{\"limit\": 7%s%s%s}", *next ? ", \"after\": \"" : "", next,
             *next ? "\"" : "");
    SUCCEEDS(appcore_changes(core, query, &json, &failure));
    EXPECT(has(json, "\"startsOver\":false"));
    found += times(json, "\"record\":");
    has_more = has(json, "\"hasMore\":true");
    member(json, "next", next, sizeof next);
    appcore_string_free(json);
  }
  EXPECT(found > count);

  const char *groupings[] = {"month", "quarter", "contact", "status", "ageing"};
  for (size_t i = 0; i < sizeof groupings / sizeof *groupings; i++) {
    SUCCEEDS(appcore_invoice_summary(core, NULL, groupings[i], &json, &failure));
    EXPECT(has(json, "\"schemaVersion\":1"));
    appcore_string_free(json);
  }
  SUCCEEDS(appcore_invoices(core, "{\"search\": \"no invoice has these words\"}", &json, &failure));
  EXPECT(strcmp(json, "{\"invoices\":[],\"schemaVersion\":1}") == 0);
  appcore_string_free(json);
}

/* Starts fetching, expects progress and a report with a part, and returns the last event. */
static appcore_event *fetch(appcore_t *core, const char *options, const char *part) {
  appcore_request request;
  SUCCEEDS(appcore_fetch_documents(core, NULL, options, &request, &failure));
  int progress = 0;
  appcore_event *event = next(core);
  for (; event->type == APPCORE_EVENT_DOCUMENT_PROGRESS; event = next(core)) {
    EXPECT(event->request == request && has(event->json, "\"bytes\":"));
    progress++;
    appcore_event_free(event);
  }
  EXPECT(progress > 0 && event->type == APPCORE_EVENT_DOCUMENT_REPORT);
  if (!has(event->json, part)) fprintf(stderr, "%s\n", event->json);
  EXPECT(has(event->json, part));
  appcore_event_free(event);
  event = next(core);
  EXPECT(event->request == request);
  return event;
}

/* The PDF of an invoice is fetched once, is a file, and can be exported. */
static void fetch_files(appcore_t *core) {
  char *json, id[128], options[4200], path[4096], start[6] = "";
  SUCCEEDS(appcore_documents(core, NULL, &json, &failure));
  EXPECT(strcmp(json, "{\"documents\":[],\"schemaVersion\":1}") == 0);
  appcore_string_free(json);
  const char *invoice = "{\"type\": \"invoice\", \"issued\": true, \"limit\": 1}";
  SUCCEEDS(appcore_invoices(core, invoice, &json, &failure));
  /* The id of an invoice comes before its number; a contact has an id as well. */
  const char *end = strstr(json, "\",\"number\":"), *begin = end;
  EXPECT(end);
  while (begin[-1] != '"') begin--;
  snprintf(id, sizeof id, "%.*s", (int)(end - begin), begin);
  appcore_string_free(json);

  snprintf(options, sizeof options, "{\"invoice\": \"%s\", \"kind\": \"pdf\"}", id);
  appcore_event *event = fetch(core, options, "\"stored\":1,");
  EXPECT(event->type == APPCORE_EVENT_DONE);
  appcore_event_free(event);
  SUCCEEDS(appcore_documents(core, options, &json, &failure));
  EXPECT(times(json, "\"sha256\":\"") == 1 && has(json, "\"state\":\"stored\""));
  member(json, "path", path, sizeof path);
  appcore_string_free(json);
  FILE *file = fopen(path, "rb");
  EXPECT(file && fread(start, 1, 5, file) == 5 && fclose(file) == 0);
  EXPECT(strcmp(start, "%PDF-") == 0);
  event = fetch(core, options, "\"requests\":0,");
  EXPECT(event->type == APPCORE_EVENT_DONE);
  appcore_event_free(event);

  event = fetch(core, "{\"kind\": \"pdf\", \"type\": \"invoice\", \"issued\": true, \"limit\": 2}",
                "\"ending\":\"limit\"");
  EXPECT(event->type == APPCORE_EVENT_FAILED);
  EXPECT(strcmp(event->error->code, "budget-spent") == 0);
  appcore_event_free(event);
  SUCCEEDS(appcore_documents(core, "{\"offset\": 1, \"limit\": 1}", &json, &failure));
  EXPECT(times(json, "\"invoiceID\":") == 1);
  appcore_string_free(json);

  appcore_request request;
  snprintf(options, sizeof options, "{\"invoice\": \"%s\", \"zip\": \"%s/files.zip\"}", id,
           getenv("XDG_DATA_HOME"));
  SUCCEEDS(appcore_export_documents(core, NULL, options, &request, &failure));
  event = await(core, request, APPCORE_EVENT_DOCUMENT_EXPORT);
  EXPECT(has(event->json, "\"files\":1,"));
  appcore_event_free(event);
  appcore_event_free(await(core, request, APPCORE_EVENT_DONE));

  SUCCEEDS(appcore_fetch_documents(core, NULL, "{\"invoice\": \"nothing\"}", &request, &failure));
  event = await(core, request, APPCORE_EVENT_FAILED);
  EXPECT(strcmp(event->error->code, "not-found") == 0);
  appcore_event_free(event);
  const char *all = "{\"kind\": \"pdf\", \"type\": \"invoice\", \"refresh\": \"all\"}";
  for (int way = 0; way < 2; way++) {
    SUCCEEDS(appcore_fetch_documents(core, NULL, all, &request, &failure));
    if (way == 0) {
      SUCCEEDS(appcore_cancel(core, request, &failure));
    } else {
      SUCCEEDS(appcore_cancel_session(core, "documents", &failure));
    }
    appcore_event_free(await(core, request, APPCORE_EVENT_CANCELLED));
  }
}

static void see_change(appcore_t *core) {
  appcore_request request;
  SUCCEEDS(appcore_watch(core, &request, &failure));
  appcore_event_free(await(core, request, APPCORE_EVENT_CHANGED));
  char *before, *after;
  const char *query = "{\"sort\": \"-updatedAt\", \"limit\": 1}";
  SUCCEEDS(appcore_invoices(core, query, &before, &failure));
  run_program("/bin/sh", getenv("OTHER_PROCESS"));
  int is_new = 0;
  while (!is_new) {
    appcore_event_free(await(core, request, APPCORE_EVENT_CHANGED));
    SUCCEEDS(appcore_invoices(core, query, &after, &failure));
    is_new = strcmp(before, after) != 0;
    appcore_string_free(after);
  }
  appcore_string_free(before);
  SUCCEEDS(appcore_cancel(core, request, &failure));
  appcore_event *event = await(core, request, APPCORE_EVENT_CANCELLED);
  EXPECT(event->error->kind == APPCORE_CANCELLED);
  appcore_event_free(event);
}

static void cancel_sync(appcore_t *core) {
  appcore_request request;
  SUCCEEDS(appcore_sync(core, NULL, "invoices", "{\"full\": true}", &request, &failure));
  SUCCEEDS(appcore_cancel(core, request, &failure));
  appcore_event_free(await(core, request, APPCORE_EVENT_CANCELLED));
  /* A request that has ended is left alone. */
  SUCCEEDS(appcore_cancel(core, request, &failure));
}

static void show_accounts(appcore_t *core, const char *login) {
  appcore_request request;
  SUCCEEDS(appcore_status(core, "default", &request, &failure));
  appcore_event *event = await(core, request, APPCORE_EVENT_STATUS);
  EXPECT(has(event->json, login));
  appcore_event_free(event);
  appcore_event_free(await(core, request, APPCORE_EVENT_DONE));
}

static void choose_organisation(appcore_t *core) {
  appcore_request request;
  SUCCEEDS(appcore_organisations(core, NULL, &request, &failure));
  appcore_event *event = await(core, request, APPCORE_EVENT_ORGANISATIONS);
  char id[128];
  member(strstr(event->json, "\"organisations\""), "id", id, sizeof id);
  appcore_event_free(event);
  appcore_event_free(await(core, request, APPCORE_EVENT_DONE));
  SUCCEEDS(appcore_choose_organisation(core, NULL, id, &request, &failure));
  appcore_event_free(await(core, request, APPCORE_EVENT_DONE));
  SUCCEEDS(appcore_choose_organisation(core, NULL, "nobody", &request, &failure));
  event = await(core, request, APPCORE_EVENT_FAILED);
  EXPECT(strcmp(event->error->code, "bad-argument") == 0);
  appcore_event_free(event);
}

static void sign_out(appcore_t *core) {
  appcore_request request;
  SUCCEEDS(appcore_sign_out(core, NULL, "{\"forget\": true}", &request, &failure));
  appcore_event *event = await(core, request, APPCORE_EVENT_SIGNED_OUT);
  EXPECT(has(event->json, "\"revoked\":true") && has(event->json, "\"forgotten\":true"));
  appcore_event_free(event);
  appcore_event_free(await(core, request, APPCORE_EVENT_DONE));
  SUCCEEDS(appcore_sync(core, NULL, "invoices", NULL, &request, &failure));
  event = await(core, request, APPCORE_EVENT_FAILED);
  EXPECT(event->error->kind == APPCORE_SIGN_IN_REQUIRED);
  EXPECT(strcmp(event->error->code, "sign-in-required") == 0 && event->error->hint);
  appcore_event_free(event);
  int64_t count;
  SUCCEEDS(appcore_invoice_count(core, NULL, &count, &failure));
  EXPECT(count == 0);
}

int main(int argc, char **argv) {
  if (argc != 3) return 64;
  appcore_t *core = open_core(argv[1], NULL);
  show_accounts(core, "\"login\":\"signed-out\"");
  set_up_another(core, argv[1]);
  core = open_core(argv[1], NULL);
  give_up_device(core);
  paste_redirect(core);
  sign_in(core);
  show_accounts(core, "\"login\":\"valid\"");
  sync_everything(core, argv[2]);
  read_records(core, argv[2]);
  fetch_files(core);
  see_change(core);
  cancel_sync(core);
  choose_organisation(core);
  sign_out(core);
  SUCCEEDS(appcore_close(core, &failure));
  puts("journey: done");
  return 0;
}
