import Sync

/// How a list comes page by page.
package struct RESTPaging: Sendable, Equatable {
  /// What leads from one page to the next.
  package enum Style: String, Sendable, CaseIterable {
    /// Nothing: the list is a single page.
    case none
    /// The number of the page.
    case page
    /// How many rows are skipped.
    case offset
    /// A field of the last row.
    case cursor
    /// A text that the page holds.
    case token
    /// An address that the page holds.
    case next
    /// An address in the header field `Link` (RFC 8288).
    case link

    /// The keys of a description that have a meaning with it.
    var keys: Set<String> {
      let size: Set = ["size", "sizeParameter", "stable"]
      return switch self {
      case .none: []
      case .page: size.union(["parameter", "first", "total", "more"])
      case .offset: size.union(["parameter", "more"])
      case .cursor: size.union(["parameter", "field", "more"])
      case .token: size.union(["parameter", "field"])
      case .next: size.union(["field"])
      case .link: size
      }
    }

    var required: [String] {
      switch self {
      case .none, .link: []
      case .page, .offset: ["parameter"]
      case .cursor, .token: ["parameter", "field"]
      case .next: ["field"]
      }
    }
  }

  /// The style.
  package var style: Style
  /// The query item that says which page is meant.
  package var parameter: String?
  /// The number of the first page.
  package var first: Int?
  /// Where the last row has its cursor, or the page its token or address.
  package var field: RESTPath?
  /// The query item that says how many rows a page has.
  package var sizeParameter: String?
  /// How many rows a page has.
  package var size: Int?
  /// Where the page says how many pages there are.
  package var total: RESTPath?
  /// Where the page says whether there is another.
  package var more: RESTPath?
  /// Whether no row can be missed though others change while the pages are read.
  ///
  /// By default that is believed of cursors and tokens alone: an address often is nothing but a
  /// page number.
  package var stable: Bool?

  package init(_ style: Style) {
    self.style = style
  }

  var isStable: Bool { stable ?? [.none, .cursor, .token].contains(style) }

  func validate() throws(RESTDescriptionError) {
    let present: [(String, Bool)] = [
      ("parameter", parameter != nil), ("first", first != nil), ("field", field != nil),
      ("sizeParameter", sizeParameter != nil), ("size", size != nil), ("total", total != nil),
      ("more", more != nil), ("stable", stable != nil),
    ]
    for (key, isThere) in present {
      if isThere, !style.keys.contains(key) {
        let known = style.keys.sorted().joined(separator: ", ")
        throw RESTDescriptionError(
          key,
          problem: "it has no meaning with the style '\(style.rawValue)'"
            + (known.isEmpty ? ", which has no further keys" : ", which has \(known)"))
      }
      guard isThere || !style.required.contains(key) else {
        throw RESTDescriptionError(
          problem: "the style '\(style.rawValue)' needs \(key): \(Self.meaning(of: key, style))")
      }
    }
    guard (size == nil) == (sizeParameter == nil) else {
      throw RESTDescriptionError(
        problem: "size and sizeParameter belong together: how many rows, and the query item for it")
    }
  }

  private static func meaning(of key: String, _ style: Style) -> String {
    switch (key, style) {
    case ("parameter", _): "the query item that says which page is meant"
    case (_, .cursor): "the path in a row of what is sent to get the rows after it"
    case (_, .token): "the path in the page of the token for the next one"
    default: "the path in the page of the next one's address"
    }
  }
}
