import JSONReading
import Models
import Sync

/// The settings of a company that are fetched before its lists, with `select * from Preferences`.
struct QuickBooksCompany {
  private(set) var homeCurrency: String?
  /// Server time of the response.
  let time: Timestamp

  init(_ body: [UInt8]) throws {
    var currency: String?
    let (_, time) = try JSONReader.readQuickBooksResponse(body, "QueryResponse") { reader in
      try reader.readObject { reader, key in
        switch key {
        case "Preferences":
          try reader.readList { currency = try Self.homeCurrency(&$0) ?? currency }
        case "Fault": try reader.readQuickBooksFault()
        default: try reader.skipValue()
        }
      }
    }
    guard let time else { throw SyncError.unreadable(part: "time", reason: "missing") }
    homeCurrency = currency
    self.time = time
  }

  private static func homeCurrency(_ reader: inout JSONReader) throws -> String? {
    var currency: String?
    try reader.readObject { reader, key in
      switch key {
      case "CurrencyPrefs":
        try reader.readObject { reader, key in
          switch key {
          case "HomeCurrency": currency = try QuickBooksReference(&reader)?.value
          default: try reader.skipValue()
          }
        }
      default: try reader.skipValue()
      }
    }
    return currency
  }
}
