import Foundation
import HTTPTypes
import JSONReading
import Models
import Networking
import Sync

/// An administration that a login reaches, from `GET /api/v2/administrations.json`.
struct MoneybirdAdministration: Sendable, CustomStringConvertible {
  let id: String
  let name: String?

  var description: String { name.map { "\(id) (\($0))" } ?? id }

  /// Returns the administration to read.
  ///
  /// It is the wanted one, else the known one if the login still reaches it, else the only one.
  ///
  /// - Throws: ``SyncError/organisationUnclear(available:)`` if none of these identifies one.
  static func chosen(
    _ wanted: String?, known: String? = nil, at baseURL: URL, ask: Ask
  ) async throws -> String {
    let found = try await all(at: baseURL, ask: ask)
    let wanted =
      wanted ?? known.flatMap { known in found.contains { $0.id == known } ? known : nil }
    let meant = wanted.map { wanted in found.filter { $0.id == wanted } } ?? found
    guard let only = meant.first, meant.count == 1 else {
      throw SyncError.organisationUnclear(available: found.map(\.description))
    }
    return only.id
  }

  /// Returns all administrations that the login reaches.
  static func all(at baseURL: URL, ask: Ask) async throws -> [MoneybirdAdministration] {
    let request = try Request(
      url: baseURL.appending(path: "api/v2/administrations.json"),
      fields: [.accept: "application/json"])
    return try administrations(in: try await ask(request).body)
  }

  /// Returns the administrations in a response; an identifier can be a text or a number.
  static func administrations(in body: [UInt8]) throws -> [MoneybirdAdministration] {
    var reader = JSONReader(body)
    var found: [MoneybirdAdministration] = []
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
        if let id { found.append(MoneybirdAdministration(id: id, name: name)) }
      }
      try reader.readEnd()
    } catch let error as JSONError {
      throw SyncError.unreadable(
        place: "administrations\(error.pathDescription)", reason: error.explanation)
    }
    return found
  }
}
