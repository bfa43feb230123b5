import GtkShim

/// The keys that lead from one part of the window to another: Tab walks every row of a list.
final class Shortcuts {
  private static let panes = ["accounts", "search", "list", "details"]

  private let layout: Layout
  private var pane = 0

  init(_ layout: Layout) {
    self.layout = layout
  }

  /// Adds the keys to the program, which calls an action of the same name for each.
  func add(to application: Object) {
    for (name, keys) in [("search", "<Control>f"), ("next-pane", "F6")] {
      guard let action = g_simple_action_new(name, nil) else { continue }
      Object(UnsafeMutableRawPointer(action)).on("activate") { [unowned self] _ in
        focus(name == "search" ? 1 : (pane + 1) % Self.panes.count)
      }
      let pointer = application.pointer
      g_action_map_add_action(OpaquePointer(pointer), action)
      shim_set_keys(pointer.assumingMemoryBound(to: GtkApplication.self), "app.\(name)", keys)
    }
  }

  private func focus(_ index: Int) {
    pane = index
    let widget = layout[Self.panes[index]].widget
    // A list passes the focus to one of its rows, a box to its first child.
    if gtk_widget_grab_focus(widget) == 0 {
      gtk_widget_child_focus(widget, GTK_DIR_TAB_FORWARD)
    }
  }
}
