import Foundation
import Models
import Storage

/// An invoice or a credit note as a provider's pages show it, read without the library.
struct PlainDocument {
  /// A payment, a refund or a credit; a refund is below zero.
  struct Entry: Hashable, CustomStringConvertible {
    var day: String?
    var number: String?
    var amount: Decimal

    var description: String { "\(amount) on \(day ?? "no day"), \(number ?? "no number")" }
  }

  let total: Decimal
  let due: Decimal
  /// True if its status says that nobody pays the rest.
  let isClosed: Bool
  private var entries: [Entry] = []
  /// The part of credits that went back to the contact.
  private var returned = Decimal.zero

  init(total: Decimal, due: Decimal, isClosed: Bool) {
    (self.total, self.due, self.isClosed) = (total, due, isClosed)
  }

  mutating func add(_ day: String?, _ number: String?, _ amount: Decimal) {
    entries.append(Entry(day: day, number: number, amount: amount))
  }

  mutating func giveBack(_ amount: Decimal) { returned += amount }

  /// Compares what the library makes of the same pages.
  func problems(with balance: InvoiceBalance) -> [String] {
    var expected = entries
    if returned != 0 { expected.append(Entry(amount: -returned)) }
    let rest = total - due - expected.reduce(0) { $0 + $1.amount }
    if rest != 0, isClosed { expected.append(Entry(amount: rest)) }
    let found = balance.entries.map { entry in
      Entry(day: entry.date?.description, number: entry.number, amount: Decimal(entry.amount))
    }
    var problems: [String] = []
    if rest != 0, !isClosed { problems.append("the pages leave \(rest) of \(total)") }
    if Decimal(balance.total) != total { problems.append("\(balance.total) in all, not \(total)") }
    if balance.due.map({ Decimal($0) }) != due {
      problems.append("\(balance.due?.description ?? "nothing") is due, not \(due)")
    }
    if !balance.unexplained.isZero { problems.append("\(balance.unexplained) is unexplained") }
    if Self.counts(found) != Self.counts(expected) {
      problems.append("\(found) instead of \(expected)")
    }
    return problems
  }

  private static func counts(_ entries: [Entry]) -> [Entry: Int] {
    Dictionary(entries.map { ($0, 1) }, uniquingKeysWith: +)
  }
}

extension Decimal {
  fileprivate init(_ amount: ExactDecimal) {
    self = Decimal(string: amount.description) ?? .nan
  }
}

/// An object of a provider's JSON, read without the library.
struct PlainObject {
  private let members: [String: Any]

  private init(_ value: Any?) { members = value as? [String: Any] ?? [:] }

  /// Reads a page; an array becomes the member `rows`.
  init(page: [UInt8]) throws {
    let value = try JSONSerialization.jsonObject(with: Data(page))
    members = value as? [String: Any] ?? ["rows": value]
  }

  subscript(_ key: String) -> PlainObject { PlainObject(members[key]) }

  func objects(_ key: String) -> [PlainObject] {
    (members[key] as? [Any] ?? []).map { PlainObject($0) }
  }

  func text(_ key: String) -> String? { members[key] as? String }

  func flag(_ key: String) -> Bool { (members[key] as? NSNumber)?.boolValue ?? false }

  /// Returns an amount, which may be a text; zero without one.
  ///
  /// A number has at most 15 digits here, so that the shortest text of its `Double` is what the
  /// page says.
  func amount(_ key: String) -> Decimal {
    let text = self.text(key) ?? (members[key] as? NSNumber).map { "\($0.doubleValue)" }
    return text.flatMap { Decimal(string: $0) } ?? 0
  }

  /// Returns an amount in the smallest unit of a currency.
  func minorUnits(_ key: String, of currency: String?) -> Decimal {
    let digits = ["JPY": 0, "TND": 3][currency?.uppercased() ?? ""] ?? 2
    return amount(key) / pow(10, digits)
  }

  /// Returns the day of an instant in seconds since 1970; `nil` without one.
  func day(ofSeconds key: String) -> String? {
    (members[key] as? NSNumber).map { Self.day($0.doubleValue) }
  }

  /// Returns the day of `/Date(1587912334083+0000)/`; `nil` without one.
  func day(ofMilliseconds key: String) -> String? {
    let digits = text(key)?.split(separator: "(").last?.prefix { $0.isNumber || $0 == "-" }
    return digits.flatMap { Double($0) }.map { Self.day($0 / 1_000) }
  }

  private static func day(_ seconds: Double) -> String {
    String(Date(timeIntervalSince1970: seconds).formatted(.iso8601).prefix(10))
  }
}
