import Storage

// Where the list has ended.
extension PassRunner {
  /// The list has ended: looks whether all was seen, and lets go of what is not there any more.
  mutating func finish(
    _ checkpoint: Checkpoint<Feed.Cursor>, at cursor: Feed.Cursor, _ attempt: Int,
    _ report: inout SyncReport
  ) async throws -> PassResult {
    var end = checkpoint
    end.pass = .changes
    end.cursor = checkpoint.unreadable ?? checkpoint.cursor
    end.unreadable = nil
    end.hidesRecords = nil
    end.restart = nil
    if checkpoint.pass != .changes {
      let again = try await second(checkpoint, at: cursor, attempt, &report)
      guard report.ending == nil else { return .stopped }
      if let again { return again }
      let canDelete = checkpoint.pass == .sweep && checkpoint.hidesRecords != true
      let isRefused = try await writer.endPass(
        at: end, source: source(of: cursor), isSweep: canDelete, report: &report)
      if let refused = isRefused {
        // What it has seen is of no use: the next run looks at everything anew.
        try await writer.beginSweep(
          at: try await everything(known: cursor), source: source(of: cursor))
        throw SyncError.massDeletion(records: refused.deleted, of: refused.of)
      }
    }
    // An earlier run has met a record that it could not read, and this one has not met it yet.
    if report.failureCount == 0, let unread = checkpoint.unreadable {
      return try await again(unread)
    }
    if report.failureCount > 0 { report.end(.unreadable) }
    return .complete(end)
  }

  private func again(_ unread: Feed.Cursor) async throws -> PassResult {
    guard feed.changes == .watermark else {
      return .again(try await everything(known: unread), isNew: true)
    }
    let cursor = try await reader.begin(.changes(after: unread), within: budget.remaining)
    return .again(Checkpoint(cursor: cursor, pass: .changes), isNew: false)
  }

  /// How the list is read once more, where it was read by guesses that may have missed something;
  /// `nil` where it was not.
  private mutating func second(
    _ checkpoint: Checkpoint<Feed.Cursor>, at cursor: Feed.Cursor, _ attempt: Int,
    _ report: inout SyncReport
  ) async throws -> PassResult? {
    // A trial reads without guesses.
    guard !options.isTrial, try feed.countRequest(at: cursor) != nil else { return nil }
    let count = try await obeying(&report) { reader, budget in
      try await reader.count(at: cursor, within: budget.remaining)
    }
    guard let count else { return nil }
    let seen = try await writer.seen(in: checkpoint.pass)
    let missing = count.map { max(0, $0) - seen } ?? 0
    let unseen = checkpoint.pass == .sweep ? try await writer.unseen() : 0
    if count != nil, missing <= 0, unseen == 0, report.failureCount == 0 { return nil }
    if missing > 0 { writer.log.missed(missing) }
    // What is missing may only have come meanwhile, and then stands where the list ended.
    if missing > 0, attempt == 1, report.failureCount == 0 {
      return .again(checkpoint, isNew: false)
    }
    // What was seen was seen: nothing of it is forgotten.
    return .again(
      Checkpoint(
        cursor: feed.exhaustive(cursor), pass: checkpoint.pass, restart: checkpoint.restart),
      isNew: false)
  }
}
