import JSONReading
package import Models
import Networking
import Sync

/// The names of a book's taxes and ledger accounts.
///
/// Providers list them apart from the invoices, whose lines have only the codes. A list of names is
/// fetched with the first record that has a code without a known name, so that a run in which
/// nothing has changed fetches none.
package struct BookNames: Codable, Sendable, Equatable {
  /// A list of names.
  package enum List: String, Codable, CodingKeyRepresentable, CaseIterable, Sendable {
    case taxes
    case accounts
  }

  /// Fetches the names of a list by their codes.
  package typealias Fetch = (List) async throws -> [String: String]

  /// The names by code, empty for a code that the list lacks.
  private var known: [List: [String: String]] = [:]
  /// True if an earlier run has fetched the names, which may have changed since.
  var isOld = false

  private enum CodingKeys: CodingKey { case known }

  package init() {}

  /// Returns true: names do not tell one position in a list from another.
  package static func == (_: BookNames, _: BookNames) -> Bool { true }

  /// Sets the names of the taxes and accounts in invoices.
  fileprivate mutating func name(_ invoices: inout [Invoice], _ fetch: Fetch) async throws {
    for list in List.allCases {
      let unknown = set(list, in: &invoices)
      guard !unknown.isEmpty else { continue }
      let none = Dictionary(uniqueKeysWithValues: unknown.map { ($0, "") })
      known[list] = try await fetch(list).merging(none) { name, _ in name }
      _ = set(list, in: &invoices)
    }
  }

  /// Sets the known names of a list, and returns the codes that have none.
  private func set(_ list: List, in invoices: inout [Invoice]) -> Set<String> {
    let names = known[list] ?? [:]
    var unknown: Set<String> = []
    func name(of code: String?) -> String? {
      guard let code else { return nil }
      guard let name = names[code] else {
        unknown.insert(code)
        return nil
      }
      return name.isEmpty ? nil : name
    }
    // By index: iterating over the invoices would copy each one.
    for row in invoices.indices {
      for line in invoices[row].lines.indices {
        switch list {
        case .taxes: invoices[row].lines[line].taxName = name(of: invoices[row].lines[line].taxType)
        case .accounts:
          invoices[row].lines[line].accountName = name(of: invoices[row].lines[line].accountCode)
        }
      }
      guard list == .taxes else { continue }
      for tax in invoices[row].taxBreakdown.indices {
        let code = invoices[row].taxBreakdown[tax].name
        invoices[row].taxBreakdown[tax].name = name(of: code) ?? code
      }
    }
    return unknown
  }
}

/// The lists of names, each fetched once in a run, for all pages and batches that it reads
/// concurrently.
///
/// A code can be on every page and in no list, such as that of a deleted account.
actor BookNameLists {
  private typealias Fetching = Task<[String: String]?, any Error>

  private var lists: [BookNames.List: Fetching] = [:]

  /// Forgets the lists of an earlier run, since names change.
  func forget() { lists = [:] }

  /// Returns the names of a list by their codes; `nil` if the login may not read it.
  ///
  /// - Parameter fetch: fetches the names; `nil` if the login may not read them.
  func names(
    of list: BookNames.List, fetch: @escaping @Sendable () async throws -> [String: String]?
  ) async throws -> [String: String]? {
    while true {
      let task = lists[list] ?? Fetching { try await fetch() }
      lists[list] = task
      do {
        return try await withTaskCancellationHandler {
          try await task.value
        } onCancel: {
          task.cancel()
        }
      } catch {
        if lists[list] == task { lists[list] = nil }
        // Another batch that waited for it may have been abandoned.
        guard task.isCancelled, !Task.isCancelled else { throw error }
      }
    }
  }
}

extension Error {
  /// True if the login may not read what was requested.
  var isRefusal: Bool {
    switch self as any Error {
    // Something between may answer 404, and the names would be lost.
    case SyncError.accessDenied(let status, _): status != 404
    case SessionError.insufficientScope: true
    default: false
    }
  }
}

extension Invoice {
  package static func name(
    _ records: inout [Invoice], by names: inout BookNames, _ fetch: BookNames.Fetch
  ) async throws {
    try await names.name(&records, fetch)
  }
}

extension JSONReader {
  /// Reads the names in a list; a row without a code or a name is left out.
  mutating func readNames(by code: StaticString, as name: StaticString) throws -> [String: String] {
    var names: [String: String] = [:]
    try readList { reader in
      var (key, text): (String?, String?)
      try reader.readObject { reader, member in
        switch member {
        case code: key = try reader.readOptionalIdentifier()
        case name: text = try reader.readOptionalString()
        default: try reader.skipValue()
        }
      }
      if let key, let text { names[key] = text }
    }
    return names
  }
}
