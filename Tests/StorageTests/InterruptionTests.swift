import GRDB
import TestSupport
import Testing

@testable import Storage

/// What becomes of a statement whose task is cancelled.
@Suite(.timeLimit(.minutes(10))) struct InterruptionTests {
  /// What SQLite says where it is interrupted: of a statement, of the table that a connection is
  /// about to open.
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
    "whatever SQLite calls it, a statement that was cancelled ends in a cancellation",
    arguments: codes)
  func cancelled(code: ResultCode) async throws {
    let result = await outcome(of: code, isCancelled: true)
    #expect(throws: CancellationError.self) { try result.get() }
  }

  @Test("one that nobody has cancelled ends in an error", arguments: codes)
  func failed(code: ResultCode) async throws {
    let result = await outcome(of: code, isCancelled: false)
    #expect(throws: StorageError.self) { try result.get() }
  }
}
