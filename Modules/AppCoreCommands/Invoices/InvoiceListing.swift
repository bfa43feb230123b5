import Models
import Storage
import Synchronization

/// Invoices as aligned columns, written piece by piece.
///
/// The first thousand rows decide how wide the columns are, so that a list of any length takes the
/// same memory and begins at once.
final class InvoiceListing: ExportWriter {
  private struct State {
    var rows = [["DATE", "DUE", "NUMBER", "TYPE", "STATUS", "CONTACT", "TOTAL"]]
    /// The widths of the columns, once they are decided.
    var widths: [Int]?
  }

  private static let decisive = 1_000
  private let state = Mutex(State())

  let beginning = ""

  func text(of stored: StoredInvoice, isFirst: Bool) -> String {
    state.withLock { state in
      state.rows.append(Self.row(stored))
      return state.widths != nil || state.rows.count > Self.decisive ? Self.flush(&state) : ""
    }
  }

  func end(isEmpty: Bool) -> String {
    guard !isEmpty else { return "No invoices.\n" }
    return state.withLock { Self.flush(&$0) }
  }

  /// Returns the rows as lines, and forgets them.
  private static func flush(_ state: inout State) -> String {
    let columns = AlignedColumns(state.rows, right: [6])
    let widths = state.widths ?? columns.widths
    state.widths = widths
    state.rows = []
    return columns.lines(widths: widths).map { $0 + "\n" }.joined()
  }

  private static func row(_ stored: StoredInvoice) -> [String] {
    let invoice = stored.invoice
    return [
      invoice.issueDate?.description ?? "-", invoice.dueDate?.description ?? "-",
      invoice.number ?? invoice.id,
      invoice.type.rawValue, status(of: stored),
      invoice.contact.name ?? invoice.contact.id ?? "-",
      invoice.totalMoney.description,
    ]
  }

  /// Returns the status to show: `deleted` for a deleted invoice, which is stored with its last
  /// status.
  private static func status(of stored: StoredInvoice) -> String {
    (stored.deletedAt == nil ? stored.invoice.status : .deleted).rawValue
  }
}
