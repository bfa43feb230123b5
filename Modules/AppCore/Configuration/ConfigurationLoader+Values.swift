import Authentication
import Foundation
import Models
import Networking
import Yams

extension ConfigurationLoader {
  /// Returns every value of the configuration with its source, by key.
  ///
  /// - Throws: ``ConfigurationError``, as ``load(path:)``.
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

  /// Returns true for a key whose value may hold a secret.
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
    var values = [
      ("provider", CoreConfiguration().defaultProvider),
      ("defaultAccount", configuration.defaultAccount),
      ("database", Directories(environment: environment).data + "/appcore.sqlite"),
      ("sync.maximumDeletedPercent", "\(CoreConfiguration().maximumDeletedPercent)"),
      ("secretStore.kind", "keyring"),
    ]
    for (name, account) in configuration.accounts {
      values.append(("accounts.\(name).provider", account.provider))
      guard account.login == nil else { continue }
      values.append(("accounts.\(name).environment", "production"))
      values.append(("accounts.\(name).redirectPort", "0"))
      let provider = try? configuration.provider(account.provider)
      switch provider?.redirect(of: account) {
      case .page(let uri)?: values.append(("accounts.\(name).redirectURI", uri))
      case .loopback(let host, _)?:
        values.append(("accounts.\(name).redirectHost", host.rawValue))
      case nil: break
      }
      values.append(("accounts.\(name).scopes", "as the provider requires"))
    }
    let own = ["auth"] + Resource.allCases.map(\.rawValue)
    for name in Set(configuration.sessions.keys).union(own) {
      let session = CoreConfiguration.defaultSession(name)
      let key = "sessions.\(name)."
      values += session.values.map { (key + $0.key, $0.value) }
    }
    return values
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
