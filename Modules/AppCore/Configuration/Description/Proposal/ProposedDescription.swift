import ErrorCodes
package import Foundation
package import HTTPTypes
import JSONReading
import Models
package import Networking
import Providers

/// A description of a provider, proposed from one page of a list.
///
/// Each guess has a comment, which names members and kinds of values, but holds no record's data.
package struct ProposedDescription: Sendable {
  /// The configuration: the described provider and an account of it.
  package let yaml: String
  /// The required fields for which the page suggests nothing; without them, the configuration can
  /// be loaded.
  package let missing: [String]

  /// Proposes a description.
  ///
  /// - Parameters:
  ///   - name: the name of the provider and of the account.
  ///   - page: the body of the response.
  ///   - url: the address of the page.
  ///   - fields: the header fields of the response.
  ///   - scheme: the way in which the request carried the token.
  /// - Throws: ``PageRefusal`` if the page is not JSON, or has no list of objects.
  package init(
    name: String, page: [UInt8], url: URL, fields: HTTPFields, scheme: TokenScheme
  ) throws {
    let value = try Self.read(page, fields)
    let address = url.lastPathComponent
    guard let rows = SampledRows.find(in: value, address: address) else {
      let names = (value.members?.names ?? []).prefix(8).map { "'\($0.prefix(20))'" }
      throw PageRefusal(
        .unreadableData,
        "the page has no list of objects"
          + (names.isEmpty ? "" : "; its members: " + names.joined(separator: ", ")),
        fix: "Pass the address of a list that has at least one invoice, payment or contact.")
    }
    let (base, path) = Self.split(url)
    var draft = ProposedResource(rows, around: value, url, path: path, fields)
    draft.describe()
    missing = draft.missing
    let quoted = ConfigurationDraft.quoted(name)
    var lines = rows.resource == .payments ? ["# This looks like a list of payments."] : []
    lines += Self.heading(draft.missing, url)
    lines += [
      "providers:", "  \(quoted):", "    kind: rest",
      "    baseURL: \(ConfigurationDraft.quoted(base))  # the address without its last part",
      "    tokenScheme: \(Self.text(of: scheme))  # as the request was sent", "    resources:",
      "      \(rows.resource):  # guessed from the address and the members of the rows",
      "        path: \(ConfigurationDraft.quoted(path))",
    ]
    lines += draft.lines.map(\.yaml)
    lines += ["", "accounts:", "  \(quoted):", "    provider: \(quoted)"]
    lines += [
      "# To add further lists or payments, see the guide DescribedProviders, in its sections",
      "# 'Several lists of a kind' and 'Payments inside invoices'.",
    ]
    yaml = lines.joined(separator: "\n") + "\n"
  }

  private static func read(_ page: [UInt8], _ fields: HTTPFields) throws -> JSONValue {
    var reader = JSONReader(page)
    do {
      let value = try reader.readValue()
      try reader.readEnd()
      return value
    } catch {
      let type = fields[.contentType].map { String($0.prefix { $0 != ";" }.prefix(40)) }
      throw PageRefusal(
        .unreadableData,
        "the response is not JSON" + (type.map { "; the server calls it '\($0)'" } ?? ""),
        fix: "Pass the address of a list in the API, not of a page for browsers.")
    }
  }

  private static func heading(_ missing: [String], _ url: URL) -> [String] {
    let origin = Origin(url).map { "\($0)" } ?? ""
    var lines = [
      "# Proposed by appcore describe, from one page of",
      "# \(origin)\(url.path(percentEncoded: true))",
      "# Each comment names the reason of a guess. Check every line.",
    ]
    if !missing.isEmpty {
      lines += [
        "# Nothing was found for: \(missing.joined(separator: ", ")). appcore refuses this file",
        "# until you complete the lines that begin with '# TO COMPLETE'.",
      ]
    }
    return lines
  }

  /// Splits an address into the base of all paths and the path of the list.
  private static func split(_ url: URL) -> (base: String, path: String) {
    var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) ?? URLComponents()
    (parts.query, parts.fragment) = (nil, nil)
    let path = parts.path
    let start = path.dropLast(path.hasSuffix("/") ? 1 : 0).lastIndex(of: "/") ?? path.startIndex
    parts.path = String(path[..<start])
    return (parts.string ?? "", path.isEmpty ? "/" : String(path[start...]))
  }

  private static func text(of scheme: TokenScheme) -> String {
    switch scheme {
    case .bearer: "bearer"
    case .basic: "basic"
    case .header(let name, let prefix):
      "{ header: \(ConfigurationDraft.quoted(name.rawName))"
        + (prefix.isEmpty ? "" : ", prefix: \(ConfigurationDraft.quoted(prefix))") + " }"
    }
  }
}
