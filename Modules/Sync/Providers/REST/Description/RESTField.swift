/// Where the value of one field comes from, and what is made of it.
package struct RESTField: Sendable, Equatable {
  /// Where a value comes from.
  package enum Source: Sendable, Equatable {
    /// From the row.
    case path(RESTPath)
    /// From the description: the same for every row.
    case constant(String)
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

  package init(_ source: Source) {
    self.source = source
  }

  /// Where in the row it stands; `nil` for a constant.
  package var path: RESTPath? {
    if case .path(let path) = source { path } else { nil }
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
