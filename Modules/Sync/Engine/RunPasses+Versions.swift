import Models
import Storage

/// Lists of versions: which records are asked for by their identifiers.
extension RunPasses {
  /// Of a list of versions: brings the records whose version is not the one that is stored; `false`
  /// where the server does not let it.
  mutating func fetchOutdated(
    _ page: Page, at place: Feed.Place, _ attempt: Int, _ cursor: inout Cursor,
    report: inout SyncReport
  ) async throws -> Bool {
    guard !page.versions.isEmpty else { return true }
    let outdated = try await writer.outdated(among: page.versions)
    // What was altered here since has its version still.
    let isReadAgain =
      options.isFull || options.verifies || (options.since != nil && feed.changes == .watermark)
    var ids = (isReadAgain ? page.versions.map(\.id) : outdated)[...]
    if options.isTrial { leaveOutRepeats(of: page.versions, from: &ids) }
    while !ids.isEmpty {
      // A number of records is rounded up to a page; of changes the next run might begin with the same.
      if let ending = budget.ending(after: report.records),
        ending != .limit || feed.changes != .watermark
      {
        report.end(ending, retryAt: budget.now)
        return false
      }
      let batch = Array(ids.prefix(feed.batch))
      ids = ids.dropFirst(feed.batch)
      let read = try await obeying(&report) { reader, budget in
        try await reader.records(batch, at: place, within: budget.remaining)
      }
      guard var records = read else { return false }
      let unanswered = records.unanswered(of: batch)
      if attempt == 1, !options.isTrial, !unanswered.isEmpty {
        // Deleted since it was listed, as a rule: the list is looked at once more.
        cursor.unreadable = cursor.unreadable ?? feed.retrying(cursor.place)
      } else {
        records.failures += unanswered
      }
      report.add(records.failures)
      try await writer.commit(
        records, at: cursor, source: feed.source(of: place), isComplete: false, report: &report)
    }
    return true
  }

  /// What a trial has brought is not stored: a record that the next page lists once more, as pages overlap,
  /// would be brought and counted once more.
  private mutating func leaveOutRepeats(
    of versions: [RecordVersion], from ids: inout ArraySlice<String>
  ) {
    let listed = Set(versions.filter { $0.order != nil })
    let repeated = Set(listed.intersection(listedBefore).map(\.id))
    ids.removeAll { repeated.contains($0) }
    listedBefore = listed
  }
}
