// libdispatch announces work for the main queue on a descriptor, an eventfd on Linux. It was made
// for CoreFoundation's run loop; GLib's loop can wait for it as well as for any other descriptor.
#include "gtk-shim.h"

#include <glib-unix.h>
#include <stdint.h>
#include <unistd.h>

// From libdispatch; private/queue_private.h declares them.
extern int _dispatch_get_main_queue_port_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *message);

static gboolean run_main_queue(gint descriptor, GIOCondition condition, gpointer data) {
  (void)condition;
  (void)data;
  // Before the queue runs: what is announced from now on wakes the loop again.
  uint64_t announcements;
  (void)!read(descriptor, &announcements, sizeof announcements);
  _dispatch_main_queue_callback_4CF(NULL);
  return G_SOURCE_CONTINUE;
}

// Runs what was queued before anyone asked for the descriptor, which nothing announced.
static gboolean run_earlier_work(gpointer data) {
  (void)data;
  _dispatch_main_queue_callback_4CF(NULL);
  return G_SOURCE_REMOVE;
}

void shim_attach_main_queue(void) {
  g_unix_fd_add(_dispatch_get_main_queue_port_4CF(), G_IO_IN, run_main_queue, NULL);
  g_idle_add_full(G_PRIORITY_DEFAULT, run_earlier_work, NULL, NULL);
}
