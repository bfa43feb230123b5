import Providers
import Sync

extension RESTDetail {
  /// Reads how the records of a list are asked for one by one.
  init(_ node: ConfigurationNode) throws {
    var path: String?
    var query: [String: String] = [:]
    var row = RESTPath.root
    var listed: [String: RESTPath] = [:]
    try node.readKeys(known: ["path", "query", "row"] + RESTDetail.listedFields) { key, value in
      switch key {
      case "path": path = try value.text()
      case "query": query = try value.pairs()
      case "row": row = try value.fieldPath()
      default: listed[key] = try value.fieldPath()
      }
    }
    guard let path else {
      throw node.error("path is missing: that of one record, such as /invoices/{id}")
    }
    self.init(path: path)
    self.query = query
    self.row = row
    self.listed = listed
  }
}
