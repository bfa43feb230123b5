import Models
import Networking
import Storage

// The records of a list of versions.
extension PassRunner {
  /// Fetches and stores the records whose version is not the one that is stored.
  ///
  /// While some are stored, the next are being fetched.
  ///
  /// - Returns: `false` where the server, or the limits of the run, do not allow it.
  mutating func fetchOutdated(
    of page: EncodedPage<Feed.Cursor>, at cursor: Feed.Cursor, attempt: Int,
    checkpoint: inout Checkpoint<Feed.Cursor>, report: inout SyncReport
  ) async throws -> Bool {
    guard !page.versions.isEmpty else { return true }
    guard case .versions(let size) = feed.traits.contents else {
      // Ignored, they would count as not listed, and all that is stored as deleted.
      throw SyncError.unreadable(place: "the list", reason: "versions stand in place of records")
    }
    let outdated = try await writer.store.outdated(among: page.versions)
    // A record that was altered in the database still has its version.
    let isReadAgain =
      options.isFull || options.verifies || (options.since != nil && changes == .watermark)
    var ids = isReadAgain ? page.versions.map(\.id) : outdated
    if options.isDryRun { removeRepeats(of: page.versions, from: &ids) }
    var batches = stride(from: 0, to: ids.count, by: max(1, size)).map {
      Array(ids[$0..<min($0 + max(1, size), ids.count)])
    }[...]
    while let batch = batches.first {
      // A number of records is rounded up to a page; of changes the next run might begin with the
      // same.
      if let ending = budget.ending(after: report.records),
        ending != .limit || changes != .watermark
      {
        report.end(ending, retryAt: budget.now)
        return false
      }
      let read = try await obeying(&report) { reader, budget in
        try await reader.records(for: batch, at: cursor, within: budget.remaining)
      }
      guard var records = read else { return false }
      batches = batches.dropFirst()
      reader.prepare(
        wanted(of: batches, after: report.records + records.records.entries.count), at: cursor)
      let unanswered = RowFailure.unanswered(
        of: batch, records: records.records.entries.map(\.id), removals: records.removals,
        failures: records.failures)
      if attempt == 1, !options.isDryRun, !unanswered.isEmpty {
        // Deleted since it was listed, as a rule: the list is looked at once more.
        checkpoint.unreadable = checkpoint.unreadable ?? feed.retryCursor(from: checkpoint.cursor)
      } else {
        records.failures += unanswered
      }
      report.add(records.failures)
      try await writer.commit(
        [try writer.pending(records, checkpoint: checkpoint, source: feed.source(of: cursor))],
        report: &report)
    }
    return true
  }

  /// Returns those of the next batches that are read whatever the ones before them hold: a batch
  /// that the run would not wait for is not requested either.
  private func wanted(of batches: ArraySlice<[String]>, after records: Int) -> ArraySlice<[String]>
  {
    var records = records
    return batches.prefix(reader.maxConcurrentPages).prefix { batch in
      defer { records += batch.count }
      return budget.ending(after: records) == nil
    }
  }

  /// Removes records that a dry run has fetched before, as pages overlap or changes are read twice:
  /// they are not stored, and would be fetched and counted again.
  private mutating func removeRepeats(
    of versions: [RecordVersion], from ids: inout [String]
  ) {
    let listed = Set(versions.filter { $0.order != nil })
    let repeated = Set(listed.intersection(listedBefore).map(\.id))
    ids.removeAll { repeated.contains($0) }
    // Changes are few as a rule; a list of everything is read once, by a dry run.
    if changes == .watermark { listedBefore.formUnion(listed) } else { listedBefore = listed }
  }
}
