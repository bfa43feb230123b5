import JSONReading
import Networking
import Sync

/// The mode of the key that requests are sent with: live or test, each with its own data.
struct StripeMode {
  let requests: StripeRequests
  let onBehalfOf: String?

  /// Returns true for a live key.
  ///
  /// The result is `nil` if a restricted key may not read the balance and there is no invoice to
  /// show the mode.
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
