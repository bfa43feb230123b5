/*
 * appcore: accounts, safe logins and a local copy of invoices and contacts, for any language.
 *
 * THREADS. Every function may be called from any thread at any time, also several at once with one
 * handle, and also while another thread closes it. The library never calls back: everything that
 * happens later arrives as an event, which the caller fetches on a thread of its own choosing.
 *
 * OWNERSHIP. What a function returns through a pointer belongs to the caller, who frees it with the
 * function named for it: appcore_close, appcore_error_free, appcore_event_free,
 * appcore_string_free. Each accepts NULL. What is inside an error or an event belongs to it. The
 * library copies what it is passed before it returns.
 *
 * HANDLES. An appcore_t * is a ticket, not an address: the library looks it up in a table and never
 * follows it. NULL, a closed handle, and any other value fail with APPCORE_MISUSE and the code
 * "bad-handle"; they never crash. A ticket is never used again for another core.
 *
 * TEXT. Every string is UTF-8 and ends with a zero byte. Text that is not UTF-8 fails with
 * APPCORE_MISUSE and the code "bad-text".
 *
 * BLOCKING. A function that starts a request returns immediately. Those that read the database
 * block the calling thread for as long as the query takes: usually a few milliseconds. appcore_open
 * reads the configuration file. appcore_next_event blocks as long as its caller allows, and
 * appcore_close until everything has ended in order.
 *
 * OPTIONS. A parameter `options` or `query` takes a JSON object with the members that its function
 * names, and NULL stands for {}. A member that is absent or null has its default. A member that the
 * function does not know, or a value of the wrong type, fails with APPCORE_MISUSE and the code
 * "bad-argument", so that no misspelt option is ignored. Later versions add members. Write texts
 * that users enter with a JSON library, which escapes them.
 *
 * DOCUMENTS. Results are JSON documents, the same that the program appcore prints with --json. Each
 * has "schemaVersion": 1. Later versions add members and keep what is there. Amounts are decimal
 * strings, as exact as the provider sent them; days are YYYY-MM-DD, instants are RFC 3339 in UTC,
 * and what is absent is null.
 *
 * PROCESS. Writing to a closed connection must not end the process, so opening a core ignores
 * SIGPIPE unless the program handles it. The threads of the library block all signals but SIGPROF
 * and those that report an error of the thread itself: a handler, sigwait or a signalfd works as
 * the program has set it up. Once a process has opened a core, a child of fork cannot use the
 * library: in it every function, also appcore_open, fails with APPCORE_MISUSE and the code
 * "forked". The library stays loaded: dlclose does not unload it.
 *
 * Compile with `cc $(pkg-config --cflags appcore) program.c $(pkg-config --libs appcore)`.
 * Tests/FrontEnds/C in the sources has a complete program for each group of functions.
 */
#ifndef APPCORE_H
#define APPCORE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The version of this interface, which the version of the library's symbols names as well. Programs
 * that were built against one version run with every later library of the same version and soname
 * (libappcore.so.0); with a library of another version they do not start.
 */
#define APPCORE_INTERFACE_VERSION 2

/* An open core; see HANDLES above. */
typedef struct appcore appcore_t;

/* The number of a request; never 0, and never used twice by one core. */
typedef uint64_t appcore_request;

/*
 * ERRORS
 *
 * A function that can fail returns one of these kinds, and APPCORE_OK is 0. A kind says what can
 * be done about it. They are also the exit codes of the program appcore. Later versions may add
 * kinds.
 */
enum {
  APPCORE_OK = 0,
  /* Anything else, such as the code "not-found". */
  APPCORE_FAILED = 1,
  /* The caller passed something that cannot be: correct the program. */
  APPCORE_MISUSE = 64,
  /* The provider's data cannot be read. */
  APPCORE_UNREADABLE_DATA = 65,
  /* The server or the network is unavailable: try again later. */
  APPCORE_UNAVAILABLE = 69,
  /* A bug of appcore. */
  APPCORE_BUG = 70,
  /* The disk or the database failed. */
  APPCORE_INPUT_OUTPUT = 74,
  /* A limit, a lock or the keyring is in the way: try again later. */
  APPCORE_TRY_AGAIN = 75,
  /* The user has to sign in. */
  APPCORE_SIGN_IN_REQUIRED = 77,
  /* The user has to correct the configuration. */
  APPCORE_CONFIGURATION = 78,
  /* The request was cancelled. */
  APPCORE_CANCELLED = 130
};

/* An error. A program decides by kind and code, and shows message and hint to the user. */
typedef struct appcore_error {
  /* One of the kinds above; never APPCORE_OK. */
  int kind;
  /* 1 if the same call can succeed later without any correction, else 0. */
  int retryable;
  /* The stable code of the cause, such as "sign-in-required" or "rate-limited". */
  const char *code;
  /* A sentence for the user, in English; never contains a secret. */
  const char *message;
  /*
   * What the user can do about it, often a command of the program appcore; NULL if there is nothing
   * to say.
   */
  const char *hint;
  /*
   * The words with which the provider's server refused the request, without secrets; NULL if there
   * are none. Show it beside the message: it often names what is missing.
   */
  const char *provider_message;
} appcore_error;

/*
 * Frees an error. NULL is accepted.
 *
 * Every function with a parameter `error` writes there an error that the caller frees, or NULL if
 * the function succeeds. A caller who needs only the kind passes NULL.
 *
 * Thread-safe: any thread may free an error, once.
 */
void appcore_error_free(appcore_error *error);

/*
 * Frees a string that a function returned through a `char **`. NULL is accepted. Thread-safe: any
 * thread may free a string, once.
 */
void appcore_string_free(char *text);

/* Returns the version of the library, such as "0.1.0". The caller does not free it. Thread-safe. */
const char *appcore_version(void);

/*
 * Returns APPCORE_INTERFACE_VERSION of the library, for languages that do not read this header.
 * Thread-safe.
 */
int appcore_interface_version(void);

/*
 * OPENING AND CLOSING                                       Tests/FrontEnds/C/open.c
 *
 * Several cores may be open in one process if each keeps its own logins: in the keyring under a
 * service of its own (secretStore.service of the configuration), or in its own encrypted file. A
 * second core with the same logins fails with APPCORE_MISUSE and the code "already-open": share the
 * handle instead, from any number of threads.
 */

/*
 * Opens a core: reads the configuration, and checks it. The database, the keyring and the network
 * are used only when they are first needed.
 *
 * config: the path of the configuration file; NULL for $APPCORE_CONFIG, or else
 *   $XDG_CONFIG_HOME/appcore/config.yaml, which may be absent.
 * options: texts, if nothing else is said; all paths are absolute.
 *   dataFolder   the folder of the database; $XDG_DATA_HOME/appcore by default
 *   stateFolder  the folder of locks and other state; $XDG_STATE_HOME/appcore by default
 *   database     the database file; by default the configured one, or appcore.sqlite in the data
 *                folder
 *   newConfig    true if a file that `config` names may be absent, because appcore_add_account is
 *                to create it
 *   logLevel     the least level of what is logged on standard error: "debug", "info", "warning" or
 *                "error"; nothing is logged by default
 *   logEvents    true for APPCORE_EVENT_LOG in place of standard error; the level is then "info" by
 *                default
 * core: receives the handle, or NULL on failure.
 *
 * Thread-safe; any thread may use the handle.
 */
int appcore_open(
    const char *config, const char *options, appcore_t **core, appcore_error **error);

/*
 * Closes a core: cancels its requests, lets a renewal of a login that has begun finish, and closes
 * the database. Blocks until that is done: usually milliseconds; with a slow authorization server,
 * at most the configured time-out of the session `auth`, 20 seconds by default, and the storing.
 *
 * From the call on, the handle fails with APPCORE_MISUSE everywhere else; a thread that waits in
 * appcore_next_event returns with that. Events that were not fetched are dropped. Remove the
 * descriptor of appcore_event_fd from the main loop first: closing the core closes it.
 *
 * Whatever it returns, the core is closed. It fails with the code "login-not-saved" if a renewed
 * login could not be stored. NULL is accepted and does nothing.
 *
 * Thread-safe: other threads may be inside functions with this handle. Of several threads that
 * close it, one succeeds; the others fail with the code "bad-handle".
 */
int appcore_close(appcore_t *core, appcore_error **error);

/*
 * REQUESTS AND EVENTS                                       Tests/FrontEnds/C/events.c
 *
 * A request is work that goes on after the function that started it has returned. It reports by
 * events that carry its number. The last one is APPCORE_EVENT_DONE,
 * APPCORE_EVENT_FAILED or APPCORE_EVENT_CANCELLED: each request ends with exactly one of them,
 * unless the core is closed first. Events of one request arrive in order.
 *
 * Another thread may fetch an event before the function that started its request has returned. It
 * knows the request all the same if the starting thread has asked appcore_next_request beforehand,
 * or holds a lock over the call that the other thread takes before it looks the request up.
 *
 * A caller who does not fetch events uses bounded memory. Of each request the queue holds at most
 * one event of progress (APPCORE_EVENT_PROGRESS, APPCORE_EVENT_TRANSFER or
 * APPCORE_EVENT_DOCUMENT_PROGRESS), the newest, one APPCORE_EVENT_CHANGED of records, and the
 * newest 256 of logins; all other events of a request are few. Of log lines it holds the newest
 * 1024. While 1024 requests have not ended or their last event was not fetched, further ones fail
 * with APPCORE_TRY_AGAIN and the code "too-many-requests".
 */
enum {
  /*
   * A sync goes on. The document is one of `appcore sync --progress=json`. Its position and total
   * count the records that the sync reads, which after the first sync are the changes; they do not
   * count rows of the database.
   */
  APPCORE_EVENT_PROGRESS = 1,
  /* The report of a sync, complete or partial: the document of `appcore sync --json`. */
  APPCORE_EVENT_REPORT = 2,
  /*
   * The user has to visit a page: {"schemaVersion", "account", "purpose", "url"}. The purpose is
   * "sign-in", or "sign-out" for the provider's own page after a sign-out here.
   */
  APPCORE_EVENT_OPEN_URL = 3,
  /*
   * The user has to enter a code on a page, on any device: {"schemaVersion", "account",
   * "userCode", "verificationURL", "completeURL" (with the code in it; may be null), "expiresAt"}.
   */
  APPCORE_EVENT_DEVICE_CODE = 4,
  /* The account is signed in: the document of `appcore login --json`. */
  APPCORE_EVENT_SIGNED_IN = 5,
  /* The account is signed out: the document of `appcore logout --json`. */
  APPCORE_EVENT_SIGNED_OUT = 6,
  /* The document of `appcore status --json`. */
  APPCORE_EVENT_STATUS = 7,
  /* {"schemaVersion", "account", "chosen" (an id, or null), "organisations": [{"id", "name"}]} */
  APPCORE_EVENT_ORGANISATIONS = 8,
  /*
   * Something changed, through this process or another: {"schemaVersion", "changed": "records"}, or
   * {"schemaVersion", "changed": "login", "account", "login": "signed-in", "renewed", "signed-out"
   * or "ended"}.
   */
  APPCORE_EVENT_CHANGED = 9,
  /*
   * A file arrives: {"schemaVersion", "account", "session", "received" (bytes so far), "expected"
   * (bytes of the whole file; may be null)}.
   */
  APPCORE_EVENT_TRANSFER = 10,
  /*
   * The response to a module's request: {"schemaVersion", "account", "status", "url" (after
   * redirects), "headers" (an object, names in lower case), "body" (a text), "bodyBase64" (in its
   * place, if the body is no text), "file" (the path, of a download), "size" (bytes),
   * "resumedFrom" (the bytes that were there), "providerMessage" (why the server refuses)}. What
   * does not apply is null.
   */
  APPCORE_EVENT_RESPONSE = 11,
  /*
   * A line of the log, of no request (0), if the core was opened with logEvents: {"schemaVersion",
   * "time", "level", "label" (such as "appcore.sync"), "message", "metadata" (an object of texts)}.
   * It never contains a secret.
   */
  APPCORE_EVENT_LOG = 12,
  /*
   * Files of invoices are fetched: {"schemaVersion", "account", "invoices" (looked at so far),
   * "invoicesInAll", "stored" (files), "failed" (files), "bytes" (received so far)}.
   */
  APPCORE_EVENT_DOCUMENT_PROGRESS = 13,
  /* The report of fetched files, complete or partial: that of `appcore documents sync --json`. */
  APPCORE_EVENT_DOCUMENT_REPORT = 14,
  /* The result of an export of files: the document of `appcore documents export --json`. */
  APPCORE_EVENT_DOCUMENT_EXPORT = 15,
  /* The request succeeded. There is no document. */
  APPCORE_EVENT_DONE = 100,
  /* The request failed: `error` says why, and the document is that of a failed command. */
  APPCORE_EVENT_FAILED = 101,
  /* The request was cancelled; `error` and document as for APPCORE_EVENT_FAILED. */
  APPCORE_EVENT_CANCELLED = 102
};

/* 1 if an event of this type is the last of its request. */
#define APPCORE_EVENT_IS_LAST(type) ((type) >= APPCORE_EVENT_DONE)

/* Returns what APPCORE_EVENT_IS_LAST does, for languages without macros. Thread-safe. */
int appcore_event_is_last(int type);

/* An event. Later versions may add types, which a program skips if it does not know them. */
typedef struct appcore_event {
  /* One of the types above. */
  int type;
  /* The request that it belongs to. */
  appcore_request request;
  /* The document; NULL if the type has none. */
  const char *json;
  /* The error of APPCORE_EVENT_FAILED and APPCORE_EVENT_CANCELLED, else NULL. */
  const appcore_error *error;
} appcore_event;

/*
 * Frees an event and everything in it. NULL is accepted. Thread-safe: any thread may free an event,
 * once.
 */
void appcore_event_free(appcore_event *event);

/*
 * Returns the number of the next request that the calling thread starts with this core, so that the
 * thread can note what the request is for before any event of it arrives. Until the thread has
 * started a request, the number stays the same. Returns 0 for a bad handle.
 *
 * Thread-safe: each thread has a number of its own.
 */
appcore_request appcore_next_request(appcore_t *core);

/*
 * Returns a descriptor that is readable while there are events to fetch, for any main loop: poll,
 * epoll, GLib, Qt, libuv, asyncio. Returns -1 for a bad handle.
 *
 * It is an eventfd that belongs to the core. Do not read it, write it or close it: when it is
 * readable, call appcore_next_event with a time-out of 0 until there is no event left.
 *
 * Thread-safe; several threads may wait for the descriptor.
 */
int appcore_event_fd(appcore_t *core);

/*
 * Fetches the next event.
 *
 * timeout_ms: how long to wait for one; 0 not at all, and -1 without end.
 * event: receives the event, or NULL if none came in time.
 *
 * Thread-safe: several threads may wait at once, and each event goes to one of them.
 */
int appcore_next_event(
    appcore_t *core, int timeout_ms, appcore_event **event, appcore_error **error);

/*
 * Cancels a request. Its last event follows: APPCORE_EVENT_CANCELLED, or another one if it ended
 * first. What a sync has stored stays.
 *
 * A request that has ended is left alone. A number that the core never gave out fails with
 * APPCORE_MISUSE and the code "bad-request".
 *
 * Thread-safe: any thread may cancel a request.
 */
int appcore_cancel(appcore_t *core, appcore_request request, appcore_error **error);

/*
 * ACCOUNTS                                                  Tests/FrontEnds/C/sign_in.c,
 *                                                           organisations.c, events.c
 *
 * `account` is always the name of an account of the configuration, or NULL for the default one.
 * `request` receives the number of the request, and 0 on failure; it may be NULL.
 */

/*
 * Signs an account in, and stores the login in the keyring or the configured file.
 *
 * Events: APPCORE_EVENT_OPEN_URL or APPCORE_EVENT_DEVICE_CODE, then APPCORE_EVENT_SIGNED_IN. An
 * earlier login stays unless the new one is stored.
 *
 * options:
 *   method          one of these texts:
 *     "browser"             The user approves in a browser on this machine; this is the default.
 *                           APPCORE_EVENT_OPEN_URL brings the page to show; the library receives
 *                           the answer itself. If the browser is on another machine, or
 *                           `pasteRequired` of that event is true, pass on the answer with
 *                           appcore_paste_redirect.
 *     "device"              The user approves on any other device; APPCORE_EVENT_DEVICE_CODE brings
 *                           the code.
 *     "client-credentials"  The client is the account, without a user, as on a server.
 *   token           in place of a method: an access token, or the JSON response of a token
 *                   endpoint, as a text
 *   replace         true to replace a login that was made with another server or client
 *   timeoutSeconds  the time that the user has in the browser; 300 by default
 *
 * Thread-safe; returns immediately, and any thread may fetch the events.
 */
int appcore_sign_in(
    appcore_t *core, const char *account, const char *options, appcore_request *request,
    appcore_error **error);

/*
 * Passes a sign-in the address on which the browser ended. A browser on another machine cannot load
 * that page, whose address begins with http://127.0.0.1 or http://localhost. If the account has a
 * `redirectURI`, the browser ends on that https page. In both cases the user copies the address from
 * there into the program.
 *
 * Call it after APPCORE_EVENT_OPEN_URL, with the request of that event. If it succeeds, the sign-in
 * goes on, and its last event follows. It fails with APPCORE_FAILED and one of these codes; the
 * request goes on as before:
 *
 * "not-redirect": the text is not such an address. Let the user try again.
 * "foreign-redirect": the address belongs to another sign-in, or is incomplete. Likewise.
 * "no-redirect-expected": the request is no sign-in in a browser, its page was not shown yet, or it
 * has its redirect or has ended.
 *
 * A number that the core never gave out fails with APPCORE_MISUSE and the code "bad-request".
 *
 * address: white space around it does not matter.
 *
 * Thread-safe; blocks the calling thread until the sign-in has read the address: microseconds.
 */
int appcore_paste_redirect(
    appcore_t *core, appcore_request request, const char *address, appcore_error **error);

/*
 * Revokes a login at the provider, and removes it from this machine. Invoices stay.
 *
 * Events: APPCORE_EVENT_OPEN_URL if the provider has a page for signing out, then
 * APPCORE_EVENT_SIGNED_OUT, which lists every login that ended. If the invoices of one cannot be
 * deleted, that event comes as well, and the request fails.
 *
 * options:
 *   forget  true to delete the account's invoices and contacts from this machine as well
 *   force   true to remove also a login of another server or client, which is not revoked
 *   all     true to end the logins of all accounts, each once, and to remove those that no account
 *           uses any more; `account` has to be NULL
 *
 * Thread-safe; returns immediately, and any thread may fetch the events.
 */
int appcore_sign_out(
    appcore_t *core, const char *account, const char *options, appcore_request *request,
    appcore_error **error);

/*
 * Reports accounts, logins, last syncs, database and keyring.
 *
 * Events: APPCORE_EVENT_STATUS.
 *
 * account: NULL for all accounts.
 *
 * Thread-safe; returns immediately, and any thread may fetch the events.
 */
int appcore_status(
    appcore_t *core, const char *account, appcore_request *request, appcore_error **error);

/*
 * Asks the provider which organisations a login reaches. A sync that fails with the code
 * "organisation-unclear" needs a choice among them.
 *
 * Events: APPCORE_EVENT_ORGANISATIONS; its list is empty if the provider does not list them.
 *
 * Thread-safe; returns immediately, and any thread may fetch the events.
 */
int appcore_organisations(
    appcore_t *core, const char *account, appcore_request *request, appcore_error **error);

/*
 * Chooses the organisation that syncs of an account read, until the next sign-in.
 *
 * Events: only the last one.
 *
 * organisation: an id of the list that APPCORE_EVENT_ORGANISATIONS brings.
 *
 * Thread-safe; returns immediately, and any thread may fetch the events.
 */
int appcore_choose_organisation(
    appcore_t *core, const char *account, const char *organisation, appcore_request *request,
    appcore_error **error);

/*
 * SETTING UP                                                Tests/FrontEnds/C/setup.c
 *
 * What a screen needs to add, rename and remove accounts, as `appcore setup` and `appcore
 * organisations` do. An open core never changes its accounts: close it and open another one, which
 * has the new account; then sign in. Its own file, or the first configuration, holds the account.
 */

/*
 * Returns the providers that accounts can have: {"schemaVersion", "providers": [{"name", "title",
 * "records", "reads", "signIn", "registrationURL", "steps", "sandboxSteps", "tokenSteps",
 * "tokenName", "clientIDName", "redirectName", "redirectURI", "needsRedirectPage", "clientSecret",
 * "hasSandbox", "listsOrganisations", "site", "needsAddress", "needsOrganisation",
 * "isFromDocumentation"}]}.
 *
 * "signIn" lists "browser", "device" and "token", the usual way first. On the page
 * "registrationURL" the user registers an app, with "redirectURI" as its redirect URI, or gets a
 * token; "steps" and "tokenSteps" say how. A null "redirectURI" with a true "needsRedirectPage" is
 * an https page that the user has to own. "clientSecret" is "required", "none" or "optional".
 * "site" says in words which address an account may set as "baseURL"; it has to if "needsAddress"
 * is true, and has to set "tenantID" if "needsOrganisation" is. If "isFromDocumentation" is true,
 * the provider was described from the vendor's documentation, and not tried with its servers.
 *
 * Thread-safe; returns immediately.
 */
int appcore_providers(appcore_t *core, char **json, appcore_error **error);

/*
 * Returns the ways to sign in to an account: {"schemaVersion", "account", "login", "provider",
 * "title", "signIn", "tokenName", "registrationURL", "redirectURI", "pasteRequired"}.
 *
 * "signIn" is as of appcore_providers: show a button for "browser" and "device", which are methods
 * of appcore_sign_in, and a field with the label "tokenName" for "token". "login" is another account
 * if this one shares its login. If "pasteRequired" is true, the browser ends on a page whose address
 * the user pastes.
 *
 * account: NULL for the default account.
 *
 * Thread-safe; returns immediately.
 */
int appcore_sign_in_ways(
    appcore_t *core, const char *account, char **json, appcore_error **error);

/*
 * Adds an account to the configuration that the core was opened with, and creates that file for the
 * first one: {"schemaVersion", "account", "file"}. Nothing is signed in. A value to correct fails
 * with APPCORE_CONFIGURATION.
 *
 * account: the new account's name: 1 to 64 letters, digits, '.', '_' or '-'.
 * options of a new account:
 *   provider       the name of a provider, which is required
 *   clientID       the client identifier of the user's app; none for a token
 *   clientSecret   its secret, which goes to a file that only the user can read
 *   baseURL        the address of the API, for a provider that has another one for each customer
 *   tenantID       the organisation, for a provider whose requests name one
 *   redirectURI    the https page on which the sign-in ends
 *   redirectHost   "127.0.0.1" or "localhost", for a redirect URI on this machine
 *   redirectPort   its port; the usual redirect URI of the provider by default
 *   environment    "production", or "sandbox" for the provider's made-up books
 *   encryptedFile  true to keep the logins of a new configuration in an encrypted file with a new
 *                  key, where there is no keyring
 *
 * Thread-safe; blocks the calling thread while it asks the keyring and writes the file.
 */
int appcore_add_account(
    appcore_t *core, const char *account, const char *options, char **json,
    appcore_error **error);

/*
 * Renames an account, with its login and its records. If it fails, call it again, also with another
 * core. An account of a file that the user wrote fails with APPCORE_CONFIGURATION and what to change
 * there.
 *
 * Events: only the last one.
 *
 * Thread-safe; returns immediately, and any thread may fetch the events.
 */
int appcore_rename_account(
    appcore_t *core, const char *account, const char *name, appcore_request *request,
    appcore_error **error);

/*
 * Removes an account that has a file of its own. Sign out first: a login fails it with
 * APPCORE_CONFIGURATION.
 *
 * Events: only the last one.
 *
 * options:
 *   forget  true to delete the account's invoices and contacts from this machine as well
 *
 * Thread-safe; returns immediately, and any thread may fetch the events.
 */
int appcore_remove_account(
    appcore_t *core, const char *account, const char *options, appcore_request *request,
    appcore_error **error);

/*
 * SYNCING                                                   Tests/FrontEnds/C/sync.c
 */

/*
 * Fetches what changed at the provider into the local database.
 *
 * Events: APPCORE_EVENT_PROGRESS, APPCORE_EVENT_REPORT. A partial run has a report and then
 * APPCORE_EVENT_FAILED, which says why it is partial. The next sync continues where it ended.
 *
 * resource: "invoices", "credit-notes", "external-invoices", "bills", "payments", "prepayments",
 *   "overpayments", "contacts" or "all", whose report has one report per list that the provider has.
 * options, as of `appcore sync --help`:
 *   full                true to read everything again; records no longer listed count as deleted
 *   verify              true to compare everything with the server afterwards, and to correct
 *                       differences
 *   dryRun              true to store nothing, and to report what would change
 *   wait                false to fail at once with "already-running" if another process syncs the
 *                       same list
 *   allowMassDeletion   true to allow this run to delete more than sync.maximumDeletedPercent
 *   sameOrganisation    true to confirm that the login belongs to the organisation already stored
 *   since               the day or instant since which changes are read, as a text; by default what
 *                       was read before
 *   limit               stop after so many records, at the end of a page
 *   maxDurationSeconds  stop after so long
 *   maxWaitSeconds      the longest wait for a rate limit; 60 by default
 *
 * Thread-safe; returns immediately, and any thread may fetch the events.
 */
int appcore_sync(
    appcore_t *core, const char *account, const char *resource, const char *options,
    appcore_request *request, appcore_error **error);

/*
 * FILES OF INVOICES                                         Tests/FrontEnds/C/files.c
 *
 * A provider renders invoices as PDFs, and keeps the files that are attached to them. The library
 * fetches them into a folder of its own, and checks each. Never change or move a file there.
 */

/*
 * Lists the files of invoices, the newest invoices' first: the document of `appcore documents list
 * --json`. Its member "path" is where a file is; it is null of a file that was not fetched. The
 * list has the files that are known: those of an invoice are once they were fetched.
 *
 * query: NULL for all files of the default account. Its members are account, search, reading, and
 *   those that READING below names for invoices; offset and limit count files. These are of files
 *   alone:
 *   invoice   the number or id of an invoice, in place of the filters of invoices
 *   kind      one or several separated by commas: "pdf", "attachment", "ubl"
 *   state     likewise: "missing", "stored", "gone" (the provider has it no longer), "unsupported"
 *             (the provider has no such file) or "failed"
 *   stale     true for those whose invoice has changed since
 * json: receives the document, and NULL on failure; free it with appcore_string_free.
 *
 * Thread-safe; blocks the calling thread while it reads.
 */
int appcore_documents(appcore_t *core, const char *query, char **json, appcore_error **error);

/*
 * Fetches the files of invoices that are missing or whose invoice has changed, the newest
 * invoices' first.
 *
 * Events: APPCORE_EVENT_DOCUMENT_PROGRESS, APPCORE_EVENT_DOCUMENT_REPORT. A partial run has a report
 * and then APPCORE_EVENT_FAILED, which says why files are missing. What a provider does not have is
 * counted in the report, and is no failure. What was fetched before a cancel or a failure stays.
 *
 * options of the files to fetch, as of `appcore documents sync --help`; the filters of invoices are
 * those of appcore_invoices:
 *   invoice             the number or id of an invoice, in place of the filters. Fails with the code
 *                       "not-found" or "ambiguous"
 *   kind                one or several separated by commas; "pdf,attachment" by default. A kind
 *                       that is named and that the provider does not give fails with "not-found"
 *   refresh             "changed" to fetch a stored file again if its invoice has changed, which is
 *                       the default, "never" or "all"
 *   limit               stop after so many files
 *   maxDurationSeconds  begin no further file after so long
 *   maxWaitSeconds      the longest wait for a rate limit; 60 by default
 *   dryRun              true to send nothing, and to report how many files would be fetched
 *
 * The files have the session "documents", which is that of the configuration: appcore_cancel_session
 * with that name cancels this request too, and appcore_cancel this request alone.
 *
 * Thread-safe; returns immediately, and any thread may fetch the events.
 */
int appcore_fetch_documents(
    appcore_t *core, const char *account, const char *options, appcore_request *request,
    appcore_error **error);

/*
 * Writes the files of invoices that were fetched to a folder or a ZIP file, with "index.csv" and
 * "SHA256SUMS" beside them.
 *
 * Events: APPCORE_EVENT_DOCUMENT_EXPORT. If some files could not be written, it is followed by
 * APPCORE_EVENT_FAILED. A ZIP file is there once it is complete.
 *
 * account: "*" for all.
 * options of an export, as of `appcore documents export --help`, besides the filters of invoices,
 * invoice and kind:
 *   folder        an absolute path
 *   zip           in place of folder: the absolute path of a ZIP file, which is replaced
 *   name          the pattern of names, such as "{year}/{month}/{date} {number} {contact}{ext}"
 *   skipExisting  true to leave another file of the same name in the folder
 *   clobber       true to replace it; without either, it fails
 *
 * Thread-safe; returns immediately, and any thread may fetch the events.
 */
int appcore_export_documents(
    appcore_t *core, const char *account, const char *options, appcore_request *request,
    appcore_error **error);

/*
 * A FEATURE MODULE'S OWN REQUESTS                           Tests/FrontEnds/C/documents.c
 *
 * A feature module is a part of the program with requests of its own to the provider's API, such as
 * one that downloads documents. Each module has a session for each account: with its own time-outs,
 * its own limits and its own cancellation. All of them, and the syncs, share the login of their
 * account and the provider's limits.
 *
 * `module` is the name of the session: 1 to 64 ASCII letters, digits, '.', '_' or '-', the first of
 * them a letter or digit. Those of the library itself are refused: "auth", "invoices", "payments",
 * "contacts".
 * Requests that wait for others of their session may be sent in any order.
 */

/*
 * Sets the values of a module's session. What the user's configuration file states under
 * `sessions` goes before them. Call it before the module's first request; later it fails with
 * APPCORE_MISUSE and the code "bad-argument", unless the values are the same.
 *
 * options: the keys of sessions.MODULE in the configuration file, in its forms, such as
 *   {"timeout": {"request": "300s"}, "concurrency": 2}
 *
 * Thread-safe; returns immediately.
 */
int appcore_session(
    appcore_t *core, const char *module, const char *options, appcore_error **error);

/*
 * Sends a request to the provider's API, with the account's login. It is repeated after a lost
 * connection, a limit or a renewal of the login, as the session's values say.
 *
 * Events: APPCORE_EVENT_TRANSFER while a file arrives, then APPCORE_EVENT_RESPONSE, whatever the
 * status of the response is. A download succeeds with the whole file only; else the request fails,
 * with the code "not-found" or "access-denied" among others, and what has arrived is kept in a file
 * `to`.part, where the next download of the same address continues if the server allows it.
 *
 * address: a path below the address of the API, such as "api.xro/2.0/Invoices?page=2", in which
 *   {tenantID} stands for the organisation; or an absolute address. The provider adds the header
 *   field that names the organisation. One at another origin gets neither the login nor that field.
 * options:
 *   method          "GET" by default
 *   headers         an object of texts, such as {"Accept": "application/pdf"}
 *   body            a text
 *   bodyBase64      in place of body: any bytes, in Base64
 *   to              an absolute path: the response goes into this file, which is there once it is
 *                   complete
 *   timeoutSeconds  the time for one attempt, in place of the session's
 *   maxWaitSeconds  the longest single wait for a limit or before another attempt
 *   maximumSize     the largest body that is read without `to`, in bytes
 *   safeToRetry     true if sending the request twice does no harm; by default that of its method
 *
 * Thread-safe; returns immediately, and any thread may fetch the events.
 */
int appcore_send(
    appcore_t *core, const char *account, const char *module, const char *address,
    const char *options, appcore_request *request, appcore_error **error);

/*
 * Cancels the requests of a module, of all accounts, and no other. The last event of each follows,
 * as for appcore_cancel. The module may send further requests.
 *
 * Thread-safe: any thread may cancel.
 */
int appcore_cancel_session(appcore_t *core, const char *module, appcore_error **error);

/*
 * LIVE CHANGES                                              Tests/FrontEnds/C/watch.c
 */

/*
 * Watches the records and the logins, until it is cancelled. Creates the database if there is
 * none yet. While nothing changes, no thread of the library wakes.
 *
 * Events: APPCORE_EVENT_CHANGED of records at once, when the watch has begun; then after each
 * change of records, by this process or another. Several in quick succession may yield one event;
 * a sync that changed no record yields none. Who reads after each event misses nothing.
 *
 * APPCORE_EVENT_CHANGED also of each login that any process signs in, renews or signs out, or that
 * the server ends: one event for each, in their order, also if they cancel each other. A login
 * that another program than appcore removes from the keyring is noticed when it is next used.
 *
 * Thread-safe; returns immediately, and any thread may fetch the events.
 */
int appcore_watch(appcore_t *core, appcore_request *request, appcore_error **error);

/*
 * READING                                       Tests/FrontEnds/C/list.c, contacts.c, payments.c
 *
 * These functions read the local database only, so they work offline and while a sync runs. Before
 * the first sync, lists are empty.
 *
 * A `query` chooses among invoices, payments or contacts, in the words of `appcore invoices list
 * --help` and of the same command of the others:
 *   account   the account; the default one if absent, "*" for all
 *   search    words that all stand in number, contact, reference or lines; in reference, method,
 *             contact, id or numbers of invoices of payments; in name or e-mail of contacts
 *   sort      the order: "issueDate", "dueDate", "updatedAt", "total", "amountDue", "number",
 *             "contact" or "stored"; for payments "date", "amount", "updatedAt", "contact" or
 *             "stored"; for contacts "name", "updatedAt", "receivable" or "stored". A leading -
 *             reverses it. "-issueDate" by default, "-date" for payments, "name" for contacts
 *   offset    the number of rows to skip
 *   limit     the largest number of rows; all by default
 *   after     the "next" of a page in the same order; any other text is refused
 *   all       true to include void and deleted invoices and payments, or deleted contacts
 *   owing     for contacts alone: true for those that have to pay something
 *
 * These are for invoices and payments:
 *   changedSince  a day or an instant: what a sync has stored, changed or marked as deleted since,
 *             void and deleted ones included
 *   status    one or several separated by commas, such as "open,partially-paid" or "completed"
 *   type      likewise, such as "invoice,bill" or "receipt"
 *   currency  likewise, such as "EUR,USD"
 *   contact   the other party's id, or words of its name
 *   from, to  the first and last day of issue or payment, as a text: 2026-03-31, yesterday, 30d,
 *             2w, 3m, or a period such as 2026-03, 2026-Q1, q1, 2026 or last-month; a first day after
 *             the last is refused
 *
 * And these for payments alone:
 *   invoice   the number or id of an invoice that is paid
 *   unallocated  true for those of which a part pays no document yet
 *
 * The others are for invoices alone:
 *   overdue   true for those that are past their due date and unpaid
 *   unpaid    true for those that wait for a payment, due or not
 *   issued    true to leave out drafts, scheduled, void and deleted ones, whatever else is asked for
 *   min, max  the smallest and largest total: a text such as "99.95", or a number; a min above max
 *             is refused
 */

/*
 * With a limit, the document of a list has one more member, "next": a text that is the end of the
 * page, or null if no record follows. To read a list of any length in constant memory, pass it as
 * the member `after` of the next query, which is otherwise the same. The library holds nothing
 * between two pages.
 *
 * Each page is a moment of its own. Read with `after`, a record that is there all the time, and
 * whose place in the order does not change, comes exactly once, whatever is stored, changed or
 * deleted between two calls, by a sync or another process. A record whose place changes comes once,
 * twice or not at all. With `offset`, records that are stored between two calls can also move
 * others across the border of a page. Read again after APPCORE_EVENT_CHANGED.
 */

/*
 * Returns a page of invoices, without their lines: the document of `appcore invoices list --json`.
 *
 * In each order, the first 50 of 100,000 invoices of one account or of all take a few milliseconds.
 * With words, a contact or other filters that few invoices match, a page can take some hundred.
 *
 * query: NULL for all invoices of the default account, void and deleted ones excepted.
 * json: receives the document, and NULL on failure; free it with appcore_string_free.
 *
 * Thread-safe; blocks the calling thread while it reads.
 */
int appcore_invoices(
    appcore_t *core, const char *query, char **json, appcore_error **error);

/*
 * Counts the invoices that a query finds; its offset and limit do not matter.
 *
 * count: receives the number, and 0 on failure.
 *
 * Thread-safe; blocks the calling thread while it reads.
 */
int appcore_invoice_count(
    appcore_t *core, const char *query, int64_t *count, appcore_error **error);

/*
 * Returns one invoice with everything that is stored: the document of `appcore invoices show
 * --json`. Fails with the code "not-found" or "ambiguous".
 *
 * account: NULL for the default account.
 * id: its number or id, in any case, or the first 8 letters of its id.
 *
 * Thread-safe; blocks the calling thread while it reads.
 */
int appcore_invoice(
    appcore_t *core, const char *account, const char *id, char **json, appcore_error **error);

/*
 * Returns sums of the invoices that a query finds; its order, offset and limit do not matter. The
 * document is that of `appcore invoices summary --json`.
 *
 * query: NULL for all invoices of the default account, void and deleted ones excepted. One more
 *   member, but with "ageing":
 *   in  the currency of all sums, such as "EUR": each invoice is converted by what it states, and
 *       those without a rate are counted apart
 * by: "month", "quarter", "year", "contact", "status", "currency", "account", "tax-rate",
 *     "ageing" or "ageing-by-contact"; NULL for "month".
 *
 * Thread-safe; blocks the calling thread while it reads.
 */
int appcore_invoice_summary(
    appcore_t *core, const char *query, const char *by, char **json,
    appcore_error **error);

/*
 * Returns a page of contacts: the document of `appcore contacts list --json`. Thread-safe; blocks
 * the calling thread while it reads.
 */
int appcore_contacts(
    appcore_t *core, const char *query, char **json, appcore_error **error);

/*
 * Counts the contacts that a query finds; its offset and limit do not matter. Thread-safe; blocks
 * the calling thread while it reads.
 */
int appcore_contact_count(
    appcore_t *core, const char *query, int64_t *count, appcore_error **error);

/*
 * Returns one contact: the document of `appcore contacts show --json`. Fails with the code
 * "not-found" or "ambiguous".
 *
 * name: its id, or words of its name.
 *
 * Thread-safe; blocks the calling thread while it reads.
 */
int appcore_contact(
    appcore_t *core, const char *account, const char *name, char **json, appcore_error **error);

/*
 * Returns a page of payments, each with the invoices that it pays: the document of `appcore payments
 * list --json`. Those that a provider states within its invoices are among them, each once.
 *
 * query: NULL for all payments of the default account, void and deleted ones excepted.
 * json: receives the document, and NULL on failure; free it with appcore_string_free.
 *
 * Thread-safe; blocks the calling thread while it reads.
 */
int appcore_payments(
    appcore_t *core, const char *query, char **json, appcore_error **error);

/*
 * Counts the payments that a query finds; its offset and limit do not matter. Thread-safe; blocks
 * the calling thread while it reads.
 */
int appcore_payment_count(
    appcore_t *core, const char *query, int64_t *count, appcore_error **error);

/*
 * Returns one payment: the document of `appcore payments show --json`. Fails with the code
 * "not-found" or "ambiguous".
 *
 * account: NULL for the default account.
 * id: its id or the first 8 letters of it, or its reference.
 *
 * Thread-safe; blocks the calling thread while it reads.
 */
int appcore_payment(
    appcore_t *core, const char *account, const char *id, char **json, appcore_error **error);

/*
 * Returns the records that have changed since a position, in the order in which they changed, also
 * those that were deleted at the provider or forgotten: an object with the members
 *   changes     an object for each: "kind", "account", "id", "change" (the number of the commit that
 *               last changed it), "deletedAt", "deletedReason" (null unless it is deleted), and
 *               "record", the document of the record as it is now, as `appcore invoices show --json`
 *               has it; null if it is not stored any more. That of a contact is without sums; that
 *               of an account has "name", "source", "organisationID" and "organisation"
 *   next        the position after them; null if there is no database yet
 *   hasMore     true if there were more
 *   startsOver  true if `after` is of another database, or of a later state of this one, such as
 *               before a backup was restored: the changes are then all records that there are
 *
 * Call it with "next" until "hasMore" is false, and again after APPCORE_EVENT_CHANGED. Each page is
 * a moment of its own. Nothing is missed; a record that changes between two pages comes again, and
 * one that a sync found unchanged does not come. The text of a position can be stored.
 *
 * query: NULL for all records. Its members:
 *   after    a "next"; any other text is refused
 *   account  the name of an account; all accounts if absent
 *   kind     one or several separated by commas: "account", "contact", "invoice", "payment"
 *   limit    the number of changes after which a page ends, 1000 if absent. A contact comes with the
 *            invoices and payments that show its name, so a page may have more
 * json: receives the document, and NULL on failure; free it with appcore_string_free.
 *
 * Thread-safe; blocks the calling thread while it reads.
 */
int appcore_changes(
    appcore_t *core, const char *query, char **json, appcore_error **error);

/*
 * Ends the reading calls that other threads are in: those whose query has this text as its member
 * `reading`. They fail with APPCORE_CANCELLED and the code "interrupted", usually within a
 * millisecond. Reading calls with another text or none are never affected, nor are syncs.
 *
 * reading: a text of the caller's choice, such as the name of a window. Functions with a `query`
 *   take it, and any number of calls may share it.
 *
 * It does nothing if no such call is under way. A call that has not begun is not ended: a thread
 * that reads page by page looks at a flag of its own between two pages.
 *
 * Thread-safe; returns immediately.
 */
int appcore_cancel_reading(appcore_t *core, const char *reading, appcore_error **error);

#ifdef __cplusplus
}
#endif

#endif
