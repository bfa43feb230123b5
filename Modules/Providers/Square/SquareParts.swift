import JSONReading
import Models
import Sync

/// Readers for the parts of a Square invoice.
enum SquareParts {
  /// Reads the customer's data as of the publication of the invoice.
  static func recipient(_ reader: inout JSONReader) throws -> Party {
    var party = Party()
    var company: String?
    var names: [String?] = [nil, nil]
    try reader.readObject { reader, key in
      switch key {
      case "customer_id": party.id = try reader.readOptionalString()
      case "company_name": company = try reader.readOptionalString()
      case "given_name": names[0] = try reader.readOptionalString()
      case "family_name": names[1] = try reader.readOptionalString()
      case "email_address": party.email = try reader.readOptionalString()
      case "address": party.address = try reader.readOptional { try $0.readSquareAddress() }
      case "tax_ids": party.taxNumber = try reader.readOptional { try taxNumber(&$0) }
      default: try reader.skipValue()
      }
    }
    let person = names.compactMap(\.self).joined(separator: " ")
    party.name = company ?? (person.isEmpty ? nil : person)
    return party
  }

  static func attachment(_ reader: inout JSONReader) throws -> AttachmentReference {
    var attachment = AttachmentReference()
    try reader.readObject { reader, key in
      switch key {
      case "id": attachment.id = try reader.readOptionalString()
      case "filename": attachment.fileName = try reader.readOptionalString()
      case "mime_type": attachment.mediaType = try reader.readOptionalString()
      default: try reader.skipValue()
      }
    }
    return attachment
  }

  private static func taxNumber(_ reader: inout JSONReader) throws -> String? {
    var number: String?
    try reader.readObject { reader, key in
      switch key {
      case "eu_vat": number = try reader.readOptionalString()
      default: try reader.skipValue()
      }
    }
    return number
  }
}
