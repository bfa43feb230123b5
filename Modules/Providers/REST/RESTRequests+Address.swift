import Foundation
import HTTPTypes
import Networking
import SystemSupport

extension RESTRequests {
  /// The address of the list: its URL, and a short digest of the rest of the description that
  /// decides which records the server returns.
  ///
  /// Other paths, query items and header fields can name an organisation as well. A digest, because
  /// they can also hold keys, and the address is stored.
  var address: String {
    let origin = Origin(baseURL).map { "\($0)" } ?? ""
    let url = origin + folder + filled(resource.changes.versions?.path ?? resource.path)
    let others =
      otherPaths + items(resource.query) + items(resource.detail?.query ?? [:]) + headerLines
    guard !others.isEmpty else { return url }
    let digest = SHA256.hash(Data(others.map(filled).joined(separator: "\n").utf8))
    return url + " " + digest.prefix(4).hexadecimal
  }

  /// The path of ``baseURL`` without a slash at its end.
  var folder: String {
    let parts = URLComponents(url: baseURL, resolvingAgainstBaseURL: true)
    let path = parts?.percentEncodedPath ?? ""
    return path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  private var otherPaths: [String] {
    let versions = resource.changes.versions
    return [
      versions == nil ? nil : resource.path, versions?.recordsPath, resource.detail?.path,
      resource.changes.watermark?.deletions?.path,
    ].compactMap(\.self)
  }

  private func items(_ query: [String: String]) -> [String] {
    query.map { "\($0)=\($1)" }.sorted()
  }

  private var headerLines: [String] {
    headers.map { "\($0.name.canonicalName): \($0.value)" }.sorted()
  }
}
