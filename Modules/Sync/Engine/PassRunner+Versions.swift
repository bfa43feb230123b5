import Models
import Networking
import Storage

// The records of a list of versions.
extension PassRunner {
  /// Fetches and stores the records whose version differs from the stored one.
  ///
  /// While it stores one batch, it already fetches the next ones.
  ///
  /// - Returns: `false` if the server or a limit of the run stopped it early.
  mutating func fetchOutdated(
    of page: EncodedPage<Feed.Cursor>, at cursor: Feed.Cursor, attempt: Int,
    checkpoint: inout Checkpoint<Feed.Cursor>, report: inout SyncReport
  ) async throws -> Bool {
    guard !page.versions.isEmpty else { return true }
    let size = try feed.versions.batch
    let outdated = try await writer.store.outdated(
      among: page.versions, retriesUnreadable: retriesUnreadable)
    let orders = Dictionary(
      page.versions.compactMap { version in version.order.map { (version.id, $0) } }
    ) { $1 }
    // A record that was altered in the database still has its version.
    let isReadAgain =
      options.isFull || options.verifies || rereading != nil
      || (options.since != nil && changes == .watermark)
    var ids = isReadAgain ? page.versions.map(\.id) : outdated
    if options.isDryRun { removeRepeats(of: page.versions, from: &ids) }
    var batches = stride(from: 0, to: ids.count, by: size).map {
      Array(ids[$0..<min($0 + size, ids.count)])
    }[...]
    if page.next == nil { writer.position.expects(ids.count, after: report.records) }
    while let batch = batches.first {
      // A limit on changes is rounded up to a page: otherwise the next run might begin with the
      // same changes.
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
        of: batch, at: feed.traits.recordAddressKey, records: records.records.entries.map(\.id),
        removals: records.removals, failures: records.failures)
      if attempt == 1, !options.isDryRun, !unanswered.isEmpty {
        // These records were usually deleted after they were listed; the list is read once more.
        checkpoint.unreadable = checkpoint.unreadable ?? checkpoint.cursor.retryStart
      } else {
        records.failures += unanswered
      }
      report.add(records.failures)
      report.missingScope = records.missingScope ?? report.missingScope
      checkpoint.note(records.failures, reader: readerVersion)
      var pending = try writer.pending(
        records, checkpoint: checkpoint, source: source(of: cursor))
      for index in pending.unreadable.indices {
        pending.unreadable[index].version = orders[pending.unreadable[index].id]
      }
      try await writer.commit([pending], report: &report)
    }
    return true
  }

  /// Returns the next batches that the run reads in any case, to be fetched early.
  ///
  /// A batch that a limit of the run may exclude is not requested yet.
  private func wanted(of batches: ArraySlice<[String]>, after records: Int) -> ArraySlice<[String]>
  {
    var records = records
    return batches.prefix(reader.maxConcurrentPages).prefix { batch in
      defer { records += batch.count }
      return budget.ending(after: records) == nil
    }
  }

  /// Removes records that a dry run has already fetched, since pages overlap or changes are read
  /// twice.
  ///
  /// A dry run does not store these records, so it would fetch and count them again.
  private mutating func removeRepeats(
    of versions: [RecordVersion], from ids: inout [String]
  ) {
    // All changes are remembered, because they are usually few, and whatever their versions, which
    // one reading may know and another not.
    if changes == .watermark { return ids.removeAll { !fetchedBefore.insert($0).inserted } }
    // A dry run reads a complete list only once, so the previous page is enough.
    let listed = Set(versions.filter { $0.order != nil })
    let repeated = Set(listed.intersection(listedBefore).map(\.id))
    ids.removeAll { repeated.contains($0) }
    listedBefore = listed
  }
}
