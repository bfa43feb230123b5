/*
 * Signs the default account in, and out again with --out.
 * Usage: sign_in [--out] [CONFIG]
 * $BROWSER opens the page; xdg-open does if it is not set.
 */
#include <appcore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

/* Copies a member of a flat document; a real program uses a JSON library, such as jansson. */
static void member(const char *json, const char *name, char *value, size_t size) {
  char key[64];
  snprintf(key, sizeof key, "\"%s\":\"", name);
  const char *start = strstr(json, key);
  start = start ? start + strlen(key) : "";
  snprintf(value, size, "%.*s", (int)strcspn(start, "\""), start);
}

static void open_page(const char *json) {
  char url[4096];
  member(json, "url", url, sizeof url);
  const char *browser = getenv("BROWSER");
  if (!browser) browser = "xdg-open";
  printf("To sign in, visit %s\n", url);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    execlp(browser, browser, url, (char *)NULL);
    _exit(127);
  }
  if (child > 0) waitpid(child, NULL, 0);
}

int main(int argc, char **argv) {
  int leaves = argc > 1 && strcmp(argv[1], "--out") == 0;
  const char *config = argc > 1 + leaves ? argv[1 + leaves] : NULL;
  appcore_t *core;
  if (appcore_open(config, NULL, &core, NULL) != APPCORE_OK) return 1;

  appcore_error *error;
  int kind = leaves ? appcore_sign_out(core, NULL, NULL, NULL, &error)
                    : appcore_sign_in(core, NULL, NULL, NULL, &error);
  int is_running = kind == APPCORE_OK;
  if (!is_running) fprintf(stderr, "%s\n", error->message);
  appcore_error_free(error);

  while (is_running) {
    appcore_event *event;
    if (appcore_next_event(core, -1, &event, NULL) != APPCORE_OK) break;
    switch (event->type) {
      case APPCORE_EVENT_OPEN_URL: open_page(event->json); break;
      case APPCORE_EVENT_SIGNED_IN: printf("Signed in: %s\n", event->json); break;
      case APPCORE_EVENT_SIGNED_OUT: printf("Signed out: %s\n", event->json); break;
      case APPCORE_EVENT_FAILED:
        fprintf(stderr, "%s\n", event->error->message);
        if (event->error->hint) fprintf(stderr, "  %s\n", event->error->hint);
        kind = event->error->kind;
        break;
      default: break;
    }
    is_running = !APPCORE_EVENT_IS_LAST(event->type);
    appcore_event_free(event);
  }
  appcore_close(core, NULL);
  return kind;
}
