import Foundation
import HTTPTypes
import JSONReading
import Models
import Networking
import Providers
import Storage
import Sync
import TestSupport
import Testing

/// Described lists whose changes are requested by a header field.
@Suite(.timeLimit(.minutes(10))) struct RESTConditionalTests {
  @Test(
    "every request for changes has the instant in its header field, and no other request has it",
    arguments: RESTPaging.Style.allCases.filter { $0 != .none })
  func header(style: RESTPaging.Style) async throws {
    let server = RESTServer(rows: 35)
    var resource = try RESTFixture.conditional(style)
    if style == .cursor || style == .token { resource.query = ["keyset": ["1"]] }
    let fixture = try await RESTFixture(resource, server)
    #expect(try await fixture.sync.run().counts.inserted == 35)
    #expect(server.conditions.allSatisfy { $0 == nil })
    for number in 0..<25 { server.edit("r\(number)") }
    let before = server.requests.count
    #expect(try await fixture.sync.run().result == .complete)
    #expect(try await fixture.stored() == server.rows)
    let conditions = server.conditions.dropFirst(before)
    #expect(conditions.count >= 3)
    // The newest row's second less one: servers differ in what "since" holds.
    #expect(Set(conditions) == ["Tue, 14 Nov 2023 22:13:54 GMT"])
    #expect(server.requests.allSatisfy { !$0.contains("since") })
    try await fixture.stop()
  }

  @Test(
    "a 304 means that nothing has changed, and later changes are still fetched",
    arguments: [true, false])
  func notModified(isOrdered: Bool) async throws {
    let server = RESTServer(rows: 12)
    var watermark = RESTWatermark(header: .ifModifiedSince)
    if isOrdered { watermark.order = ["sort": "updated"] }
    let fixture = try await RESTFixture(
      RESTFixture.resource(RESTFixture.paging(.offset), .watermark(watermark)), server)
    _ = try await fixture.sync.run()
    for _ in 0..<3 {
      let before = server.requests.count
      server.answerNext(304, "")
      let report = try await fixture.sync.run()
      #expect(report.result == .complete && report.counts == ChangeCounts())
      #expect(server.requests.count == before + 1)
    }
    server.edit("r3")
    server.insert("new")
    let report = try await fixture.sync.run()
    #expect(report.counts.updated == 1 && report.counts.inserted == 1)
    #expect(try await fixture.stored() == server.rows)
    try await fixture.stop()
  }

  @Test("a 304 to a request for everything is a failure, and deletes nothing")
  func unasked() async throws {
    let server = RESTServer(rows: 12)
    let fixture = try await RESTFixture(RESTFixture.conditional(.offset), server)
    _ = try await fixture.sync.run()
    server.answerNext(304, "")
    var options = SyncOptions()
    options.isFull = true
    await #expect {
      _ = try await fixture.sync.run(options)
    } throws: {
      if case SyncError.serverFailed(status: 304, _) = $0 { true } else { false }
    }
    #expect(try await fixture.stored() == server.rows)
    try await fixture.stop()
  }

  @Test("a 304 to a request without a condition is a failure")
  func byParameter() async throws {
    let server = RESTServer(rows: 12)
    let fixture = try await RESTFixture(
      RESTFixture.resource(
        RESTFixture.paging(.offset), .watermark(RESTWatermark(parameter: "since"))), server)
    _ = try await fixture.sync.run()
    server.answerNext(304, "")
    await #expect {
      _ = try await fixture.sync.run()
    } throws: {
      if case SyncError.serverFailed(status: 304, _) = $0 { true } else { false }
    }
    try await fixture.stop()
  }

  @Test(
    "dates of HTTP are written as they are read",
    arguments: [
      ("2024-05-31T08:00:00Z", "Fri, 31 May 2024 08:00:00 GMT"),
      ("1970-01-01T00:00:00.5Z", "Thu, 01 Jan 1970 00:00:00 GMT"),
      ("1969-12-31T23:59:59Z", "Wed, 31 Dec 1969 23:59:59 GMT"),
      ("2000-02-29T23:59:59Z", "Tue, 29 Feb 2000 23:59:59 GMT"),
      ("0001-01-02T00:00:00Z", "Tue, 02 Jan 0001 00:00:00 GMT"),
      ("9999-12-30T23:59:59Z", "Thu, 30 Dec 9999 23:59:59 GMT"),
    ])
  func dates(instant: String, text: String) throws {
    let instant = try #require(Timestamp(instant))
    #expect(RESTDateForm.http.text(of: instant) == text)
    #expect(RESTDateForm.http.instant(.text(text)) == instant.truncatedToSecond)
    #expect(RESTDateForm.http.day(.text(text)) == instant.utcDay)
    #expect(RESTDateForm.http.instant(.text("31 May 2024")) == nil)
  }
}
