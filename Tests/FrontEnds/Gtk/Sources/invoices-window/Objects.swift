import GtkShim

/// An object of GTK, with its properties and signals by name.
struct Object {
  let pointer: UnsafeMutableRawPointer

  var widget: UnsafeMutablePointer<GtkWidget> { pointer.assumingMemoryBound(to: GtkWidget.self) }
  var opaque: OpaquePointer { OpaquePointer(pointer) }

  init(_ pointer: UnsafeMutableRawPointer) { self.pointer = pointer }
  init(_ widget: UnsafeMutablePointer<GtkWidget>) { pointer = UnsafeMutableRawPointer(widget) }

  func set(_ property: String, _ text: String?) { shim_set_text(pointer, property, text) }
  func set(_ property: String, _ flag: Bool) { shim_set_flag(pointer, property, flag ? 1 : 0) }
  func set(_ property: String, _ number: Double) { shim_set_number(pointer, property, number) }

  /// Sets the name that a screen reader says.
  func speak(_ text: String) { shim_set_spoken(pointer, text) }

  /// Calls an action whenever a signal is emitted, with the signal's first argument.
  func on(_ signal: String, _ action: @escaping (UnsafeMutableRawPointer?) -> Void) {
    connect(signal, action, with: shim_connect)
  }

  /// Calls an action in place of what GTK does when a signal such as `close-request` is emitted.
  func handle(_ signal: String, _ action: @escaping () -> Void) {
    connect(signal, { _ in action() }, with: shim_connect_handler)
  }

  private func connect(
    _ signal: String, _ action: @escaping (UnsafeMutableRawPointer?) -> Void,
    with connect: (
      UnsafeMutableRawPointer?, UnsafePointer<CChar>?, ShimCallback?, UnsafeMutableRawPointer?,
      GDestroyNotify?
    ) -> Void
  ) {
    let kept = Unmanaged.passRetained(Action(action))
    connect(
      pointer, signal,
      { data, argument in
        guard let data else { return }
        Unmanaged<Action>.fromOpaque(data).takeUnretainedValue().run(argument)
      }, kept.toOpaque(),
      { data in if let data { Unmanaged<Action>.fromOpaque(data).release() } })
  }
}

/// An action that a signal calls; the signal holds it.
private final class Action {
  let run: (UnsafeMutableRawPointer?) -> Void
  init(_ run: @escaping (UnsafeMutableRawPointer?) -> Void) { self.run = run }
}

extension Object {
  /// Creates a label that wraps.
  static func label(_ text: String = "", _ classes: String...) -> Object {
    guard let widget = gtk_label_new(text) else { preconditionFailure("GTK is not initialised") }
    let label = Object(widget)
    label.set("xalign", 0)
    for name in classes { gtk_widget_add_css_class(widget, name) }
    return label
  }

  /// Appends a widget to a box.
  func append(_ child: Object) {
    gtk_box_append(pointer.assumingMemoryBound(to: GtkBox.self), child.widget)
  }

  /// Removes every child of a box.
  func removeChildren() {
    while let child = gtk_widget_get_first_child(widget) {
      gtk_box_remove(pointer.assumingMemoryBound(to: GtkBox.self), child)
    }
  }
}
