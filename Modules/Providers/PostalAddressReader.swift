import JSONReading
import Models
import Sync

/// A reader that collects the parts of a postal address.
struct PostalAddressReader {
  /// A part of an address.
  enum Part {
    /// One of the lines above the city, numbered from 0.
    case line(Int)
    case city, postalCode, region, country
  }

  private var lines: [Int: String] = [:]
  private var rest = PostalAddress()

  mutating func read(_ part: Part, from reader: inout JSONReader) throws {
    guard let text = try reader.readOptionalString() else { return }
    switch part {
    case .line(let number): lines[number] = text
    case .city: rest.city = text
    case .postalCode: rest.postalCode = text
    case .region: rest.region = text
    case .country: rest.country = text
    }
  }

  /// The address with its lines in order; `nil` if no part was read.
  var address: PostalAddress? {
    var address = rest
    address.lines = lines.sorted { $0.key < $1.key }
      .flatMap { $0.value.split(whereSeparator: \.isNewline).map(String.init) }
    return address == PostalAddress() ? nil : address
  }
}
