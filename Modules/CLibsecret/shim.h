#ifndef APPCORE_CLIBSECRET_SHIM_H
#define APPCORE_CLIBSECRET_SHIM_H

#include <libsecret/secret.h>

/* Swift cannot call variadic functions or read the macros behind these names. */

static inline const SecretSchema *appcore_schema(void) {
  static const SecretSchema schema = {
    "org.appcore.Login",
    SECRET_SCHEMA_NONE,
    {
      {"appcore:service", SECRET_SCHEMA_ATTRIBUTE_STRING},
      {"appcore:account", SECRET_SCHEMA_ATTRIBUTE_STRING},
      {NULL, SECRET_SCHEMA_ATTRIBUTE_STRING},
    },
    0, NULL, NULL, NULL, NULL, NULL, NULL, NULL};
  return &schema;
}

static inline GHashTable *appcore_attributes_new(const char *service, const char *account) {
  GHashTable *table = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
  g_hash_table_insert(table, g_strdup("appcore:service"), g_strdup(service));
  if (account != NULL) g_hash_table_insert(table, g_strdup("appcore:account"), g_strdup(account));
  return table;
}

static inline void appcore_ignore_log(
    const char *domain, GLogLevelFlags level, const char *message, void *data) {}

/* libsecret writes its complaints to standard error, where a program's own words stand; all of them
   come back as errors as well. */
static inline void appcore_silence_libsecret(void) {
  static gsize done = 0;
  if (!g_once_init_enter(&done)) return;
  g_log_set_handler("libsecret", G_LOG_LEVEL_MASK, appcore_ignore_log, NULL);
  g_once_init_leave(&done, 1);
}

static inline gboolean appcore_error_is_cancelled(const GError *error) {
  return g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* Nobody answers for the service, or the bus itself cannot be reached. */
static inline gboolean appcore_error_is_absent(const GError *error) {
  return g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_SERVICE_UNKNOWN) ||
         g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_NAME_HAS_NO_OWNER) ||
         g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_SPAWN_SERVICE_NOT_FOUND) ||
         g_error_matches(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND) ||
         g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED);
}

/* The service went away between a question and its answer. */
static inline gboolean appcore_error_is_disconnected(const GError *error) {
  return g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_NO_REPLY) ||
         g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_DISCONNECTED) ||
         g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CLOSED) ||
         g_error_matches(error, G_IO_ERROR, G_IO_ERROR_BROKEN_PIPE);
}

static inline gboolean appcore_error_is_timeout(const GError *error) {
  return g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_TIMEOUT) ||
         g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_TIMED_OUT) ||
         g_error_matches(error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT);
}

/* A bus that ends must not end this process with it. */
static inline GDBusConnection *appcore_session_bus(GCancellable *cancellable, GError **error) {
  GDBusConnection *bus = g_bus_get_sync(G_BUS_TYPE_SESSION, cancellable, error);
  if (bus != NULL) g_dbus_connection_set_exit_on_close(bus, FALSE);
  return bus;
}

/* A connection of its own, which no other call shares. */
static inline GDBusConnection *appcore_connect_bus(
    const char *address, GCancellable *cancellable, GError **error) {
  GDBusConnection *bus = g_dbus_connection_new_for_address_sync(
      address,
      G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT |
          G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
      NULL, cancellable, error);
  if (bus != NULL) {
    g_dbus_connection_set_exit_on_close(bus, FALSE);
    g_dbus_connection_close_sync(bus, NULL, NULL);
  }
  return bus;
}

static inline gboolean appcore_has_owner(
    GDBusConnection *bus, const char *name, int milliseconds, GCancellable *cancellable,
    GError **error) {
  gboolean answer = FALSE;
  GVariant *reply = g_dbus_connection_call_sync(
      bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameHasOwner",
      g_variant_new("(s)", name), G_VARIANT_TYPE("(b)"), G_DBUS_CALL_FLAGS_NONE, milliseconds,
      cancellable, error);
  if (reply == NULL) return FALSE;
  g_variant_get(reply, "(b)", &answer);
  g_variant_unref(reply);
  return answer;
}

/* Asks the bus to start a service; FALSE with an error where it does not come up in time. */
static inline gboolean appcore_start_service(
    GDBusConnection *bus, const char *name, int milliseconds, GCancellable *cancellable,
    GError **error) {
  GVariant *reply = g_dbus_connection_call_sync(
      bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
      "StartServiceByName", g_variant_new("(su)", name, 0), G_VARIANT_TYPE("(u)"),
      G_DBUS_CALL_FLAGS_NONE, milliseconds, cancellable, error);
  if (reply == NULL) return FALSE;
  g_variant_unref(reply);
  return TRUE;
}

/* What was found is not there any more; services differ in how they say so. */
static inline gboolean appcore_error_is_gone(const GError *error) {
  return g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_UNKNOWN_METHOD) ||
         g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_UNKNOWN_OBJECT) ||
         g_error_matches(error, SECRET_ERROR, SECRET_ERROR_NO_SUCH_OBJECT);
}

static inline gboolean appcore_error_is_locked(const GError *error) {
  return g_error_matches(error, SECRET_ERROR, SECRET_ERROR_IS_LOCKED);
}

#endif
