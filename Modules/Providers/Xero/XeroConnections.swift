import Foundation
import HTTPTypes
import JSONReading
import Models
import Networking
import Sync

/// The organisations that a login reaches, from `GET /connections`.
enum XeroConnections {
  /// Returns all organisations that the login reaches.
  static func all(at baseURL: URL, ask: Ask) async throws -> [Organisation] {
    let request = try Request(
      url: baseURL.appending(path: "connections"), fields: [.accept: "application/json"])
    return try organisations(in: try await ask(request).body)
  }

  /// Returns the organisations in a response; practices and other tenants have no invoices.
  static func organisations(in body: [UInt8]) throws -> [Organisation] {
    var reader = JSONReader(body)
    var found: [Organisation] = []
    do {
      try reader.readArray { reader in
        var id: String?
        var name: String?
        var type: String?
        try reader.readObject { reader, key in
          switch key {
          case "tenantId": id = try reader.readString()
          case "tenantName": name = try reader.readOptionalString()
          case "tenantType": type = try reader.readString()
          default: try reader.skipValue()
          }
        }
        if let id, type == "ORGANISATION" { found.append(Organisation(id: id, name: name)) }
      }
      try reader.readEnd()
    } catch let error as JSONError {
      throw SyncError.unreadable(
        part: "connections\(error.pathDescription)", reason: error.explanation)
    }
    return found
  }
}
