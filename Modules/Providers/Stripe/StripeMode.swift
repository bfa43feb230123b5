import JSONReading
import Networking
import Sync

/// The kind of key that requests are sent with: live, or of the tests, which have books of their
/// own.
struct StripeMode {
  let requests: StripeRequests
  let onBehalfOf: String?

  /// Returns whether it is live; `nil` where a restricted key may not read the balance and there is
  /// no invoice that would tell.
  func isLive(_ ask: Ask) async throws -> Bool? {
    for request in try requests.modes(onBehalfOf) {
      do {
        if let isLive = try Self.read(try await ask(request).body) { return isLive }
      } catch SyncError.accessDenied {
        continue
      }
    }
    return nil
  }

  /// What an object says of itself, or the first one of a list.
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
