import Providers
import Sync

extension RESTIdentity {
  private enum Key: String, CaseIterable { case path, field }

  /// Reads the request that returns the organisation whose records a login can read.
  init(_ node: ConfigurationNode) throws {
    var path: String?
    var field: RESTPath?
    try node.readKeys(Key.self) { key, value in
      switch key {
      case .path: path = try value.text()
      case .field: field = try value.fieldPath()
      }
    }
    guard let path, let field else {
      throw node.error(
        "path and field are required to identify the organisation of a login, such as "
          + "{ path: /me, field: organisation.id }")
    }
    self.init(path: path, field: field)
  }
}
