/// A key of a section of the configuration file.
///
/// The tables of settings are the only places that name a key, its values, its default and its
/// words: reading the file, `config show`, the sample file, the guide and `help configuration`
/// follow them.
struct Setting<Section>: Sendable {
  /// The words for the default of a key that has no value.
  enum Absence: Sendable, ExpressibleByStringLiteral {
    /// Words that `config show` prints as well.
    case shown(String)
    /// Words for the documentation alone.
    case documented(String)

    init(stringLiteral words: String) { self = .shown(words) }
  }

  /// The key within its section, such as `timeout.connect`.
  let name: String
  fileprivate let read: @Sendable (inout Section, ConfigurationNode) throws -> Void
  /// Sets the value of the key as another section has it.
  let copy: @Sendable (_ other: Section, _ section: inout Section) -> Void
  private let write: @Sendable (Section) -> String?
  private let absence: Absence?
  private let summary: String
  private let details: String
  private let example: String?
  private(set) var variable: String?
  private var assign: (@Sendable (inout Section, String) -> Void)?

  /// Creates the row of a key.
  ///
  /// - Parameters:
  ///   - summary: the meaning, without a full stop, because the range of the values follows.
  ///   - details: more sentences.
  ///   - absence: the words for the default, if the path leads to no value by default.
  ///   - example: a value for the sample file, if the path leads to no value by default.
  init<Value: Sendable>(
    _ name: String, _ path: any WritableKeyPath<Section, Value> & Sendable,
    _ kind: SettingKind<Value>, _ summary: String, _ details: String = "",
    default absence: Absence? = nil, example: String? = nil
  ) {
    self.name = name
    read = { $0[keyPath: path] = try kind.read($1) }
    copy = { $1[keyPath: path] = $0[keyPath: path] }
    write = { kind.write($0[keyPath: path]) }
    self.absence = absence
    self.summary = summary + kind.range + "."
    self.details = details
    self.example = example
  }

  /// Creates the row of a key that can be absent.
  init<Value: Sendable>(
    _ name: String, _ path: any WritableKeyPath<Section, Value?> & Sendable,
    _ kind: SettingKind<Value>, _ summary: String, _ details: String = "",
    default absence: Absence? = nil, example: String
  ) {
    let optional = SettingKind<Value?>(
      range: kind.range, { try kind.read($0) }, write: { $0.flatMap(kind.write) })
    self.init(name, path, optional, summary, details, default: absence, example: example)
  }

  /// Creates the row of a section within this one, whose own table has the words.
  init(
    section name: String,
    _ read: @escaping @Sendable (inout Section, ConfigurationNode) throws -> Void
  ) {
    self.name = name
    self.read = read
    copy = { _, _ in }
    write = { _ in nil }
    (absence, summary, details, example) = (nil, "", "", nil)
  }

  /// Returns the row of a key that an environment variable overrides.
  func overridden(
    by variable: String, _ assign: @escaping @Sendable (inout Section, String) -> Void
  ) -> Setting {
    var setting = self
    (setting.variable, setting.assign) = (variable, assign)
    return setting
  }

  /// Sets the value that the environment has for the key.
  func apply(_ environment: [String: String], to section: inout Section) {
    if let text = variable.flatMap({ environment[$0] }) { assign?(&section, text) }
  }

  /// Returns the row for a section of which this key's section is a part.
  func of<Whole>(_ part: any WritableKeyPath<Whole, Section> & Sendable) -> Setting<Whole> {
    let read = read
    return Setting<Whole>(section: name) { try read(&$0[keyPath: part], $1) }
  }

  /// Returns the value of a section as the file writes it, or words for its absence; `nil` if
  /// there is nothing to show.
  func text(in section: Section) -> String? {
    if let text = written(section) { return text }
    if case .shown(let words)? = absence { return words }
    return nil
  }

  private func written(_ section: Section) -> String? {
    write(section).flatMap { $0.isEmpty ? nil : $0 }
  }

  func description(of standard: Section, in prefix: String = "") -> SettingDescription {
    let words: String? =
      switch absence {
      case .shown(let words)?, .documented(let words)?: words
      case nil: nil
      }
    return SettingDescription(
      name: name, key: prefix + name, summary: summary, details: details, value: written(standard),
      absence: words, example: example, variable: variable)
  }
}

/// The words about a key of the configuration file, for its documentation.
package struct SettingDescription: Sendable {
  /// The key within its section, such as `timeout.connect`.
  package internal(set) var name: String
  /// The whole key, such as `sessions.MODULE.timeout.connect`.
  package let key: String
  /// The meaning, as one sentence with the range of the values.
  package let summary: String
  /// More sentences; may be empty.
  package let details: String
  /// The default as the file writes it; `nil` if the key has no value by default.
  package let value: String?
  /// Words for the default of a key that has no value.
  package let absence: String?
  /// A value for the sample file.
  package let example: String?
  /// The environment variable that overrides the key.
  package let variable: String?
}

extension ConfigurationNode {
  /// Reads the keys of a section.
  ///
  /// - Returns: the keys that the file has, in its order.
  /// - Throws: ``ConfigurationError``, also for a key that no setting has.
  @discardableResult
  func read<Section>(
    _ settings: [Setting<Section>], into section: inout Section
  ) throws -> [(String, ConfigurationNode)] {
    try read(settings, within: "", into: &section)
  }

  private func read<Section>(
    _ settings: [Setting<Section>], within group: String, into section: inout Section
  ) throws -> [(String, ConfigurationNode)] {
    var names: [String] = []
    for setting in settings where setting.name.hasPrefix(group) {
      let name = String(setting.name.dropFirst(group.count).prefix { $0 != "." })
      if !names.contains(name) { names.append(name) }
    }
    var found: [(String, ConfigurationNode)] = []
    try readKeys(named: names) { name, value in
      if let setting = settings.first(where: { $0.name == group + name }) {
        try setting.read(&section, value)
        found.append((setting.name, value))
      } else {
        found += try value.read(settings, within: "\(group)\(name).", into: &section)
      }
    }
    return found
  }
}
