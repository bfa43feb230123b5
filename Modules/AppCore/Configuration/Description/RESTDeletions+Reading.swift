import Providers
import Sync

extension RESTDeletions {
  /// Reads where a list of changes tells what was deleted.
  init(_ node: ConfigurationNode) throws {
    var parameter: String?
    var read: [(inout RESTDeletions) -> Void] = []
    try node.readKeys(known: ["parameter", "path", "form", "rows", "id", "deletedAt"]) {
      key, value in
      switch key {
      case "parameter": parameter = try value.text()
      case "path":
        let path = try value.text()
        read.append { $0.path = path }
      case "form":
        let form = try value.choice(RESTDateForm.self)
        read.append { $0.form = form }
      default:
        let path = try value.fieldPath()
        switch key {
        case "rows": read.append { $0.rows = path }
        case "id": read.append { $0.id = path }
        default: read.append { $0.deletedAt = path }
        }
      }
    }
    guard let parameter else {
      throw node.error(
        "parameter is missing: the query item that lists what was deleted since an instant")
    }
    self.init(parameter: parameter)
    for step in read { step(&self) }
  }
}
