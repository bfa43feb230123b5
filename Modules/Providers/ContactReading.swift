import JSONReading
import Models

/// The name of a company, of a person, or of a person at a company.
struct PartyName {
  var company: String?
  var given: String?
  var family: String?

  /// The company's name, or else the person's.
  var text: String? {
    let person = [given, family].compactMap(\.self).joined(separator: " ")
    return company ?? (person.isEmpty ? nil : person)
  }
}

extension Contact {
  /// Returns the contact.
  ///
  /// - Parameter members: the paths of what it cannot do without, each with whether it is there.
  /// - Throws: `JSONError` that names the first one that is missing.
  func requiring(
    _ members: [(path: [String], isThere: Bool)], at offset: Int
  ) throws -> Contact {
    for member in members where !member.isThere {
      throw JSONError(reason: .unexpected("missing"), offset: offset, path: member.path)
    }
    return self
  }
}
