import Authentication
import Foundation
import SystemSupport

/// The values that a key can have: how the file writes them, and how that is read.
struct SettingKind<Value>: Sendable {
  /// The limits of the values, as the end of a sentence.
  let range: String
  let read: @Sendable (ConfigurationNode) throws -> Value
  /// Returns a value as the file writes it; `nil` for one that it need not write.
  let write: @Sendable (Value) -> String?

  init(
    range: String = "", _ read: @escaping @Sendable (ConfigurationNode) throws -> Value,
    write: @escaping @Sendable (Value) -> String?
  ) {
    (self.range, self.read, self.write) = (range, read, write)
  }
}

extension SettingKind where Value: CustomStringConvertible & Sendable {
  /// Creates the kind of a value whose description is what the file writes.
  init(range: String = "", _ read: @escaping @Sendable (ConfigurationNode) throws -> Value) {
    self.init(range: range, read) { $0.description }
  }
}

extension SettingKind<Int> {
  static func integer(_ range: ClosedRange<Int>) -> SettingKind {
    SettingKind(range: "; \(range.lowerBound) to \(range.upperBound)") {
      try $0.integer(in: range)
    }
  }

  static var byteCount: SettingKind {
    SettingKind {
      try $0.byteCount()
    } write: { count in
      let units = ["", "KiB", "MiB", "GiB"]
      let unit = min(count.trailingZeroBitCount / 10, 3)
      return "\(count >> (10 * unit))\(units[unit])"
    }
  }
}

extension SettingKind<Duration> {
  static var duration: SettingKind {
    SettingKind {
      try $0.duration()
    } write: {
      let milliseconds = Int(clamping: $0 / .milliseconds(1), rounding: .down)
      return milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000)s" : "\(milliseconds)ms"
    }
  }
}

extension SettingKind<Duration?> {
  /// An age in hours or days, or `none`.
  static var age: SettingKind {
    SettingKind {
      let text = try $0.text()
      if text == "none" { return nil }
      guard let match = text.wholeMatch(of: #/([1-9]\d{0,3})([hd])/#)?.output,
        let number = Int64(match.1)
      else { throw $0.error("expected an age such as 36h or 7d, or none") }
      return .seconds(number * (match.2 == "h" ? 3_600 : 86_400))
    } write: {
      guard let age = $0 else { return "none" }
      let hours = Int(clamping: age / .seconds(3_600), rounding: .down)
      return hours % 24 == 0 ? "\(hours / 24)d" : "\(hours)h"
    }
  }
}

extension SettingKind<String> {
  static var text: SettingKind { SettingKind { try $0.text() } }
  /// A text that is allowed in a header field.
  static var printableText: SettingKind { SettingKind { try $0.printableText() } }
  /// A path, or the name of a systemd credential.
  static var filePath: SettingKind { SettingKind { try $0.filePath() } }
  static var absolutePath: SettingKind { SettingKind { try $0.absolutePath() } }
  static var serverAddress: SettingKind { SettingKind { try $0.serverAddress() } }
  static var redirectPage: SettingKind { SettingKind { try $0.redirectPage() } }
  static var timeZone: SettingKind { SettingKind { try $0.timeZone().identifier } }
}

extension SettingKind<[String]> {
  static func texts(
    _ read: @escaping @Sendable (ConfigurationNode) throws -> [String] = { try $0.texts() }
  ) -> SettingKind {
    SettingKind(read) { "[" + $0.joined(separator: ", ") + "]" }
  }
}

extension SettingKind where Value: RawRepresentable<String> & CaseIterable & Sendable {
  /// One of the values of an enumeration.
  static var choice: SettingKind {
    SettingKind(range: ": \(Value.allCases.map { "`\($0.rawValue)`" }.list)") {
      try $0.choice(Value.self)
    } write: {
      $0.rawValue
    }
  }
}

extension SettingKind where Value: RawRepresentable<String> & Sendable {
  /// One of a few words, all of which the error message names.
  static func word(_ values: [Value]) -> SettingKind {
    SettingKind(range: ": \(values.map { "`\($0.rawValue)`" }.list)") {
      try $0.word(values)
    } write: {
      $0.rawValue
    }
  }
}

extension OAuthClient.Authentication {
  /// The methods in the order of the documentation.
  static let words: [Self] = [.basic, .post, .none]
}

extension ConfigurationNode {
  func word<Value: RawRepresentable<String>>(_ values: [Value]) throws -> Value {
    let text = try text()
    guard let value = values.first(where: { $0.rawValue == text }) else {
      throw error("expected \(values.map(\.rawValue).list)")
    }
    return value
  }
}

extension [String] {
  /// The words as `one, another or a third`.
  fileprivate var list: String {
    dropLast().joined(separator: ", ") + (count > 1 ? " or " : "") + (last ?? "")
  }
}
