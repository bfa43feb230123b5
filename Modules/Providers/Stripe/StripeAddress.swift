import JSONReading
import Models
import Sync

extension JSONReader {
  /// Reads a postal address.
  mutating func readStripeAddress() throws -> PostalAddress? {
    var fields = PostalAddressReader()
    try readObject { reader, key in
      switch key {
      case "line1": try fields.read(.line(0), from: &reader)
      case "line2": try fields.read(.line(1), from: &reader)
      case "city": try fields.read(.city, from: &reader)
      case "postal_code": try fields.read(.postalCode, from: &reader)
      case "state": try fields.read(.region, from: &reader)
      case "country": try fields.read(.country, from: &reader)
      default: try reader.skipValue()
      }
    }
    return fields.address
  }
}
