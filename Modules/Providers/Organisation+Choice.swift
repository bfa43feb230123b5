import Sync

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
  fileprivate func only(_ configured: String?, known: String?) throws(SyncError) -> String {
    let wanted = configured ?? known.flatMap { known in contains { $0.id == known } ? known : nil }
    let meant = wanted.map { wanted in filter { $0.id == wanted } } ?? self
    guard let only = meant.first, meant.count == 1 else {
      throw .organisationUnclear(
        available: map { found in found.name.map { "\($0) (\(found.id))" } ?? found.id })
    }
    return only.id
  }
}
