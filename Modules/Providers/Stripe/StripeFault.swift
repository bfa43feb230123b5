import HTTPTypes
import JSONReading
import Networking
import Sync

/// An error of Stripe's: `{"error":{"type":…,"code":"resource_missing","param":"starting_after"}}`.
struct StripeFault {
  private var code: String?
  private var parameter: String?

  /// Whether the row that a page was to begin after is not there any more.
  var isLostCursor: Bool { isMissing && parameter == "starting_after" }

  /// Whether what is asked for is not there any more.
  var isMissing: Bool { code == "resource_missing" }

  /// Reads an error; `nil` where there is none that could tell more than the status.
  init?(_ response: Response) {
    guard [400, 404].contains(response.head.status.code) else { return nil }
    var (code, parameter): (String?, String?)
    try? JSONReader.readPage(response.body) { reader, key in
      switch key {
      case "error":
        try reader.readObject { reader, key in
          switch key {
          case "code": code = try reader.readOptionalString()
          case "param": parameter = try reader.readOptionalString()
          default: try reader.skipValue()
          }
        }
      default: try reader.skipValue()
      }
    }
    self.code = code
    self.parameter = parameter
  }
}
