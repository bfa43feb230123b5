import GtkShim

/// The widgets of one row of the list, which GTK reuses for whichever row comes into view.
final class InvoiceRow {
  let item: Object
  private let title = InvoiceRow.label("heading")
  private let amount = InvoiceRow.label("amount")
  private let subtitle = InvoiceRow.label("caption", "dim-label")
  private let status = InvoiceRow.label("caption", "dim-label")

  /// The position in the list, as long as the row is in view.
  var position: Int? {
    let position = gtk_list_item_get_position(item.opaque)
    return position == GTK_INVALID_LIST_POSITION ? nil : Int(position)
  }

  init(item: Object) {
    self.item = item
    guard let grid = gtk_grid_new() else { return }
    let place = UnsafeMutableRawPointer(grid).assumingMemoryBound(to: GtkGrid.self)
    gtk_widget_add_css_class(grid, "invoice")
    gtk_grid_set_column_spacing(place, 12)
    for (label, column, row) in [(title, 0, 0), (amount, 1, 0), (subtitle, 0, 1), (status, 1, 1)] {
      label.set("xalign", column == 0 ? 0 : 1)
      label.set("hexpand", column == 0)
      gtk_label_set_ellipsize(label.opaque, PANGO_ELLIPSIZE_END)
      gtk_grid_attach(place, label.widget, Int32(column), Int32(row), 1, 1)
    }
    gtk_label_set_ellipsize(amount.opaque, PANGO_ELLIPSIZE_NONE)
    gtk_list_item_set_child(item.opaque, grid)
  }

  /// Shows an invoice; `nil` shows an empty row until its invoice is read.
  func show(_ text: InvoiceText?) {
    gtk_label_set_text(title.opaque, text?.title ?? "")
    gtk_label_set_text(amount.opaque, text?.amount ?? "")
    gtk_label_set_text(subtitle.opaque, text?.subtitle ?? "")
    gtk_label_set_text(status.opaque, text?.status ?? "")
    guard let text, let child = gtk_list_item_get_child(item.opaque),
      let row = gtk_widget_get_parent(child)
    else { return }
    Object(row).speak(text.spoken)
  }

  private static func label(_ classes: String...) -> Object {
    let label = Object.label()
    for name in classes { gtk_widget_add_css_class(label.widget, name) }
    return label
  }
}
