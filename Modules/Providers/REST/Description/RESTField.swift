import JSONReading
import Sync

/// Where the value of one field comes from, and what is made of it.
package struct RESTField: Sendable, Equatable {
  /// Where a value comes from.
  package enum Source: Sendable, Equatable {
    /// From the row: the first of these paths at which anything stands.
    case paths([RESTPath])
    /// From the description: the same for every row.
    case constant(String)
    /// From a list of the same record: an amount of each of its elements, added up.
    case sum(list: String, field: String)

    /// From the row, where it stands at one path.
    package static func path(_ path: RESTPath) -> Source { .paths([path]) }
  }

  /// How a server writes texts.
  package enum TextForm: String, Sendable, CaseIterable {
    /// As they are meant.
    case plain
    /// With tags and entities of HTML.
    case html
  }

  /// Where it comes from.
  package let source: Source
  /// What the server's words mean, in ours; empty where its values are taken as they are.
  package var words: [String: String] = [:]
  /// What counts where the row says nothing, or a word that is not among ``words``; in our form.
  package var fallback: String?
  /// How a date is written, where that is not the resource's form.
  package var dateForm: RESTDateForm?
  /// How an amount is written, where that is not the resource's form.
  package var moneyForm: RESTMoneyForm?
  /// How a text is written; `nil` is plain.
  package var textForm: TextForm?

  package init(_ source: Source) {
    self.source = source
  }

  /// Where in the row it can stand, the best first; empty where it does not come from one cursor.
  package var paths: [RESTPath] {
    if case .paths(let paths) = source { paths } else { [] }
  }

  /// Where in the row it stands, if only one is named; else the first of these cursors.
  package var path: RESTPath? { paths.first }

  /// What stands in a row, and where; `nil` where nothing does.
  ///
  /// Of several cursors one with blanks alone does not count: its text is left empty by a person.
  func value(in row: JSONValue) -> (path: RESTPath, value: JSONValue)? {
    for path in paths {
      guard var found = path.value(in: row) else { continue }
      if textForm == .html, case .text(let text) = found {
        found = .text(HTMLText(text).plain)
      }
      if found.isBlank || (paths.count > 1 && found.word?.allSatisfy(\.isWhitespace) == true) {
        continue
      }
      return (path, found)
    }
    return nil
  }
}

/// A list inside a row, such as the lines of an invoice.
package struct RESTList: Sendable, Equatable {
  /// Where in the row it stands.
  package let path: RESTPath
  /// The fields of each element, with paths that begin there.
  package let fields: [String: RESTField]

  package init(path: RESTPath, fields: [String: RESTField]) {
    self.path = path
    self.fields = fields
  }
}

/// The fields of a record; the other party's are called `contact.name` and so on.
package struct RESTFields: Sendable, Equatable {
  /// The single ones.
  package var fields: [String: RESTField] = [:]
  /// The lists.
  package var lists: [String: RESTList] = [:]

  package init() {}
}
