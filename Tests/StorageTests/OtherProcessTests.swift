import Foundation
import Models
import TestSupport
import Testing

@testable import Storage

/// The commits of another process, which an observer sees; `ObservationTests` shows that it sees
/// them immediately.
@Suite(
  .timeLimit(.minutes(10)), .enabled(if: OtherWriter.isAvailable, "python3 is not installed"))
struct OtherProcessTests {
  @Test("an observer sees each commit of another process")
  func commits() async throws {
    let scene = WholeInvoiceTests()
    try await scene.withDatabase { database in
      _ = try await scene.commit([try scene.invoice()], to: database)
      // As a front end follows it, with the interval that is usual.
      var updates = database.observe(InvoiceQuery()).makeAsyncIterator()
      #expect(try await updates.next()?.map(\.invoice.rawStatus) == ["PART"])
      let other = try OtherWriter(at: database.path)
      for number in 1...9 {
        try other.begin("UPDATE invoice SET raw_status = 'theirs \(number)'")
        #expect(try await updates.next()?.map(\.invoice.rawStatus) == ["theirs \(number)"])
        try await other.finish(number)
      }
      try await other.stop()
    }
  }
}
