/// An organisation that a login reaches, as `GET /connections` tells it.
struct XeroConnection: Sendable, CustomStringConvertible {
  let id: String
  let name: String?

  var description: String { name.map { "\(id) (\($0))" } ?? id }

  /// Reads the organisations; practice and other kinds of tenants have no invoices.
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
