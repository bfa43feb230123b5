import JSONReading
import Models
import Sync

extension JSONReader {
  /// Reads a postal address.
  mutating func readSquareAddress() throws -> PostalAddress? {
    var fields = PostalAddressReader()
    try readObject { reader, key in
      switch key {
      case "address_line_1": try fields.read(.line(0), from: &reader)
      case "address_line_2": try fields.read(.line(1), from: &reader)
      case "address_line_3": try fields.read(.line(2), from: &reader)
      case "locality": try fields.read(.city, from: &reader)
      case "postal_code": try fields.read(.postalCode, from: &reader)
      case "administrative_district_level_1": try fields.read(.region, from: &reader)
      case "country": try fields.read(.country, from: &reader)
      default: try reader.skipValue()
      }
    }
    return fields.address
  }
}
