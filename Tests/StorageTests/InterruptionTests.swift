import GRDB
import TestSupport
import Testing

@testable import Storage

/// The end of a statement whose task is cancelled.
@Suite(.timeLimit(.minutes(10))) struct InterruptionTests {
  /// The codes with which SQLite reports an interruption: of a statement, and of a table that a
  /// connection is about to open.
  private static let codes = [ResultCode.SQLITE_INTERRUPT, .SQLITE_ERROR]

  private func outcome(of code: ResultCode, isCancelled: Bool) async -> Result<Void, any Error> {
    let gate = Gate()
    let task = Task {
      await gate.waitWhateverHappens()
      try await StorageError.translating("a.sqlite") { () async throws -> Void in
        throw DatabaseError(resultCode: code, message: "vtable constructor failed: invoice_search")
      }
    }
    if isCancelled { task.cancel() }
    gate.open()
    return await task.result
  }

  @Test(
    "a cancelled statement ends in a cancellation, whatever SQLite calls it",
    arguments: codes)
  func cancelled(code: ResultCode) async throws {
    let result = await outcome(of: code, isCancelled: true)
    #expect(throws: CancellationError.self) { try result.get() }
  }

  @Test("a statement that was not cancelled ends in an error", arguments: codes)
  func failed(code: ResultCode) async throws {
    let result = await outcome(of: code, isCancelled: false)
    #expect(throws: StorageError.self) { try result.get() }
  }
}
