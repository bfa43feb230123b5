import JSONReading
import Networking
import Sync

/// The mode of the key that requests are sent with: live or test, each with its own data.
struct StripeMode {
  let requests: StripeRequests
  let onBehalfOf: String?

  /// Returns true for a live key.
  ///
  /// The result is `nil` if there is no invoice to show the mode, and a restricted key may not read
  /// the balance, which every account has.
  ///
  /// - Throws: ``SyncError/accessDenied(status:)`` if the key may not read invoices.
  func isLive(_ ask: Ask) async throws -> Bool? {
    if let isLive = try Self.read(try await ask(requests.anyInvoice(onBehalfOf)).body) {
      return isLive
    }
    do { return try Self.read(try await ask(requests.balance(onBehalfOf)).body) } catch SyncError
      .accessDenied
    {
      return nil
    }
  }

  /// Returns the mode that an object states, or the first object of a list.
  private static func read(_ body: [UInt8]) throws -> Bool? {
    var isLive: Bool?
    try JSONReader.readPage(body) { reader, key in
      switch key {
      case "livemode": isLive = try reader.readBool()
      case "data":
        try reader.readArray { reader in
          try reader.readObject { reader, key in
            switch key {
            case "livemode": isLive = try reader.readBool()
            default: try reader.skipValue()
            }
          }
        }
      default: try reader.skipValue()
      }
    }
    return isLive
  }
}
