import Foundation
import HTTPTypes
import JSONReading
import Models
import Networking
import Sync

/// The administrations that a login reaches, from `GET /api/v2/administrations.json`.
enum MoneybirdAdministrations {
  /// Returns all administrations that the login reaches.
  static func all(at baseURL: URL, ask: Ask) async throws -> [Organisation] {
    let request = try Request(
      url: baseURL.appending(path: "api/v2/administrations.json"),
      fields: [.accept: "application/json"])
    return try administrations(in: try await ask(request).body)
  }

  /// Returns the administrations in a response; an identifier can be a text or a number.
  static func administrations(in body: [UInt8]) throws -> [Organisation] {
    var reader = JSONReader(body)
    var found: [Organisation] = []
    do {
      try reader.readArray { reader in
        var id: String?
        var name: String?
        try reader.readObject { reader, key in
          switch key {
          case "id": id = try reader.readIdentifier()
          case "name": name = try reader.readOptionalString()
          default: try reader.skipValue()
          }
        }
        if let id { found.append(Organisation(id: id, name: name)) }
      }
      try reader.readEnd()
    } catch let error as JSONError {
      throw SyncError.unreadable(
        part: "administrations\(error.pathDescription)", reason: error.explanation)
    }
    return found
  }
}
