import Foundation
import Networking
import Sandbox
import Testing

/// A successful answer of the token endpoint.
struct Tokens: Decodable, Sendable {
  var accessToken: String
  var refreshToken: String?
  var tokenType: String
  var expiresIn: Int
  var scope: String

  init(_ answer: Response) throws {
    try #require(answer.status == 200, "\(answer.text)")
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    self = try decoder.decode(Tokens.self, from: Data(answer.body))
  }
}

/// The few members of an invoices document that tests go by.
struct InvoicesDocument: Decodable, Sendable {
  struct Pagination: Decodable, Sendable, Equatable {
    var page: Int
    var pageSize: Int
    var pageCount: Int
    var itemCount: Int
  }

  struct Row: Decodable, Sendable, Equatable {
    var id: String
    var status: String
    var updated: String
    var reference: String?
    var lines: [Line]

    enum CodingKeys: String, CodingKey {
      case id = "InvoiceID"
      case status = "Status"
      case updated = "UpdatedDateUTC"
      case reference = "Reference"
      case lines = "LineItems"
    }

    /// The instant in milliseconds, taken out of `/Date(…+0000)/`.
    var milliseconds: Int? {
      Int(updated.drop { $0 != "(" }.dropFirst().prefix { $0 != "+" })
    }
  }

  struct Line: Decodable, Sendable, Equatable {
    var id: String

    enum CodingKeys: String, CodingKey {
      case id = "LineItemID"
    }
  }

  var pagination: Pagination?
  var rows: [Row]

  enum CodingKeys: String, CodingKey {
    case pagination
    case rows = "Invoices"
  }

  init(_ answer: Response) throws {
    try #require(answer.status == 200, "\(answer.text)")
    self = try JSONDecoder().decode(InvoicesDocument.self, from: Data(answer.body))
  }
}

/// The error code of an OAuth error answer.
func oauthError(_ answer: Response) throws -> String? {
  try JSONDecoder().decode([String: String].self, from: Data(answer.body))["error"]
}
