import Foundation
import GRDB

/// A place in a list: the end of a page, after which the next page begins.
///
/// It holds the values that decide the order of the page's last row. So it stays the same place
/// when that row, or any other, is changed or deleted.
public struct RowPosition: Sendable, Hashable, LosslessStringConvertible {
  private struct Content: Codable, Hashable {
    let order: String
    let row: Int64
    let values: [Value]
  }

  private enum Value: Codable, Hashable {
    case text(String)
    case integer(Int64)
    case real(Double)
    case null

    init(_ value: DatabaseValue) {
      switch value.storage {
      case .string(let text): self = .text(text)
      case .int64(let number): self = .integer(number)
      case .double(let number): self = .real(number)
      case .null, .blob: self = .null
      }
    }

    var databaseValue: DatabaseValue {
      switch self {
      case .text(let text): text.databaseValue
      case .integer(let number): number.databaseValue
      case .real(let number): number.databaseValue
      case .null: .null
      }
    }
  }

  private let content: Content

  /// Reads a position from its ``description``; `nil` for any other text.
  public init?(_ description: String) {
    guard let json = Data(base64Encoded: description),
      let content = try? JSONDecoder().decode(Content.self, from: json)
    else { return nil }
    self.content = content
  }

  init(order: String, row: Int64, values: [DatabaseValue]) {
    content = Content(order: order, row: row, values: values.map(Value.init))
  }

  /// The position as a text without a meaning for others: letters, digits, `+`, `/` and `=`.
  public var description: String {
    (try? JSONEncoder().encode(content).base64EncodedString()) ?? ""
  }

  /// Returns whether the position is one of a query's order; after any other there is no invoice.
  public func isInOrder(of query: InvoiceQuery) -> Bool { content.order == query.order }

  /// Returns whether the position is one of a query's order; after any other there is no payment.
  public func isInOrder(of query: PaymentQuery) -> Bool { content.order == query.order }

  /// Returns whether the position is one of a query's order; after any other there is no contact.
  public func isInOrder(of query: ContactQuery) -> Bool { content.order == query.order }

  var row: DatabaseValue { content.row.databaseValue }
  var values: [DatabaseValue] { content.values.map(\.databaseValue) }
}
