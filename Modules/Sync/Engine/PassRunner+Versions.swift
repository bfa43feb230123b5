import Models
import Networking
import Storage

// Of a list of versions: the records themselves.
extension PassRunner {
  /// Brings the records whose version is not the one that is stored; `false` where the server, or what
  /// the run may do, does not let it.
  ///
  /// While some are stored, the next are on their way.
  mutating func fetchOutdated(
    _ page: Page, at cursor: Feed.Cursor, _ attempt: Int,
    _ checkpoint: inout Checkpoint<Feed.Cursor>,
    report: inout SyncReport
  ) async throws -> Bool {
    guard !page.versions.isEmpty else { return true }
    let outdated = try await writer.outdated(among: page.versions)
    // What was altered here since has its version still.
    let isReadAgain =
      options.isFull || options.verifies || (options.since != nil && feed.changes == .watermark)
    var ids = isReadAgain ? page.versions.map(\.id) : outdated
    if options.isTrial { leaveOutRepeats(of: page.versions, from: &ids) }
    var batches = batches(of: ids)[...]
    while let batch = batches.first {
      // A number of records is rounded up to a page; of changes the next run might begin with the same.
      if let ending = budget.ending(after: report.records),
        ending != .limit || feed.changes != .watermark
      {
        report.end(ending, retryAt: budget.now)
        return false
      }
      let read = try await obeying(&report) { reader, budget in
        try await reader.records(batch, at: cursor, within: budget.remaining)
      }
      guard var records = read else { return false }
      batches = batches.dropFirst()
      reader.prepare(
        wanted(of: batches, after: report.records + records.records.entries.count), at: cursor)
      let unanswered = records.unanswered(of: batch)
      if attempt == 1, !options.isTrial, !unanswered.isEmpty {
        // Deleted since it was listed, as a rule: the list is looked at once more.
        checkpoint.unreadable = checkpoint.unreadable ?? feed.retrying(checkpoint.cursor)
      } else {
        records.failures += unanswered
      }
      report.add(records.failures)
      try await writer.commit(
        [
          RunWriter.WaitingPage(
            page: records, checkpoint: checkpoint, source: feed.source(of: cursor),
            isComplete: false)
        ], report: &report)
    }
    return true
  }

  /// Those of the next batches that are read whatever the ones before them bring: what would not be waited for
  /// is not asked for either.
  private func wanted(of batches: ArraySlice<[String]>, after records: Int) -> ArraySlice<[String]>
  {
    var records = records
    return batches.prefix(max(1, feed.maxConcurrentPages)).prefix { batch in
      defer { records += batch.count }
      return budget.ending(after: records) == nil
    }
  }

  /// As many at a time as can be asked for at once.
  private func batches(of ids: [String]) -> [[String]] {
    stride(from: 0, to: ids.count, by: max(1, feed.batch)).map {
      Array(ids[$0..<min($0 + max(1, feed.batch), ids.count)])
    }
  }

  /// What a trial has brought is not stored: a record that is listed once more, as pages overlap or changes
  /// are read twice, would be brought and counted once more.
  private mutating func leaveOutRepeats(
    of versions: [RecordVersion], from ids: inout [String]
  ) {
    let listed = Set(versions.filter { $0.order != nil })
    let repeated = Set(listed.intersection(listedBefore).map(\.id))
    ids.removeAll { repeated.contains($0) }
    // Changes are few as a rule; a list of everything is read once, by a trial.
    if feed.changes == .watermark { listedBefore.formUnion(listed) } else { listedBefore = listed }
  }
}
