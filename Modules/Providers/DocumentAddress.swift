import Documents
import Foundation
import Models
import Networking
import Sync

/// The addresses of files, made from what a provider's records and responses say.
enum DocumentAddress {
  /// Returns the URL of a path below the address of an API.
  ///
  /// An identifier is always one part of the path, whatever it holds.
  ///
  /// - Throws: `SessionError.invalidRequest(reason:)` for a part that would change the path.
  static func of(_ parts: [String], below baseURL: URL) throws(SessionError) -> URL {
    guard parts.allSatisfy({ !["", ".", ".."].contains($0) }),
      var address = URLComponents(url: baseURL, resolvingAgainstBaseURL: true)
    else { throw .invalidRequest(reason: "an identifier cannot be part of a path") }
    let folder = address.percentEncodedPath
    address.percentEncodedPath =
      (folder.hasSuffix("/") ? String(folder.dropLast()) : folder)
      + parts.map { "/" + FormEncoding.escape($0) }.joined()
    guard let url = address.url else {
      throw .invalidRequest(reason: "the address of the file is not valid")
    }
    return url
  }

  /// Returns the link that a response names, which must be `https` if the API is.
  ///
  /// The error does not repeat the link: whoever has it can open the file.
  ///
  /// - Parameter part: the part of the response, for the error.
  /// - Throws: ``SyncError/unreadable(part:reason:message:)``.
  static func link(_ text: String, in part: String, from baseURL: URL) throws -> URL {
    guard let url = URL(string: text), let origin = Origin(url),
      origin.scheme == "https" || Origin(baseURL)?.scheme == "http"
    else {
      throw SyncError.unreadable(part: part, reason: "it is not the https address of a file")
    }
    return url
  }

  /// Returns the organisation that a path or a header field names.
  ///
  /// - Throws: `SessionError.invalidRequest(reason:)` if the account has none.
  static func organisation(_ id: String?) throws(SessionError) -> String {
    guard let id, !id.isEmpty else {
      throw .invalidRequest(reason: "the account has no organisation; set tenantID")
    }
    return id
  }
}

extension Int {
  /// The number as a size in bytes; `nil` if it is below zero.
  var size: Int? { self < 0 ? nil : self }
}

extension Invoice {
  /// The attachments that the record itself names, without those that have no identifier.
  var namedAttachments: [Attachment] {
    attachments.compactMap { named in named.id.map { Attachment(named, id: $0) } }
  }
}

extension Attachment {
  /// Creates the attachment that a record names.
  init(_ named: AttachmentReference, id: String) {
    self.init(
      id: id, name: named.fileName, mediaType: named.mediaType,
      size: named.size.flatMap { Int(exactly: $0)?.size })
  }
}
