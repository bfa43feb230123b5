import Sync

/// The way in which a list is split into pages.
package struct RESTPaging: Sendable, Equatable {
  /// The value that leads from one page to the next.
  package enum Style: String, Sendable, CaseIterable {
    /// None: the list is a single page.
    case none
    /// The number of the page.
    case page
    /// The number of rows to skip.
    case offset
    /// A field of the last row.
    case cursor
    /// A text in the page.
    case token
    /// A URL in the page.
    case next
    /// A URL in the header field `Link` (RFC 8288).
    case link

    var keys: Set<String> {
      let size: Set = ["size", "sizeParameter", "stable"]
      return switch self {
      case .none: []
      case .page: size.union(["parameter", "first", "total", "more"])
      case .offset: size.union(["parameter", "more"])
      case .cursor: size.union(["parameter", "field", "more"])
      case .token: size.union(["parameter", "field", "more"])
      case .next: size.union(["field", "more"])
      case .link: size.union(["more"])
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

  package var style: Style
  package var parameter: String?
  /// The number of the first page.
  package var first: Int?
  /// Path of the cursor in the last row, or of the token or URL in the page.
  package var field: RESTPath?
  package var sizeParameter: String?
  package var size: Int?
  package var total: RESTPath?
  /// Path in the page of the flag that says whether another page follows.
  package var more: RESTPath?
  /// True if a reading misses no row even if rows change while the pages are read.
  ///
  /// The default is true only for single pages, cursors and tokens: a URL is often just a page
  /// number.
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
          problem: "the style '\(style.rawValue)' does not use this key"
            + (known.isEmpty ? "; remove it" : "; its keys: \(known)"))
      }
      guard isThere || !style.required.contains(key) else {
        throw RESTDescriptionError(
          problem: "the style '\(style.rawValue)' needs \(key): \(Self.meaning(of: key, style))")
      }
    }
    guard (size == nil) == (sizeParameter == nil) else {
      throw RESTDescriptionError(
        problem: "size and sizeParameter belong together: the number of rows and its query item")
    }
  }

  private static func meaning(of key: String, _ style: Style) -> String {
    switch (key, style) {
    case ("parameter", _): "the query item that selects the page"
    case (_, .cursor): "the path in a row of the value that requests the rows after it"
    case (_, .token): "the path in a page of the token for the next page"
    default: "the path in a page of the next page's address"
    }
  }
}
