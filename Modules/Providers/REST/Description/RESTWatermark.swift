package import HTTPTypes
import Sync

/// How a list is asked for what has changed since an instant.
package struct RESTWatermark: Sendable, Equatable {
  /// What of a request holds the instant.
  package enum Carrier: Sendable, Equatable {
    /// A query item.
    case parameter(String)
    /// A header field, such as `If-Modified-Since` (RFC 9110 section 13.1.3).
    case header(HTTPField.Name)
  }

  /// What of a request holds the instant.
  package let carrier: Carrier
  /// How the instant is written.
  package var form: RESTDateForm
  /// The query items that sort the list by change, the oldest first; empty where the server cannot.
  package var order: [String: String] = [:]
  /// How much of what was read before is read again, for changes that a server shows late.
  package var overlap = Duration.seconds(60)
  /// The list of what was deleted since an instant; `nil` where there is none.
  package var deletions: RESTDeletions?

  /// In a query item, as RFC 3339 unless ``form`` says something else.
  package init(parameter: String) {
    carrier = .parameter(parameter)
    form = .instant
  }

  /// In a header field, as a date of HTTP unless ``form`` says something else.
  package init(header: HTTPField.Name) {
    carrier = .header(header)
    form = .http
  }

  var isOrdered: Bool { !order.isEmpty }

  /// The query item; `nil` where there is none.
  var parameter: String? {
    if case .parameter(let name) = carrier { name } else { nil }
  }

  /// The header field; `nil` where there is none.
  var header: HTTPField.Name? {
    if case .header(let name) = carrier { name } else { nil }
  }
}
