import Foundation
import HTTPTypes
import Networking
import Testing

@testable import AppCore

/// The tables of the configuration's keys: each row reaches its own value, and none is missing.
@Suite(.timeLimit(.minutes(1))) struct SettingTests {
  /// Values of every kind.
  private static let candidates = [
    "7", "7s", "true", "3KiB", "none", "sandbox", "localhost", "client_secret_post", "1.3",
    "[/dev/null]",
    "[{ requests: 60, interval: 1m }]", "{ X-Client: blue }", "Europe/Berlin", "/x/y", "word",
    "https://api.example.com/x", "[https://api.example.com/x]", "[a, b]", "encrypted-file",
  ]

  /// Returns the stored values of a section by their path.
  private func values(_ value: Any, _ path: String = "") -> [String: String] {
    let children = Mirror(reflecting: value).children
    guard Mirror(reflecting: value).displayStyle == .struct, !(value is Duration),
      !(value is HTTPFields), !children.isEmpty
    else { return [path: String(describing: value)] }
    return children.reduce(into: [:]) { found, child in
      found.merge(values(child.value, "\(path).\(child.label ?? "")")) { $1 }
    }
  }

  private func read<Section>(
    _ text: String, _ setting: Setting<Section>, into section: Section
  ) throws -> Section {
    let names = setting.name.split(separator: ".")
    let yaml = names.dropLast().reversed().reduce("\(names.last ?? ""): \(text)") {
      "\($1): { \($0) }"
    }
    var section = section
    try ConfigurationNode(yaml: yaml, source: "x.yaml").read([setting], into: &section)
    return section
  }

  /// Checks that each row changes one value, that no two rows change the same one, and that the
  /// value can be read again as it is written.
  ///
  /// - Parameter others: the beginnings of the paths of values that have no key here.
  /// - Returns: the path of the value of each row, by its name.
  @discardableResult
  private func check<Section>(
    _ settings: [Setting<Section>], _ standard: Section, others: [String] = []
  ) throws -> [String: String] {
    let before = values(standard)
    var reached: [String: String] = [:]
    for setting in settings {
      let changes = Self.candidates.lazy.compactMap { text -> (Section, Set<String>)? in
        guard let changed = try? read(text, setting, into: standard) else { return nil }
        let after = values(changed)
        let paths = Set(Set(before.keys).union(after.keys).filter { before[$0] != after[$0] })
        return paths.isEmpty ? nil : (changed, paths)
      }
      let (changed, paths) = try #require(changes.first, "no value of \(setting.name) was found")
      #expect(
        paths.count == 1 && paths.isDisjoint(with: reached.values), "\(setting.name): \(paths)")
      reached[setting.name] = paths.first
      let text = try #require(setting.text(in: changed), "\(setting.name)")
      let again = try read(text, setting, into: standard)
      #expect(values(again) == values(changed), "\(setting.name): \(text)")
      // A sample of the key is one that the user can keep.
      let words = setting.description(of: standard)
      if let sample = words.value ?? words.example { _ = try read(sample, setting, into: standard) }
    }
    let missing = before.keys.filter { path in
      !reached.values.contains(path) && !others.contains { path.hasPrefix($0) }
    }
    #expect(missing.isEmpty, "values without a key: \(missing.sorted())")
    return reached
  }

  @Test("every value of a session has a key of its name, which reads and writes it")
  func sessions() throws {
    for (name, path) in try check(
      SessionConfiguration.settings, SessionConfiguration(), others: [".isBackground"])
    {
      // One limit is written without a list.
      #expect(path == (name == "rateLimit" ? ".rateLimits" : "." + name))
    }
  }

  @Test("every value of an account has a key, which reads and writes it")
  func accounts() throws {
    let addresses = ProviderEndpoints.settings.map { ".endpoints.\($0.name)" }
    try check(
      AccountConfiguration.settings, AccountConfiguration(provider: "xero"), others: addresses)
  }

  @Test("every address of a provider has a key, which reads and writes it")
  func providers() throws {
    try check(ProviderEndpoints.settings, ProviderEndpoints(), others: [".environment"])
  }

  @Test("every setting of syncs has a key, which reads and writes it")
  func core() throws {
    let others = values(CoreConfiguration()).keys.filter {
      !$0.hasPrefix(".sync.") && !$0.hasPrefix(".documents.")
    }
    try check(CoreConfiguration.settings, CoreConfiguration(), others: others)
  }

  @Test("no two keys have the same name, and each is one sentence")
  func words() {
    let all = CoreConfiguration.settingSections.flatMap(\.settings)
    #expect(Set(all.map(\.key)).count == all.count)
    for setting in all {
      #expect(setting.summary.first?.isUppercase == true && setting.summary.hasSuffix("."))
      #expect(!setting.summary.hasSuffix("..") && !setting.summary.contains(". "))
      #expect(setting.value != nil || setting.example != nil, "\(setting.key)")
    }
  }
}
