import Foundation
import HTTPTypes
import JSONReading
import Models
import Networking
import Sync

/// An organisation that a login reaches, from `GET /connections`.
struct XeroConnection: Sendable, CustomStringConvertible {
  let id: String
  let name: String?

  var description: String { name.map { "\(id) (\($0))" } ?? id }

  /// Returns the organisation to read.
  ///
  /// It is the wanted one, else the known one if the login still reaches it, else the only one.
  ///
  /// - Throws: ``SyncError/organisationUnclear(available:)`` if none of these identifies one.
  static func organisation(
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

  /// Returns all organisations that the login reaches.
  static func all(at baseURL: URL, ask: Ask) async throws -> [XeroConnection] {
    let request = try Request(
      url: baseURL.appending(path: "connections"), fields: [.accept: "application/json"])
    return try organisations(in: try await ask(request).body)
  }

  /// Returns the organisations in a response; practices and other tenants have no invoices.
  static func organisations(in body: [UInt8]) throws -> [XeroConnection] {
    var reader = JSONReader(body)
    var found: [XeroConnection] = []
    do {
      try reader.readArray { reader in
        var id: String?
        var name: String?
        var type: String?
        try reader.readObject { reader, key in
          switch key {
          case "tenantId": id = try reader.readString()
          case "tenantName": name = try reader.readNull() ? nil : reader.readString()
          case "tenantType": type = try reader.readString()
          default: try reader.skipValue()
          }
        }
        if let id, type == "ORGANISATION" { found.append(XeroConnection(id: id, name: name)) }
      }
      try reader.readEnd()
    } catch let error as JSONError {
      throw SyncError.unreadable(
        place: "connections\(error.pathDescription)", reason: error.explanation)
    }
    return found
  }
}
