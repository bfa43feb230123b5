import Foundation
import ProviderDescriptions
package import Providers
import Synchronization

/// The descriptions of providers that are part of appcore, each read when it is first used.
enum ShippedDescriptions {
  static let names = ProviderDescriptions.texts.keys.sorted()

  private static let read = Mutex<[String: DescribedProvider]>([:])

  /// Returns the description of a provider; `nil` if none of that name ships.
  ///
  /// - Throws: ``ConfigurationError`` if it cannot be read, as no shipped one is.
  static func provider(_ name: String) throws -> DescribedProvider? {
    guard let text = ProviderDescriptions.texts[name] else { return nil }
    if let provider = read.withLock({ $0[name] }) { return provider }
    let node = try ConfigurationNode(
      yaml: String(decoding: text, as: UTF8.self), source: "providers/\(name).yaml")
    var provider = try DescribedProvider(name: name, node, known: [])
    provider.provider.isShipped = true
    read.withLock { [provider] in $0[name] = provider }
    return provider
  }

  /// All of them, without those whose name another provider has.
  static func providers(besides others: some Sequence<String>) -> [any Provider] {
    let taken = Set(others)
    return names.filter { !taken.contains($0) }.compactMap { try? provider($0)?.provider }
  }
}

extension CoreConfiguration {
  /// Returns the description in a file, or the one that ships with a name.
  ///
  /// The file holds the keys of one entry of `providers`, or a whole configuration whose only
  /// described provider counts.
  ///
  /// - Throws: ``ConfigurationError`` with the key to correct.
  package static func description(_ file: String) throws -> RESTDescription {
    if let shipped = try ShippedDescriptions.provider(file) { return shipped.provider.description }
    let yaml: String
    do { yaml = try String(contentsOfFile: file, encoding: .utf8) } catch {
      throw ConfigurationError(
        source: file,
        problem: "this is no file that can be read, and no description ships with this name",
        fix: nil)
    }
    let node = try ConfigurationNode(yaml: yaml, source: file)
    guard let entries = node.child("providers") else {
      return try DescribedProvider(name: "described", node, known: []).provider.description
    }
    var found: [RESTDescription] = []
    try entries.readEntries { name, entry in
      guard entry.child("kind") != nil else { return }
      found.append(try DescribedProvider(name: name, entry, known: []).provider.description)
    }
    guard let first = found.first, found.count == 1 else {
      throw entries.error("expected one described provider; this file has \(found.count)")
    }
    return first
  }
}
