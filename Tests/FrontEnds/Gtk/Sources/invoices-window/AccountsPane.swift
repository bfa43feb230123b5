import AppCore
import Authentication
import GtkShim

/// The accounts at the left, with the state of their logins.
final class AccountsPane {
  private let box: Object
  private let core: ApplicationCore
  private let names: [String]
  private var states: [String: Object] = [:]
  private var refreshing: Task<Void, Never>?

  /// Called when the user has selected another account.
  var onSelection: () -> Void = {}
  private(set) var selected: String

  init(box: Object, core: ApplicationCore) {
    self.box = box
    self.core = core
    names = core.configuration.accounts.keys.sorted()
    selected = core.configuration.defaultAccount
    for name in names { add(name) }
    let index = names.firstIndex(of: selected) ?? 0
    gtk_list_box_select_row(box.opaque, gtk_list_box_get_row_at_index(box.opaque, Int32(index)))
    box.on("row-selected") { [unowned self] row in
      guard let row else { return }
      let index = gtk_list_box_row_get_index(row.assumingMemoryBound(to: GtkListBoxRow.self))
      guard names.indices.contains(Int(index)), names[Int(index)] != selected else { return }
      selected = names[Int(index)]
      onSelection()
    }
  }

  private func add(_ name: String) {
    guard let box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0) else { return }
    let state = Object.label("", "caption", "dim-label")
    gtk_widget_add_css_class(box, "account")
    Object(box).append(Object.label(name))
    Object(box).append(state)
    states[name] = state
    gtk_list_box_append(self.box.opaque, box)
  }

  /// Reads the states of the logins again.
  func refresh() {
    refreshing?.cancel()
    refreshing = Task { [weak self, names, core] in
      for name in names {
        let status = try? await core.authenticator.status(of: name)
        guard !Task.isCancelled else { return }
        self?.show(status?.state, of: name)
      }
    }
  }

  private func show(_ state: AccountStatus.State?, of name: String) {
    let text =
      switch state {
      case .valid?, .expired?: "Signed in"
      case .signedOut?: "Signed out"
      case .rejected?: "Sign in again"
      case nil: "Keyring not available"
      }
    states[name]?.set("label", text)
    guard let label = states[name],
      let row = gtk_widget_get_ancestor(label.widget, gtk_list_box_row_get_type())
    else { return }
    Object(row).speak("\(name), \(text)")
  }
}
