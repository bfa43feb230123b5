import Providers
import Sync

extension RESTDetail {
  private enum Key: String, CaseIterable { case path, query, row }

  /// Reads how the records of a list are fetched individually.
  init(_ node: ConfigurationNode) throws {
    var path: String?
    var query: [String: String] = [:]
    var row = RESTPath.root
    var listed: [String: RESTPath] = [:]
    let names = Key.allCases.map(\.rawValue) + RESTDetail.listedFields
    try node.readKeys(named: names) { name, value in
      switch Key(rawValue: name) {
      case .path: path = try value.text()
      case .query: query = try value.pairs()
      case .row: row = try value.fieldPath()
      // A field of the list's rows.
      case nil: listed[name] = try value.fieldPath()
      }
    }
    guard let path else {
      throw node.error("path is missing; set it to that of one record, such as /invoices/{id}")
    }
    self.init(path: path)
    self.query = query
    self.row = row
    self.listed = listed
  }
}
