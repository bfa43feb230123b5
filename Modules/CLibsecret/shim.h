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
  g_hash_table_insert(table, g_strdup("appcore:account"), g_strdup(account));
  return table;
}

static inline gboolean appcore_error_is_cancelled(const GError *error) {
  return g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* Nobody answers for the service, or the bus itself cannot be reached. */
static inline gboolean appcore_error_is_absent(const GError *error) {
  return g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_SERVICE_UNKNOWN) ||
         g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_NAME_HAS_NO_OWNER) ||
         g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_SPAWN_SERVICE_NOT_FOUND) ||
         g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_SPAWN_EXEC_FAILED) ||
         g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_SPAWN_CHILD_EXITED) ||
         g_error_matches(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND) ||
         g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED);
}

static inline gboolean appcore_error_is_locked(const GError *error) {
  return g_error_matches(error, SECRET_ERROR, SECRET_ERROR_IS_LOCKED);
}

#endif
