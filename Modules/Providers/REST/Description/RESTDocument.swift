import HTTPTypes
import Models

/// The request for the file that the provider renders for an invoice, such as a PDF.
package struct RESTDocument: Sendable, Equatable {
  /// URL path, with ``RESTDetail/id`` where the identifier belongs.
  package let path: String
  package var query: RESTQuery = [:]
  /// The media type that is requested (RFC 9110 section 12.5.1).
  package var accept = "application/pdf"

  package init(path: String) {
    self.path = path
  }

  func validate(_ resource: RESTResource) throws(RESTDescriptionError) {
    guard resource.kind.kind == .invoices else {
      throw RESTDescriptionError(problem: "only invoices have files; remove document")
    }
    try RESTDetail.check(path, query)
    guard accept.contains("/"), HTTPField.isValidValue(accept) else {
      throw RESTDescriptionError(
        "accept", problem: "expected a media type, such as application/pdf")
    }
  }
}

extension RESTResource {
  /// Returns whether the list may have invoices of a type.
  func lists(_ type: InvoiceType) -> Bool {
    fields.fields["type"].map { $0.mayBe(type.rawValue) } ?? false
  }
}

extension RESTField {
  /// Returns whether the field may have one of appcore's words.
  fileprivate func mayBe(_ word: String) -> Bool {
    switch source {
    case .constant(let value): value == word
    case .choice(let fields): fields.contains { $0.mayBe(word) }
    case .paths, .sum: words.isEmpty || words.values.contains(word) || fallback == word
    }
  }
}
