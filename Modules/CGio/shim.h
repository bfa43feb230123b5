#ifndef APPCORE_CGIO_SHIM_H
#define APPCORE_CGIO_SHIM_H

#include <gio/gio.h>

enum { APPCORE_SHOWN, APPCORE_NO_SERVICE, APPCORE_NOT_SHOWN };

/* Calls Notify of the Desktop Notifications Specification on the bus at an address, and waits for the
   answer. Here since Swift cannot call variadic functions. */
static inline int appcore_notify(
    const char *address, const char *application, const char *summary, const char *body,
    int milliseconds) {
  GDBusConnection *bus = g_dbus_connection_new_for_address_sync(
      address,
      G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT |
          G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
      NULL, NULL, NULL);
  if (bus == NULL) return APPCORE_NO_SERVICE;
  g_dbus_connection_set_exit_on_close(bus, FALSE);
  GVariantBuilder actions, hints;
  g_variant_builder_init(&actions, G_VARIANT_TYPE("as"));
  g_variant_builder_init(&hints, G_VARIANT_TYPE("a{sv}"));
  GError *error = NULL;
  GVariant *reply = g_dbus_connection_call_sync(
      bus, "org.freedesktop.Notifications", "/org/freedesktop/Notifications",
      "org.freedesktop.Notifications", "Notify",
      g_variant_new(
          "(susssasa{sv}i)", application, 0, "dialog-warning", summary, body, &actions, &hints, -1),
      G_VARIANT_TYPE("(u)"), G_DBUS_CALL_FLAGS_NONE, milliseconds, NULL, &error);
  int outcome = APPCORE_SHOWN;
  if (reply == NULL) {
    gboolean isAbsent = g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_SERVICE_UNKNOWN) ||
                        g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_NAME_HAS_NO_OWNER) ||
                        g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_SPAWN_SERVICE_NOT_FOUND);
    outcome = isAbsent ? APPCORE_NO_SERVICE : APPCORE_NOT_SHOWN;
    g_clear_error(&error);
  } else {
    g_variant_unref(reply);
  }
  g_dbus_connection_close_sync(bus, NULL, NULL);
  g_object_unref(bus);
  return outcome;
}

#endif
