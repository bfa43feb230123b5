import AppCore
import PlainTextAccounting

extension JournalAccounts {
  /// Reads the accounts that a file names, for a program; the others stay.
  ///
  /// - Throws: ``ConfigurationError`` with file, line and key.
  mutating func read(
    _ name: String, for format: Journal.Format, in environment: CommandEnvironment
  ) async throws {
    let text = try await environment.text(ofFile: name)
    try read(ConfigurationNode(yaml: text, source: name), for: format)
  }

  private mutating func read(_ root: ConfigurationNode, for format: Journal.Format) throws {
    var (read, maps) = (self, ["codes", "taxes", "contacts", "declared"])
    maps = Role.allCases.map(\.rawValue) + maps
    try root.readKeys(named: maps) { key, value in
      switch key {
      case "codes": try value.readEntries { read.codes[$0] = try $1.template(format) }
      case "taxes": try value.readEntries { read.taxes[$0] = try $1.template(format) }
      case "contacts":
        try value.readEntries { read.contacts[$0] = try $1.contactAccount(format) }
      case "declared": read.declared = Set(try value.texts())
      default:
        guard let role = Role(rawValue: key) else { return }
        read.templates[role] = try value.template(format)
      }
    }
    self = read
  }
}

extension ConfigurationNode {
  fileprivate func template(_ format: Journal.Format) throws -> AccountTemplate {
    let text = try text()
    guard let template = AccountTemplate(text) else {
      throw error(AccountTemplate.problem(of: text) ?? "expected an account")
    }
    if let problem = template.problem(in: format) { throw error(problem) }
    return template
  }

  fileprivate func contactAccount(
    _ format: Journal.Format
  ) throws -> JournalAccounts.ContactAccount {
    let text = try text()
    return text.contains(":") ? .account(try template(format)) : .name(text)
  }
}
