import Authentication
import Foundation
import Models
import Networking
import Yams

/// A value of the configuration, and its source.
public struct ConfigurationValue: Sendable, Equatable {
  /// The sources of values.
  public enum Source: Sendable, Equatable {
    /// An environment variable.
    case environment(String)
    /// A line of the configuration file.
    case file(String, line: Int?)
    /// The value that appcore uses if nothing sets it.
    case standard
  }

  /// The key, such as `sessions.invoices.timeout.request`.
  public let key: String
  /// The value as text; secrets are never shown.
  public let value: String
  /// The source of the value.
  public let source: Source
}

extension ConfigurationValue.Source: CustomStringConvertible {
  /// The variable with a `$`, the file with its line, or `default`.
  public var description: String {
    switch self {
    case .environment(let name): "$" + name
    case .file(let path, let line): line.map { "\(path):\($0)" } ?? path
    case .standard: "default"
    }
  }
}

extension ConfigurationLoader {
  /// Returns every value of the configuration with its source, by key.
  ///
  /// - Throws: ``ConfigurationError``, as ``load(path:mayBeAbsent:)``.
  public func values(path: String? = nil) throws -> [ConfigurationValue] {
    let configuration = try load(path: path)
    let file = filePath(path)
    var values: [String: ConfigurationValue] = [:]
    func add(_ key: String, _ value: String, _ source: ConfigurationValue.Source) {
      values[key] = ConfigurationValue(
        key: key, value: Self.isSecret(key) ? "(hidden)" : value, source: source)
    }
    for (key, value) in defaults(of: configuration) { add(key, value, .standard) }
    let yaml = try text(of: file, isNamed: isNamed(path)) ?? ""
    let root = try ConfigurationNode(yaml: yaml, source: file)
    let added = try AccountFolder(besideConfiguration: file).sections(home: home)
    for leaf in root.leaves + added.values.flatMap(\.leaves) {
      add(leaf.key, leaf.value, .file(leaf.source, line: leaf.line))
    }
    for (variable, key) in Self.environmentKeys where variable != "APPCORE_CONFIG" {
      guard let value = environment[variable] else { continue }
      add(
        key.replacing(
          "<default>", with: configuration.login(of: configuration.defaultAccount)), value,
        .environment(variable))
    }
    return values.values.sorted { $0.key < $1.key }
  }

  private static func isSecret(_ key: String) -> Bool {
    let name = key.split(separator: ".").last?.lowercased() ?? ""
    let harmless = ["tokenscheme", "refreshtokenreplay"]
    guard !name.hasSuffix("file"), !name.hasSuffix("url"), !harmless.contains(name) else {
      return false
    }
    return key.contains(".headers.") || key.hasSuffix(".proxy") && key.contains("@")
      || ["secret", "password", "token", "apikey"].contains { name.contains($0) }
  }

  private func defaults(of configuration: CoreConfiguration) -> [(String, String)] {
    var values = CoreConfiguration.settingSections[0].settings.compactMap { setting in
      setting.value.map { (setting.key, $0) }
    }
    values.append(
      ("defaultAccount", configuration.usesAllAccounts ? "all" : configuration.defaultAccount))
    values.append(("database", Directories(environment: environment).databasePath))
    for (name, account) in configuration.accounts {
      let key = "accounts.\(name)."
      if account.login == nil {
        values += Self.texts(AccountConfiguration.settings, AccountConfiguration(provider: ""), key)
        let provider = try? configuration.provider(account.provider)
        switch provider?.redirect(of: account) {
        case .page(let uri)?: values.append((key + "redirectURI", uri))
        case .loopback(let host, _)?: values.append((key + "redirectHost", host.rawValue))
        case nil: break
        }
      }
      values.append((key + "provider", account.provider))
    }
    let own = ["auth"] + Resource.Kind.allCases.map(\.rawValue)
    for name in Set(configuration.sessions.keys).union(own) {
      values += Self.texts(
        SessionConfiguration.settings, CoreConfiguration.defaultSession(name), "sessions.\(name).")
    }
    return values
  }

  private static func texts<Section>(
    _ settings: [Setting<Section>], _ section: Section, _ prefix: String
  ) -> [(String, String)] {
    settings.compactMap { setting in setting.text(in: section).map { (prefix + setting.name, $0) } }
  }
}

extension ConfigurationNode {
  fileprivate typealias Leaf = (key: String, value: String, source: String, line: Int?)

  /// The values of the file, each with its key and line; a list of texts is one value.
  fileprivate var leaves: [Leaf] {
    switch node {
    case .mapping(let mapping):
      return mapping.flatMap { name, value -> [Leaf] in
        let name = name.string ?? ""
        return ConfigurationNode(
          node: value, key: key.isEmpty ? name : key + "." + name, in: self
        ).leaves
      }
    case .sequence(let sequence):
      let texts = sequence.map(\.string)
      guard texts.contains(nil) else {
        let text = "[" + texts.compactMap(\.self).joined(separator: ", ") + "]"
        return [(key, text, source, node.mark?.line)]
      }
      return sequence.enumerated().flatMap {
        ConfigurationNode(node: $1, key: key + ".\($0)", in: self).leaves
      }
    default: return [(key, node.string ?? "", source, node.mark?.line)]
    }
  }
}
