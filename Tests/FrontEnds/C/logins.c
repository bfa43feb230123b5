/*
 * Signing in without a user, as a test: with a token, with the response of a token endpoint, and
 * with client credentials. Each login then syncs the invoices.
 * Usage: logins CONFIG INVOICES
 * The configuration has the accounts `token` and `machine`.
 */
#include "test.h"

#define TOKEN "{\"token\": \"sk_live_1\"}"
/* The response is a text in the options. */
#define RESPONSE                                                              \
  "{\"token\": \"{\\\"access_token\\\":\\\"sk_live_1\\\",\\\"token_type\\\":" \
  "\\\"Bearer\\\",\\\"expires_in\\\":600}\"}"
#define CLIENT_CREDENTIALS "{\"method\": \"client-credentials\"}"

static appcore_request begin(appcore_t *core, const char *account, const char *options) {
  appcore_request request;
  SUCCEEDS(appcore_sign_in(core, account, options, &request, &failure));
  return request;
}

static void sign_in(appcore_t *core, const char *account, const char *options) {
  appcore_request request = begin(core, account, options);
  appcore_event *event = await(core, request, APPCORE_EVENT_SIGNED_IN);
  char name[64];
  member(event->json, "account", name, sizeof name);
  EXPECT(strcmp(name, account) == 0 && has(event->json, "\"provider\":\"xero\""));
  EXPECT(!has(event->json, "sk_live_1"));
  appcore_event_free(event);
  appcore_event_free(await(core, request, APPCORE_EVENT_DONE));
}

/* A refused sign-in names its reason, never its token, and leaves the earlier login as it is. */
static void be_refused(appcore_t *core, const char *account) {
  appcore_request request = begin(core, account, "{\"token\": \"canary\"}");
  appcore_event *event = await(core, request, APPCORE_EVENT_FAILED);
  EXPECT(event->error->kind == APPCORE_SIGN_IN_REQUIRED);
  EXPECT(has(event->error->hint, "The logins are unchanged."));
  EXPECT(!has(event->json, "canary") && !has(event->error->message, "canary"));
  appcore_event_free(event);
}

static void expect_login(appcore_t *core, const char *account, const char *login) {
  appcore_request request;
  SUCCEEDS(appcore_status(core, account, &request, &failure));
  appcore_event *event = await(core, request, APPCORE_EVENT_STATUS);
  EXPECT(has(event->json, login));
  appcore_event_free(event);
  appcore_event_free(await(core, request, APPCORE_EVENT_DONE));
}

/* Syncs with the login, signs out, and deletes what was stored. */
static void use_up(appcore_t *core, const char *account, const char *invoices) {
  expect_login(core, account, "\"login\":\"valid\"");
  appcore_request request;
  SUCCEEDS(appcore_sync(core, account, "invoices", NULL, &request, &failure));
  appcore_event *event = await(core, request, APPCORE_EVENT_REPORT);
  char inserted[32];
  snprintf(inserted, sizeof inserted, "\"inserted\":%s,", invoices);
  EXPECT(has(event->json, inserted));
  appcore_event_free(event);
  appcore_event_free(await(core, request, APPCORE_EVENT_DONE));
  SUCCEEDS(appcore_sign_out(core, account, "{\"forget\": true}", &request, &failure));
  appcore_event_free(await(core, request, APPCORE_EVENT_SIGNED_OUT));
  appcore_event_free(await(core, request, APPCORE_EVENT_DONE));
  expect_login(core, account, "\"login\":\"signed-out\"");
}

/* Signs out of all accounts at once. */
static void sign_out_of_all(appcore_t *core) {
  appcore_request request;
  FAILS(appcore_sign_out(core, "token", "{\"all\": true}", &request, &failure),
        APPCORE_MISUSE, "bad-argument");
  SUCCEEDS(appcore_sign_out(core, NULL, "{\"all\": true}", &request, &failure));
  appcore_event *event = await(core, request, APPCORE_EVENT_SIGNED_OUT);
  EXPECT(times(event->json, "\"wasSignedIn\":true") == 2);
  EXPECT(has(event->json, "\"account\":\"token\"") && has(event->json, "\"account\":\"machine\""));
  appcore_event_free(event);
  appcore_event_free(await(core, request, APPCORE_EVENT_DONE));
  expect_login(core, "token", "\"login\":\"signed-out\"");
  expect_login(core, "machine", "\"login\":\"signed-out\"");
}

int main(int argc, char **argv) {
  if (argc != 3) return 64;
  appcore_t *core = open_core(argv[1], NULL);
  be_refused(core, "token");
  sign_in(core, "token", TOKEN);
  be_refused(core, "token");
  use_up(core, "token", argv[2]);
  sign_in(core, "token", RESPONSE);
  use_up(core, "token", argv[2]);
  sign_in(core, "machine", CLIENT_CREDENTIALS);
  use_up(core, "machine", argv[2]);
  sign_in(core, "token", TOKEN);
  sign_in(core, "machine", CLIENT_CREDENTIALS);
  sign_out_of_all(core);
  SUCCEEDS(appcore_close(core, &failure));
  puts("logins: done");
  return 0;
}
