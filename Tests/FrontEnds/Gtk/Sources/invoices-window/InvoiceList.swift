import GtkShim
import Models
import Storage

/// The list of invoices: it holds a key for each, and the texts of those around the view.
final class InvoiceList {
  /// The number of invoices that are read together.
  static let pageSize = 64
  /// The number of invoices that are read first: GTK makes widgets for all it knows of, up to 200,
  /// before it paints any.
  nonisolated static let firstPageSize = 16
  private static let mostTexts = 4_096

  private let view: Object
  private let model: OpaquePointer
  private let selection: Object
  private var keys: [InvoiceKey] = []
  private var texts: [InvoiceKey: InvoiceText] = [:]
  /// The keys whose texts were read since the database changed, whether or not they were found.
  private var fresh: Set<InvoiceKey> = []
  /// Differs after each change of the database, so that an earlier answer is not taken for newer.
  private var generation = 0
  private var rows: [UnsafeMutableRawPointer: InvoiceRow] = [:]
  private var loading: Task<Void, Never>?
  private var database: LocalDatabase?
  /// The number of rows that came into view before their invoice was read.
  private(set) var blanks = 0

  /// Called with the key of the selected invoice.
  var onSelection: (InvoiceKey?) -> Void = { _ in }
  /// Called when a page cannot be read.
  var onError: (any Error) -> Void = { _ in }

  var count: Int { keys.count }

  /// True if the rows at the beginning of the list have their invoices.
  var hasFirstRows: Bool {
    !keys.isEmpty && keys.prefix(Self.firstPageSize).allSatisfy { texts[$0] != nil }
  }

  init(view: Object) {
    self.view = view
    model = shim_list_new()
    selection = Object(UnsafeMutableRawPointer(gtk_single_selection_new(model)))
    selection.set("autoselect", false)
    selection.set("can-unselect", true)
    let factory = Object(UnsafeMutableRawPointer(gtk_signal_list_item_factory_new()))
    factory.on("setup") { [unowned self] in
      if let item = $0 { rows[item] = InvoiceRow(item: Object(item)) }
    }
    factory.on("bind") { [unowned self] in if let item = $0 { bind(item) } }
    factory.on("teardown") { [unowned self] in if let item = $0 { rows[item] = nil } }
    gtk_list_view_set_factory(view.opaque, factory.opaque)
    gtk_list_view_set_model(view.opaque, selection.opaque)
    selection.on("notify::selected") { [unowned self] _ in onSelection(selectedKey) }
  }

  /// The key of the selected invoice.
  var selectedKey: InvoiceKey? { key(at: Int(gtk_single_selection_get_selected(selection.opaque))) }

  /// Replaces the invoices; rows that stay keep their place, and their texts until newer are read.
  ///
  /// - Parameter read: the texts that are read already.
  func show(
    _ newest: [InvoiceKey], in database: LocalDatabase, texts read: [InvoiceKey: InvoiceText] = [:]
  ) {
    self.database = database
    texts.merge(read) { $1 }
    fresh = Set(read.keys)
    generation += 1
    let start = zip(keys, newest).prefix { $0 == $1 }.count
    let end = zip(keys[start...].reversed(), newest[start...].reversed()).prefix { $0 == $1 }.count
    let (removed, added) = (keys.count - start - end, newest.count - start - end)
    keys = newest
    if removed + added > 0 {
      shim_list_splice(model, UInt32(start), UInt32(removed), UInt32(added))
    }
    load()
  }

  private func key(at position: Int) -> InvoiceKey? {
    keys.indices.contains(position) ? keys[position] : nil
  }

  private func bind(_ item: UnsafeMutableRawPointer) {
    guard let row = rows[item], let key = row.position.flatMap(key(at:)) else { return }
    row.show(texts[key])
    guard !fresh.contains(key) else { return }
    if texts[key] == nil { blanks += 1 }
    load()
  }

  /// Reads the invoices of the rows in view, page by page; a row that has left it is skipped.
  private func load() {
    guard loading == nil else { return }
    loading = Task { [weak self] in
      // The rows that are bound in this turn of the main loop are known afterwards.
      await Task.yield()
      while let self, let database = self.database, let page = self.missingPage {
        let begun = self.generation
        do {
          let found = try await Self.texts(of: page, in: database)
          if begun == self.generation { self.keep(found, of: page) }
        } catch {
          self.onError(error)
          break
        }
      }
      self?.loading = nil
    }
  }

  @concurrent private static func texts(
    of keys: [InvoiceKey], in database: LocalDatabase
  ) async throws -> [InvoiceKey: InvoiceText] {
    try await database.invoices(withKeys: keys).mapValues(InvoiceText.init)
  }

  /// The keys around the row whose invoice has to be read first: GTK prepares some 200 rows around
  /// the middle of the view.
  private var missingPage: [InvoiceKey]? {
    let missing = rows.values.lazy.compactMap(\.position).filter { [self] position in
      key(at: position).map { !fresh.contains($0) } ?? false
    }
    let middle = middle
    guard let position = missing.min(by: { abs($0 - middle) < abs($1 - middle) }) else {
      return nil
    }
    let start = position / Self.pageSize * Self.pageSize
    return Array(keys[start..<min(start + Self.pageSize, keys.count)])
  }

  /// The position in the middle of the view; all rows have the same height.
  private var middle: Int {
    guard let bar = gtk_scrollable_get_vadjustment(view.opaque) else { return 0 }
    let offset = gtk_adjustment_get_value(bar) + gtk_adjustment_get_page_size(bar) / 2
    return Int(offset / max(1, gtk_adjustment_get_upper(bar)) * Double(keys.count))
  }

  private func keep(_ found: [InvoiceKey: InvoiceText], of page: [InvoiceKey]) {
    if texts.count > Self.mostTexts { (texts, fresh) = ([:], []) }
    for key in page { texts[key] = found[key] }
    fresh.formUnion(page)
    let read = Set(page)
    for row in rows.values {
      if let key = row.position.flatMap(key(at:)), read.contains(key) { row.show(texts[key]) }
    }
  }
}
