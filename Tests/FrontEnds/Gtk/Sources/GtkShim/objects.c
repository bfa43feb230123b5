#include "gtk-shim.h"

typedef struct {
  ShimCallback call;
  gpointer data;
  GDestroyNotify release;
} Connection;

static void release_connection(gpointer data, GClosure *closure) {
  (void)closure;
  Connection *connection = data;
  connection->release(connection->data);
  g_free(connection);
}

static Connection *new_connection(ShimCallback call, gpointer data, GDestroyNotify release) {
  Connection *connection = g_new(Connection, 1);
  connection->call = call;
  connection->data = data;
  connection->release = release;
  return connection;
}

static void connect_closure(gpointer object, const char *signal, GClosure *closure,
                            Connection *connection) {
  g_closure_add_finalize_notifier(closure, connection, release_connection);
  g_signal_connect_closure(object, signal, closure, FALSE);
}

void shim_connect(gpointer object, const char *signal, ShimCallback call, gpointer data,
                  GDestroyNotify release) {
  Connection *connection = new_connection(call, data, release);
  connect_closure(object, signal, g_cclosure_new_swap(G_CALLBACK(call), data, NULL), connection);
}

static gboolean handle(Connection *connection, gpointer argument) {
  connection->call(connection->data, argument);
  return TRUE;
}

void shim_connect_handler(gpointer object, const char *signal, ShimCallback call, gpointer data,
                          GDestroyNotify release) {
  Connection *connection = new_connection(call, data, release);
  connect_closure(object, signal, g_cclosure_new_swap(G_CALLBACK(handle), connection, NULL),
                  connection);
}

void shim_set_text(gpointer object, const char *property, const char *text) {
  g_object_set(object, property, text, NULL);
}

void shim_set_flag(gpointer object, const char *property, gboolean value) {
  g_object_set(object, property, value, NULL);
}

void shim_set_number(gpointer object, const char *property, double value) {
  g_object_set(object, property, value, NULL);
}

void shim_set_spoken(gpointer widget, const char *text) {
  gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}

void shim_set_keys(GtkApplication *application, const char *action, const char *keys) {
  const char *all[] = {keys, NULL};
  gtk_application_set_accels_for_action(application, action, all);
}
