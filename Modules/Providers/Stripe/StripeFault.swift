import HTTPTypes
import JSONReading
import Networking
import Sync

/// An error of Stripe: `{"error":{"type":…,"code":"resource_missing","param":"starting_after"}}`.
struct StripeFault {
  private var code: String?
  private var parameter: String?

  /// True if the row before the requested page no longer exists.
  var isLostCursor: Bool { isMissing && parameter == "starting_after" }

  /// True if the requested object no longer exists.
  var isMissing: Bool { code == "resource_missing" }

  /// Reads an error; returns `nil` for a status other than 400 and 404.
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
