import Providers
import Sync

extension RESTIdentity {
  /// Reads how the server is asked whose records a login reads.
  init(_ node: ConfigurationNode) throws {
    var path: String?
    var field: RESTPath?
    try node.readKeys(known: ["path", "field"]) { key, value in
      if key == "path" { path = try value.text() } else { field = try value.fieldPath() }
    }
    guard let path, let field else {
      throw node.error(
        "path and field are needed: what tells whose records a login reads, such as "
          + "{ path: /me, field: organisation.id }")
    }
    self.init(path: path, field: field)
  }
}
