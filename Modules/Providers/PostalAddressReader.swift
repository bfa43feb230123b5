import JSONReading
import Models
import Sync

/// A postal address as far as it was read.
struct PostalAddressReader {
  /// What providers write an address in.
  enum Part {
    /// One of the lines above the city, from 0 up.
    case line(Int)
    case city, postalCode, region, country
  }

  private var lines: [Int: String] = [:]
  private var rest = PostalAddress()

  /// Reads a part of the address, or `null`; an empty text is none.
  mutating func read(_ part: Part, from reader: inout JSONReader) throws {
    guard let text = try reader.readOptionalString(), !text.isEmpty else { return }
    switch part {
    case .line(let number): lines[number] = text
    case .city: rest.city = text
    case .postalCode: rest.postalCode = text
    case .region: rest.region = text
    case .country: rest.country = text
    }
  }

  /// What was read, the lines in their order; `nil` where nothing is stated.
  var address: PostalAddress? {
    var address = rest
    address.lines = lines.sorted { $0.key < $1.key }
      .flatMap { $0.value.split(whereSeparator: \.isNewline).map(String.init) }
    return address == PostalAddress() ? nil : address
  }
}
