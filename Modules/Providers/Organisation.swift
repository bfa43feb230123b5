package import Sync

/// An organisation that a login reaches: a company with invoices of its own.
public struct Organisation: Sendable, Hashable {
  /// The provider's identifier, which `accounts.NAME.tenantID` in the configuration takes.
  public let id: String
  /// The name for the user; `nil` if the provider states none.
  public let name: String?

  /// Creates an organisation.
  public init(id: String, name: String?) {
    self.id = id
    self.name = name
  }
}

extension Sequence<Organisation> {
  /// Returns the organisations with an identifier, or else those with a name, whatever its case.
  public func named(_ text: String) -> [Organisation] {
    let exact = filter { $0.id == text }
    return exact.isEmpty ? filter { $0.name?.lowercased() == text.lowercased() } : exact
  }

  /// Returns the organisations that a text names, or else those with the text in their name, or
  /// else all: the ones to show to a user who has to choose again.
  package func resembling(_ text: String) -> [Organisation] {
    let named = named(text)
    guard named.isEmpty else { return named }
    let similar = filter { $0.name?.lowercased().contains(text.lowercased()) ?? false }
    return similar.isEmpty ? Array(self) : similar
  }
}

extension Organisation: CustomStringConvertible {
  /// The name, or else the identifier.
  public var description: String { name ?? id }
}

extension Organisation {
  /// Returns the identifier of the organisation that a run reads.
  ///
  /// It is the configured one, else the known one if the login still reaches it, else the only one.
  /// The provider is asked after a sign-in, and where nothing identifies one.
  ///
  /// - Parameters:
  ///   - start: the start of the run.
  ///   - configured: the organisation that the configuration or the sign-in names.
  ///   - known: the organisation that earlier runs read.
  ///   - all: fetches the organisations that the login reaches.
  /// - Throws: ``SyncError/organisationUnclear(available:)`` if none of these identifies one; the
  ///   errors of `all`.
  static func read<Cursor>(
    by start: FeedStart<Cursor>, configured: String?, known: String?,
    all: () async throws -> [Organisation]
  ) async throws -> String {
    if case .signIn = start { return try await all().only(configured, known: known) }
    if let known, [nil, known].contains(configured) { return known }
    return try await all().only(configured, known: nil)
  }
}

extension [Organisation] {
  /// Returns the identifier of the configured organisation, or else of the known one, or else of
  /// the only one.
  package func only(_ configured: String?, known: String?) throws(SyncError) -> String {
    let wanted = configured ?? known.flatMap { known in contains { $0.id == known } ? known : nil }
    let meant = wanted.map { wanted in filter { $0.id == wanted } } ?? self
    guard let only = meant.first, meant.count == 1 else {
      throw .organisationUnclear(
        available: map { found in found.name.map { "\($0) (\(found.id))" } ?? found.id })
    }
    return only.id
  }
}
