import Storage

// The end of the list.
extension PassRunner {
  /// Checks at the end of the list that every record was seen, and deletes the records that the
  /// list no longer holds.
  mutating func finish(
    _ checkpoint: RunCheckpoint, at cursor: Feed.Cursor, attempt: Int, report: inout SyncReport
  ) async throws -> PassResult {
    var end = checkpoint
    end.pass = .changes
    end.cursor = checkpoint.unreadable ?? checkpoint.cursor
    end.unreadable = nil
    end.hasUnidentified = nil
    end.restart = nil
    end.rereading = nil
    try await settle(&end, &report)
    if checkpoint.pass != .changes {
      let again = try await secondReading(
        of: checkpoint, at: cursor, attempt: attempt, report: &report)
      guard report.ending == nil else { return .stopped }
      if let again { return again }
      let canDelete = checkpoint.pass == .sweep && checkpoint.hasUnidentified != true
      let refused = try await writer.endPass(at: end, deletesUnseen: canDelete, report: &report)
      if let refused {
        // Forgets what the sweep has seen: the next run starts a new one.
        try await writer.beginSweep(
          at: try await everything(known: cursor), source: source(of: cursor))
        throw SyncError.massDeletion(records: refused.deleted, of: refused.of)
      }
      // The end of a sweep forgets those that the list no longer holds.
      try await settle(&end, &report)
    } else if options.since == nil, end.retry != checkpoint.retry {
      _ = try await writer.endPass(at: end, deletesUnseen: false, report: &report)
    }
    // An earlier run could not read a record, and this run has not read that record yet.
    if report.unidentified == 0, let unread = checkpoint.unreadable {
      return try await again(from: unread)
    }
    if report.hasNewFailures { report.end(.unreadable) }
    return .complete(end)
  }

  /// Counts the records that cannot be read, also those that an interrupted run has found, and
  /// plans their next reading.
  private func settle(_ end: inout RunCheckpoint, _ report: inout SyncReport) async throws {
    guard !options.isDryRun else { return }
    let counts = try await writer.store.unreadableCounts()
    report.unreported = counts.unreported
    if counts.all == 0 { end.retry = nil }
    end.retry?.plan(hasNews: counts.unreported > 0, at: budget.now)
  }

  private func again(from unread: Feed.Cursor) async throws -> PassResult {
    guard changes == .watermark else {
      return .again(try await everything(known: unread), isNew: true)
    }
    let cursor = try await cursor(.changes(after: unread))
    var checkpoint = Checkpoint(cursor: cursor, pass: .changes)
    // Runs of few records would otherwise begin there again and again.
    checkpoint.retry = UnreadableRetry(
      cursor: unread, reader: readerVersion, failedAt: budget.now)
    return .again(checkpoint, isNew: false)
  }

  /// Returns the pass that reads the list again, if the first one may have missed a record; else
  /// `nil`.
  private mutating func secondReading(
    of checkpoint: RunCheckpoint, at cursor: Feed.Cursor, attempt: Int, report: inout SyncReport
  ) async throws -> PassResult? {
    // A dry run already reads exhaustively from the start.
    guard !options.isDryRun else { return nil }
    let count = try await obeying(&report) { reader, budget in
      try await reader.count(at: cursor, within: budget.remaining)
    }
    guard let count, count != .notNeeded else { return nil }
    let seen = try await writer.store.seenCount(isSweep: checkpoint.pass == .sweep)
    let unseen = checkpoint.pass == .sweep ? try await writer.store.unseenCount() : 0
    var missing = 0
    if case .records(let total) = count {
      missing = max(0, max(0, total) - seen)
      if missing == 0, unseen == 0, report.unidentified == 0 { return nil }
    }
    if missing > 0 {
      writer.log.missed(missing)
      // The missing record may be new, and then follows the former end of the list.
      if attempt == 1, report.unidentified == 0 { return .again(checkpoint, isNew: false) }
    }
    // Rows that were seen stay marked.
    return .again(
      Checkpoint(
        cursor: feed.exhaustive(cursor), pass: checkpoint.pass, restart: checkpoint.restart),
      isNew: false)
  }
}
