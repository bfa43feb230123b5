import Providers
import Sync

extension RESTDeletions {
  private enum Key: String, CaseIterable { case parameter, path, form, rows, id, deletedAt }

  /// Reads how a provider lists deleted records.
  init(_ node: ConfigurationNode) throws {
    var parameter: String?
    var read: [(inout RESTDeletions) -> Void] = []
    try node.readKeys(Key.self) { key, value in
      switch key {
      case .parameter: parameter = try value.text()
      case .path:
        let path = try value.text()
        read.append { $0.path = path }
      case .form:
        let form = try value.choice(RESTDateForm.self)
        read.append { $0.form = form }
      case .rows:
        let path = try value.fieldPath()
        read.append { $0.rows = path }
      case .id:
        let path = try value.fieldPath()
        read.append { $0.id = path }
      case .deletedAt:
        let path = try value.fieldPath()
        read.append { $0.deletedAt = path }
      }
    }
    guard let parameter else {
      throw node.error(
        "parameter is missing; set it to the query item that lists deletions since an instant")
    }
    self.init(parameter: parameter)
    for step in read { step(&self) }
  }
}
