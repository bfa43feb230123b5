import GtkShim

/// The widgets of one row of the list, which GTK reuses for whichever row comes into view.
///
/// They are inscriptions: unlike labels they keep their size when their text changes, so that a row
/// that scrolls into view needs no new layout.
final class InvoiceRow {
  let item: Object
  private let title = InvoiceRow.inscription("heading")
  private let amount = InvoiceRow.inscription("amount")
  private let subtitle = InvoiceRow.inscription("caption", "dim-label")
  private let status = InvoiceRow.inscription("caption", "dim-label")
  private var shown: InvoiceText?

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
    for (text, column, row) in [(title, 0, 0), (amount, 1, 0), (subtitle, 0, 1), (status, 1, 1)] {
      gtk_inscription_set_xalign(text.opaque, Float(column))
      gtk_inscription_set_nat_chars(text.opaque, column == 0 ? 24 : 16)
      gtk_widget_set_hexpand(text.widget, column == 0 ? 1 : 0)
      gtk_grid_attach(place, text.widget, Int32(column), Int32(row), 1, 1)
    }
    // An amount is shown whole, and leaves the rest to the name.
    gtk_inscription_set_min_chars(amount.opaque, 16)
    gtk_list_item_set_child(item.opaque, grid)
  }

  /// Shows an invoice; `nil` shows an empty row until its invoice is read.
  func show(_ text: InvoiceText?) {
    guard text != shown else { return }
    shown = text
    gtk_inscription_set_text(title.opaque, text?.title)
    gtk_inscription_set_text(amount.opaque, text?.amount)
    gtk_inscription_set_text(subtitle.opaque, text?.subtitle)
    gtk_inscription_set_text(status.opaque, text?.status)
    guard let text, let child = gtk_list_item_get_child(item.opaque),
      let row = gtk_widget_get_parent(child)
    else { return }
    Object(row).speak(text.spoken)
  }

  private static func inscription(_ classes: String...) -> Object {
    guard let widget = gtk_inscription_new(nil) else {
      preconditionFailure("GTK is not initialised")
    }
    let inscription = Object(widget)
    gtk_inscription_set_text_overflow(
      inscription.opaque, GTK_INSCRIPTION_OVERFLOW_ELLIPSIZE_END)
    for name in classes { gtk_widget_add_css_class(widget, name) }
    return inscription
  }
}
