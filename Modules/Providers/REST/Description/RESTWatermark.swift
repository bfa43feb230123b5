package import HTTPTypes
import Sync

/// The way in which a request asks for the records changed since an instant.
package struct RESTWatermark: Sendable, Equatable {
  /// The part of a request that carries the instant.
  package enum Carrier: Sendable, Equatable {
    /// A query item.
    case parameter(String)
    /// A header field, such as `If-Modified-Since` (RFC 9110 section 13.1.3).
    case header(HTTPField.Name)
  }

  /// The part of a request that carries the instant.
  package let carrier: Carrier
  /// Format of the instant.
  package var form: RESTDateForm
  /// The query items that sort the list by change, oldest first; empty if the server cannot sort
  /// it.
  package var order: [String: String] = [:]
  /// The time before the watermark that is read again, because a server can show changes late.
  package var overlap = Duration.seconds(60)
  /// The list of records deleted since an instant; `nil` if there is none.
  package var deletions: RESTDeletions?

  /// Creates a watermark in a query item; ``form`` is RFC 3339 by default.
  package init(parameter: String) {
    carrier = .parameter(parameter)
    form = .instant
  }

  /// Creates a watermark in a header field; ``form`` is an HTTP date by default.
  package init(header: HTTPField.Name) {
    carrier = .header(header)
    form = .http
  }

  var isOrdered: Bool { !order.isEmpty }

  /// Name of the query item; `nil` if a header field carries the instant.
  var parameter: String? {
    if case .parameter(let name) = carrier { name } else { nil }
  }

  /// Name of the header field; `nil` if a query item carries the instant.
  var header: HTTPField.Name? {
    if case .header(let name) = carrier { name } else { nil }
  }
}
