import GtkShim

/// The widgets of the window, by the names that its description gives them.
final class Layout {
  private let builder: OpaquePointer

  init() {
    builder = gtk_builder_new_from_string(windowDescription, -1)
    guard let styles = gtk_css_provider_new(), let display = gdk_display_get_default() else {
      return
    }
    gtk_css_provider_load_from_data(styles, windowStyles, -1)
    gtk_style_context_add_provider_for_display(
      display, OpaquePointer(styles), UInt32(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
  }

  /// Returns a widget of the description.
  subscript(_ name: String) -> Object {
    guard let object = gtk_builder_get_object(builder, name) else {
      preconditionFailure("the description of the window has no '\(name)'")
    }
    return Object(UnsafeMutableRawPointer(object))
  }
}
