import Models
import Networking
import Providers
import Storage
import Sync
import TestSupport
import Testing

/// Described lists, with every paging style and every way to report changes, while users edit.
@Suite(.timeLimit(.minutes(10))) struct RESTSyncTests {
  enum Model: CaseIterable {
    case sweep, unordered, ordered

    var changes: RESTChanges {
      guard self != .sweep else { return .sweep }
      var watermark = RESTWatermark(parameter: "since")
      if self == .ordered { watermark.order = ["sort": "updated"] }
      watermark.overlap = .zero
      return .watermark(watermark)
    }
  }

  private func resource(
    _ style: RESTPaging.Style, _ model: Model, counts: Bool
  ) throws -> RESTResource {
    var resource = try RESTFixture.resource(
      RESTFixture.paging(style), model.changes, counts: counts)
    switch style {
    case .none: resource.query = ["all": ["1"]]
    case .cursor, .token: resource.query = ["keyset": ["1"]]
    default: break
    }
    return resource
  }

  @Test(
    "a run loses no edit, whatever the paging, and the next run equals the server",
    arguments: RESTPaging.Style.allCases, Model.allCases)
  func edits(style: RESTPaging.Style, model: Model) async throws {
    for counts in [true, false] {
      let runs = Counter()
      let server = RESTServer(rows: 48) { server, request in
        guard runs.value == 0 else { return }
        // Rows that were read move to the front or the end; others take their cursors.
        switch request {
        case 2: server.edit("r3")
        case 3:
          server.edit("r40")
          server.insert("new1")
        case 4:
          if model == .sweep { server.remove("r45") }
          server.edit("r20")
        case 5: server.insert("new2")
        case 8: server.edit("r11")
        default: break
        }
      }
      let fixture = try await RESTFixture(resource(style, model, counts: counts), server)
      let first = try await fixture.sync.run()
      runs.increment()
      #expect(first.result == .complete)
      let present = Set(server.rows.map(\.id)).subtracting(["new1", "new2"])
      let missing = present.subtracting(try await fixture.stored().map(\.id))
      #expect(missing.isEmpty, "\(style) \(model) \(counts)")
      #expect(try await fixture.sync.run().result == .complete)
      #expect(try await fixture.stored() == server.rows, "\(style) \(model) \(counts)")
      try await fixture.stop()
    }
  }

  @Test(
    "a change during a run is fetched by the next run",
    arguments: RESTPaging.Style.allCases, [Model.unordered, .ordered])
  func changes(style: RESTPaging.Style, model: Model) async throws {
    let edits = Counter()
    let server = RESTServer(rows: 40) { server, _ in
      guard edits.value > 0 else { return }
      edits.increment()
      switch edits.value {
      case 3: server.edit("r8")
      case 4: server.edit("r30")
      case 5: server.insert("late")
      default: break
      }
    }
    let fixture = try await RESTFixture(resource(style, model, counts: true), server)
    _ = try await fixture.sync.run()
    for number in 5..<30 { server.edit("r\(number)") }
    edits.increment()
    #expect(try await fixture.sync.run().result == .complete)
    #expect(try await fixture.sync.run().result == .complete)
    #expect(try await fixture.stored() == server.rows)
    try await fixture.stop()
  }

  @Test(
    "a run that was stopped anywhere continues, with the same result",
    arguments: RESTPaging.Style.allCases.filter { $0 != .none }, Model.allCases)
  func interrupted(style: RESTPaging.Style, model: Model) async throws {
    let server = RESTServer(rows: 35)
    let fixture = try await RESTFixture(resource(style, model, counts: true), server)
    var options = SyncOptions()
    options.limit = 10
    var runs = 0
    while runs < 20 {
      let report = try await fixture.sync.run(options)
      guard report.result == .partial, report.ending != .continued else { break }
      runs += 1
      server.edit("r\(runs)")
    }
    #expect(runs > 1 && runs < 20)
    #expect(try await fixture.sync.run().result == .complete)
    #expect(try await fixture.stored() == server.rows)
    try await fixture.stop()
  }

  @Test("a sweep deletes the records that it no longer finds, even if pages can lose rows")
  func deletions() async throws {
    let server = RESTServer(rows: 35)
    let fixture = try await RESTFixture(resource(.page, .sweep, counts: false), server)
    _ = try await fixture.sync.run()
    server.remove("r7")
    #expect(try await fixture.sync.run().counts.deleted == 1)
    #expect(try await fixture.stored() == server.rows)
    try await fixture.stop()
  }

  @Test("an unchanged list that is sorted by change costs two requests")
  func unchanged() async throws {
    let server = RESTServer(rows: 35)
    let fixture = try await RESTFixture(resource(.token, .ordered, counts: true), server)
    _ = try await fixture.sync.run()
    let before = server.requests.count
    let report = try await fixture.sync.run()
    #expect(report.counts.inserted + report.counts.updated == 0)
    #expect(server.requests.count - before <= 2, "\(server.requests)")
    try await fixture.stop()
  }

  @Test("a list that is not sorted as described is refused before a row is lost")
  func unsorted() async throws {
    let server = RESTServer(rows: 35)
    var watermark = RESTWatermark(parameter: "since")
    watermark.order = ["sort": "nothing"]
    let fixture = try await RESTFixture(
      RESTFixture.resource(RESTFixture.paging(.offset), .watermark(watermark)), server)
    await #expect {
      _ = try await fixture.sync.run()
    } throws: {
      guard case SyncError.unreadable("updated_at", let reason, _) = $0 else {
        return false
      }
      return reason.contains("changes.order")
    }
    try await fixture.stop()
  }

  @Test("a list of versions fetches only records that differ, and deletes removed ones")
  func versions() async throws {
    let server = RESTServer(rows: 25)
    let fixture = try await RESTFixture(try RESTFixture.versions(), server)
    _ = try await fixture.sync.run()
    #expect(server.requests.count == 1 + 3)
    #expect(try await fixture.stored() == server.rows)
    server.edit("r5")
    server.remove("r6")
    #expect(try await fixture.sync.run().counts.deleted == 1)
    #expect(server.requests.suffix(2) == ["/v1/versions", "/v1/records?ids=r5"])
    #expect(try await fixture.stored() == server.rows)
    try await fixture.stop()
  }

  @Test("a token that the server has forgotten restarts the list")
  func forgotten() async throws {
    let server = RESTServer(rows: 35)
    let fixture = try await RESTFixture(resource(.token, .sweep, counts: false), server)
    var options = SyncOptions()
    options.limit = 10
    #expect(try await fixture.sync.run(options).result == .partial)
    server.answerNext(400, "{}")
    #expect(try await fixture.sync.run().result == .complete)
    #expect(try await fixture.stored() == server.rows)
    try await fixture.stop()
  }

  @Test(
    "a page that leads to another server, to itself, or holds no list ends the run",
    arguments: [
      #"{"meta":{"next":"https://other.example/v1/list?page=2"},"data":{"items":[]}}"#,
      #"{"meta":{"next":"http://api.acme.example/v2/list"},"data":{"items":[]}}"#,
      #"{"meta":{"next":7},"data":{}}"#, #"{"data":{"items":{"note":1}}}"#, "[]",
      #"{"data":{"items":["#,
    ])
  func broken(body: String) async throws {
    let server = RESTServer(rows: 5)
    let fixture = try await RESTFixture(resource(.next, .sweep, counts: false), server)
    server.answerNext(200, body)
    await #expect {
      _ = try await fixture.sync.run()
    } throws: {
      if case SyncError.unreadable = $0 { true } else { false }
    }
    #expect(server.requests.allSatisfy { $0.hasPrefix("/v1/list") })
    try await fixture.stop()
  }

  @Test("pages that lead back to one that was read before end the run, however long the cycle")
  func cycle() async throws {
    let server = RESTServer(rows: 5)
    let fixture = try await RESTFixture(resource(.next, .sweep, counts: false), server)
    for page in [1, 2, 3, 4, 5, 3, 4, 5, 3, 4, 5, 3] {
      server.answerNext(200, #"{"meta":{"next":"/v1/list?page=\#(page)"},"data":{"items":[]}}"#)
    }
    await #expect {
      _ = try await fixture.sync.run()
    } throws: {
      guard case SyncError.unreadable(_, let reason, _) = $0 else { return false }
      return reason.contains("names an earlier one as the next")
    }
    try await fixture.stop()
  }
}
