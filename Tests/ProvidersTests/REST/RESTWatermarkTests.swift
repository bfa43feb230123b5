import Foundation
import HTTPTypes
import Models
import Networking
import Storage
import Sync
import Testing

@testable import Providers

/// The instant from which a described list is asked for changes.
@Suite(.timeLimit(.minutes(10))) struct RESTWatermarkTests {
  @Test(
    "rows at either end of the calendar, some servers' 'never', lead to a storable cursor",
    arguments: ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z"])
  func ends(instant: String) throws {
    var watermark = RESTWatermark(parameter: "since")
    watermark.order = ["sort": "updated_at"]
    let url = try #require(URL(string: "https://api.acme.example/v1"))
    let feed = RESTFeed(
      Invoice.self, provider: "acme",
      resource: try RESTFixture.resource(
        RESTFixture.paging(.offset), .watermark(watermark), counts: false), baseURL: url)
    let cursor = try JSONDecoder().decode(
      RESTCursor.self,
      from: Data(#"{"order":"byInstant","number":0,"isDisturbed":false,"isRepeated":false}"#.utf8))
    let row = #"{"id":"1","total":"1","updated_at":"\#(instant)"}"#
    let body = #"{"data":{"items":[\#(row)]},"meta":{"more":true}}"#
    let response = Response(head: HTTPResponse(status: .ok), body: Array(body.utf8), url: url)
    let next = try #require(try feed.page(response, at: cursor).next)
    let stored = try JSONEncoder().encode(next)
    #expect(try JSONDecoder().decode(RESTCursor.self, from: stored) == next)
    #expect(try feed.request(at: next).url.query()?.contains("0000-00-00") == false)
  }

  @Test("the total counts the rest of the list if the list is asked for from an instant")
  func totalOfRest() async throws {
    let url = try #require(URL(string: "https://api.acme.example/v1"))
    var watermark = RESTWatermark(parameter: "since")
    watermark.order = ["sort": "updated_at"]
    let feed = RESTFeed(
      Invoice.self, provider: "acme",
      resource: try RESTFixture.resource(RESTFixture.paging(.offset), .watermark(watermark)),
      baseURL: url)
    let session = Session(name: "invoices", configuration: SessionConfiguration())
    let instant = try #require(Timestamp("2024-05-01T12:00:00Z"))
    let rest = try await feed.begin(.since(instant, known: nil), ask: session.ask(for: feed))
    let all = try await feed.begin(.everything(known: nil), ask: session.ask(for: feed))
    let body = #"{"data":{"items":[]},"meta":{"more":false,"count":7}}"#
    let response = Response(head: HTTPResponse(status: .ok), body: Array(body.utf8), url: url)
    for (cursor, isOfRest) in [(rest, true), (all, false)] {
      let page = try feed.page(response, at: cursor)
      #expect(page.total == 7)
      #expect(page.isTotalOfRest == isOfRest)
    }
    await session.shutdown()
  }

  @Test("a corrected description reads everything again, once, though nothing has changed")
  func corrected() async throws {
    for described in [try RESTFixture.conditional(.offset), try RESTFixture.versions()] {
      let fixture = try await RESTFixture(described, RESTServer(rows: 25))
      #expect(try await fixture.sync.run().rereading == nil)
      #expect(try await fixture.sync.run().counts.inserted == 0)
      var corrected = described
      corrected.fields.fields["status"] = RESTField(.constant("paid"))
      let sync = fixture.sync(described: corrected)
      var dryRun = SyncOptions()
      dryRun.isDryRun = true
      #expect(try await sync.run(dryRun).counts.updated == 25)
      // A run that stops on the way leaves the rest to the next one.
      var part = SyncOptions()
      part.limit = 1
      let first = try await sync.run(part)
      #expect(first.result == .partial && first.rereading == .description)
      #expect((1..<25).contains(first.counts.updated))
      let report = try await sync.run()
      #expect(first.counts.updated + report.counts.updated == 25 && report.counts.inserted == 0)
      #expect(report.rereading == .description && report.result == .complete)
      let next = try await sync.run()
      #expect(next.rereading == nil && next.counts.updated == 0)
      try await fixture.stop()
    }
  }

  @Test("the fingerprint of a description has no time zone, and nothing of a process")
  func fingerprint() throws {
    var resource = try RESTFixture.resource(RESTFixture.paging(.offset))
    let fingerprint = resource.fingerprint
    resource.forms.timeZone = .named(try #require(TimeZone(identifier: "Europe/Berlin")))
    #expect(resource.fingerprint == fingerprint)
    #expect(!resource.fingerprinted.contains("$") && !resource.fingerprinted.contains("0x"))
    resource.fields.fields["status"] = RESTField(.constant("paid"))
    #expect(resource.fingerprint != fingerprint)
  }

  /// A list whose rows have no time of change.
  private func undated(
    _ form: RESTDateForm, style: RESTPaging.Style = .offset, isDetailed: Bool = false
  ) throws -> RESTResource {
    var watermark = RESTWatermark(parameter: "since")
    watermark.form = form
    watermark.overlap = .zero
    var resource =
      isDetailed
      ? try RESTFixture.detailed(style, .watermark(watermark))
      : try RESTFixture.resource(RESTFixture.paging(style), .watermark(watermark))
    resource.fields.fields["updatedAt"] = nil
    if style == .cursor || style == .token { resource.query = ["keyset": ["1"]] }
    return resource
  }

  @Test(
    "rows without a time of change are asked for from the server's time at the last reading",
    arguments: [RESTPaging.Style.page, .offset, .cursor, .token, .next, .link], [false, true])
  func undatedChanges(style: RESTPaging.Style, isDetailed: Bool) async throws {
    let server = RESTServer(rows: 25)
    let fixture = try await RESTFixture(
      undated(.instant, style: style, isDetailed: isDetailed), server)
    let first = try await fixture.sync.run()
    #expect(first.counts.inserted == 25, "\(first.counts) \(server.requests)")
    let began = server.requests.count
    #expect(try await fixture.sync.run().counts.updated == 0)
    let lists = server.requests[began...].filter { !$0.hasPrefix("/v1/records/") }
    #expect(lists.allSatisfy { $0.contains("since=2023-11-14T22%3A13%3A45Z") }, "\(lists)")
    server.edit("r3")
    server.insert("new")
    let report = try await fixture.sync.run()
    #expect(report.counts.updated == 1 && report.counts.inserted == 1, "\(report.counts)")
    #expect(
      Set(try await fixture.stored().map { "\($0.id) \($0.total)" })
        == Set(server.rows.map { "\($0.id) \($0.total)" }))
    try await fixture.stop()
  }

  @Test(
    "a change in the second of a reading is found by the next one", arguments: [false, true])
  func sameSecond(isDetailed: Bool) async throws {
    let server = RESTServer(rows: 5)
    let fixture = try await RESTFixture(undated(.instant, isDetailed: isDetailed), server)
    server.editAhead("r1")
    #expect(try await fixture.sync.run().counts.inserted == 5)
    // Changed again in the second in which it was listed, after the answer.
    server.alter("r1", total: 7)
    #expect(try await fixture.sync.run().counts.updated == 1)
    #expect(try await fixture.stored().contains { $0.id == "r1" && $0.total == 7 })
    try await fixture.stop()
  }

  @Test("a time without a zone reaches back as far as any zone is behind UTC")
  func zoneless() async throws {
    for (form, earliest) in [
      (RESTDateForm.spaced, "2023-11-14%2010%3A13%3A25"), (.day, "2023-11-12"),
      (.seconds, "1700000005"),
    ] {
      let server = RESTServer(rows: 5)
      let fixture = try await RESTFixture(undated(form), server)
      _ = try await fixture.sync.run()
      _ = try await fixture.sync.run()
      #expect(
        server.requests.last?.contains("since=" + earliest) == true, "\(server.requests)")
      try await fixture.stop()
    }
  }

  @Test("without the server's time, undated rows are read in full each time")
  func withoutDate() async throws {
    let answers = AnsweringServer { _, query in
      (
        200,
        #"{"meta":{"more":false,"count":1},"data":{"items":[{"id":"r1","total":"1.00"}]}}"#
      )
    }
    let url = try #require(URL(string: "https://api.acme.example/v1"))
    let feed = RESTFeed(
      Invoice.self, provider: "acme", resource: try undated(.instant), baseURL: url)
    try await answers.run(feed) { sync, _ in
      _ = try await sync.run()
      #expect(try await sync.run().result == .complete)
    }
    #expect(answers.requests.allSatisfy { !$0.contains("since") })
  }

  @Test("a run that was interrupted, or found nothing, begins no earlier than the one before")
  func floor() async throws {
    let url = try #require(URL(string: "https://api.acme.example/v1"))
    for isOrdered in [true, false] {
      var watermark = RESTWatermark(parameter: "since")
      watermark.overlap = .seconds(60)
      if isOrdered { watermark.order = ["sort": "updated_at"] }
      let feed = RESTFeed(
        Invoice.self, provider: "acme",
        resource: try RESTFixture.resource(
          RESTFixture.paging(.offset), .watermark(watermark), counts: false), baseURL: url)
      let session = Session(name: "invoices", configuration: SessionConfiguration())
      let instant = try #require(Timestamp("2024-05-01T12:00:00Z"))
      let known = try await feed.begin(.since(instant, known: nil), ask: session.ask(for: feed))
      let first = try await feed.begin(.changes(after: known), ask: session.ask(for: feed))
      #expect(
        try feed.request(at: first).url.query(percentEncoded: false)?.contains("11:59:00") == true)
      let body = #"{"data":{"items":[]},"meta":{"more":false}}"#
      let response = Response(head: HTTPResponse(status: .ok), body: Array(body.utf8), url: url)
      let resume = try feed.page(response, at: first).resume
      let second = try await feed.begin(.changes(after: resume), ask: session.ask(for: feed))
      #expect(try feed.request(at: second).url == feed.request(at: first).url)
      await session.shutdown()
    }
  }
}
