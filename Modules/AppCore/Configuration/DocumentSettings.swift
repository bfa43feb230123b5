import Documents

/// The user's settings for the files of invoices.
public struct DocumentSettings: Sendable, Equatable {
  /// True if a sync of everything fetches files as well, after the lists.
  public var sync = false
  /// The folder in which people find the files, as an absolute path; `nil` for none.
  public var folder: String?
  /// The pattern of the names in that folder; see `DocumentNamePattern`.
  public var name = "{year}/{month}/{date} {number} {contact}"

  /// Creates the default settings.
  public init() {}
}

extension SettingKind<String> {
  /// A pattern of names of files.
  static var documentName: SettingKind {
    SettingKind { node in
      let text = try node.text()
      do { _ = try DocumentNamePattern(text) } catch let error as DocumentError {
        throw node.error(error.description)
      }
      return text
    } write: {
      // A brace begins another kind of value.
      "\"\($0)\""
    }
  }
}

extension SettingKind<Bool> {
  static var flag: SettingKind { SettingKind { try $0.boolean() } }
}
