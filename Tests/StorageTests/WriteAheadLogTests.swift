import Foundation
import GRDB
import Models
import TestSupport
import Testing

@testable import Storage

/// The write-ahead log, which is written back as it grows and does not stay long.
@Suite(.timeLimit(.minutes(10))) struct WriteAheadLogTests {
  private let scene = WholeInvoiceTests()

  /// Some ten megabytes of invoices, which are quick to store.
  private func page(_ number: Int, of text: String) throws -> [Invoice] {
    try (0..<10).map { index in
      var invoice = try scene.invoice("\(number)-\(index)")
      invoice.rawStatus = text
      return invoice
    }
  }

  private func size(_ path: String) throws -> Int {
    try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
  }

  @Test("the log is written back as it grows, and a run of any length leaves it no longer")
  func bounded() async throws {
    try await scene.withDatabase { database in
      let text = String(repeating: "x", count: 1 << 20)
      var greatest = 0
      for number in 0..<12 {
        _ = try await scene.commit(try page(number, of: text), to: database)
        greatest = max(greatest, try size(database.path + "-wal"))
      }
      #expect(greatest > WriteAheadLog.threshold && greatest < WriteAheadLog.greatestSize)
      #expect(try size(database.path) > 2 * WriteAheadLog.threshold)
    }
  }

  @Test("a part of the log that a long reader keeps is written back later")
  func heldBack() async throws {
    try await scene.withDatabase { database in
      let text = String(repeating: "x", count: 1 << 20)
      let log = database.path + "-wal"
      _ = try await scene.commit(try page(0, of: text), to: database)
      do {
        let snapshot = try #require(database.pool as? DatabasePool).makeSnapshot()
        for number in 1..<9 {
          _ = try await scene.commit(try page(number, of: text), to: database)
        }
        #expect(try await snapshot.read { try Int.fetchOne($0, sql: Self.count) } == 10)
        #expect(try size(log) > WriteAheadLog.greatestSize)
      }
      // The first writes all of it back, the second begins the log anew.
      for number in 9..<11 {
        _ = try await scene.commit(try page(number, of: text), to: database)
      }
      #expect(try size(log) <= WriteAheadLog.greatestSize)
      #expect(try await database.read { try Int.fetchOne($0, sql: Self.count) } == 110)
    }
  }

  private static let count = "SELECT count(*) FROM invoice"
}
