// What a GTK program in Swift needs from C: the main queue in GLib's main loop, a list model, and
// functions with variable arguments.
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

// Makes GLib's main loop run the main queue of libdispatch, and with it Swift's main actor. Call it
// once, on the main thread, before the loop runs.
void shim_attach_main_queue(void);

// Calls a function with its data when a signal is emitted; `release` is called with the data when
// the object goes. The function also receives the signal's first argument.
typedef void (*ShimCallback)(gpointer data, gpointer argument);
void shim_connect(gpointer object, const char *signal, ShimCallback call, gpointer data,
                  GDestroyNotify release);

// The same for a signal that asks whether it was handled, such as close-request: the answer is yes,
// so that GTK does nothing by itself.
void shim_connect_handler(gpointer object, const char *signal, ShimCallback call, gpointer data,
                          GDestroyNotify release);

// A list model that knows only its length: whoever shows a row asks for its position.
GListModel *shim_list_new(void);
void shim_list_splice(GListModel *list, guint position, guint removed, guint added);

// Properties, by name.
void shim_set_text(gpointer object, const char *property, const char *text);
void shim_set_flag(gpointer object, const char *property, gboolean value);
void shim_set_number(gpointer object, const char *property, double value);

// The keys of an action; an array of one, which is awkward in Swift.
void shim_set_keys(GtkApplication *application, const char *action, const char *keys);

// The name that a screen reader says.
void shim_set_spoken(gpointer widget, const char *text);

G_END_DECLS
