import JSONReading
import Models
import Sync

extension JSONReader {
  /// Reads a postal address.
  mutating func readQuickBooksAddress() throws -> PostalAddress? {
    var fields = PostalAddressReader()
    try readObject { reader, key in
      switch key {
      case "Line1": try fields.read(.line(0), from: &reader)
      case "Line2": try fields.read(.line(1), from: &reader)
      case "Line3": try fields.read(.line(2), from: &reader)
      case "Line4": try fields.read(.line(3), from: &reader)
      case "Line5": try fields.read(.line(4), from: &reader)
      case "City": try fields.read(.city, from: &reader)
      case "PostalCode": try fields.read(.postalCode, from: &reader)
      case "CountrySubDivisionCode": try fields.read(.region, from: &reader)
      case "Country": try fields.read(.country, from: &reader)
      default: try reader.skipValue()
      }
    }
    return fields.address
  }
}
