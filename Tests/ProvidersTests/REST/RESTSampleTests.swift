import Foundation
import Models
import Networking
import Sync
import TestSupport
import Testing

@testable import Providers

/// The sample of described lists in several parts that `appcore doctor --provider` shows.
@Suite(.timeLimit(.minutes(10))) struct RESTSampleTests {
  @Test("a sample shows the fields of one individually fetched record, and tries a few")
  func detailed() async throws {
    let server = RESTServer(rows: 25)
    let fixture = try await RESTFixture(RESTFixture.detailed(.page, .sweep), server)
    let sample = try await fixture.sample()
    #expect(sample.rows == 5 && sample.count == 25 && sample.hasMore && sample.failures.isEmpty)
    #expect(sample.deletions == nil)
    let total = try #require(sample.fields.first { $0.field == "total" })
    #expect(total.path == "total" && total.value != nil && total.problem == nil)
    #expect(try await fixture.stored().isEmpty)
    try await fixture.stop()
  }

  @Test("a sample reports withheld records in place of their fields")
  func withheld() async throws {
    let server = RESTServer(rows: 25)
    var resource = try RESTFixture.detailed(.page, .sweep)
    resource.detail = RESTDetail(path: "/recorded/{id}")
    let fixture = try await RESTFixture(resource, server)
    server.answerNext(200, #"{"meta":{"count":1,"pages":1},"data":{"items":[{"id":"r0"}]}}"#)
    server.answerNext(404, "")
    let sample = try await fixture.sample()
    #expect(sample.failures.map(\.id) == ["r0"] && sample.fields.isEmpty)
    try await fixture.stop()
  }

  @Test("a sample reads a list of deletions as well, and stores nothing")
  func deletions() async throws {
    let server = RESTServer(rows: 8)
    let fixture = try await RESTFixture(RESTFixture.deletions(.offset), server)
    server.remove("r1")
    let sample = try await fixture.sample()
    #expect(sample.deletions == 1 && sample.failures.isEmpty && sample.rows == 7)
    #expect(server.requests.last?.hasPrefix("/v1/deleted?deleted_since=2023-11-13T") == true)
    #expect(try await fixture.stored().isEmpty)
    try await fixture.stop()
  }

  @Test("a sample names words that the map lacks, and paths that no row has")
  func warnings() async throws {
    let server = RESTServer(rows: 8)
    var resource = try RESTFixture.resource(RESTFixture.paging(.offset))
    var status = RESTField(.path(try RESTFixture.path("id")))
    status.words = ["r0": "open", "r1": "partially-paid"]
    resource.fields.fields["status"] = status
    resource.fields.fields["issueDate"] = RESTField(.path(try RESTFixture.path("isued")))
    let fixture = try await RESTFixture(resource, server)
    let warnings = try await fixture.sample().warnings
    #expect(
      warnings.contains("no record has `isued`, where issueDate is read"), "\(warnings)")
    #expect(warnings.contains("1 of 8 rows say `r7`, which the map of status lacks"))
    #expect(
      warnings.contains { $0.hasPrefix("nothing says what is due of a partly paid invoice") })
    #expect(warnings.count == 8, "\(warnings)")
    try await fixture.stop()
  }

  @Test("a sample warns about identifiers that another list of the kind has")
  func sharedIdentifiers() async throws {
    var samples: [ResourceSample] = []
    for (resource, rows) in [(Resource.invoices, 3), (.creditNotes, 2), (.payments, 2)] {
      let server = RESTServer(rows: rows)
      let fixture = try await RESTFixture(
        try RESTFixture.resource(RESTFixture.paging(.offset)), server)
      samples.append(try await fixture.sample(as: resource))
      try await fixture.stop()
    }
    #expect(
      samples[1].warning(ofIdentifiersIn: [samples[0]])?.hasPrefix(
        "identifiers such as `r0` (2 on the page) are in the invoices too: ") == true)
    #expect(samples[0].warning(ofIdentifiersIn: [samples[0]]) == nil)
    #expect(samples[2].warning(ofIdentifiersIn: samples) == nil)
  }

  @Test("a sample of payments warns about other payments inside invoices with their identifiers")
  func sharedPayments() async throws {
    let field = { try RESTField(.path(RESTFixture.path($0))) }
    var resource = try RESTFixture.resource(RESTPaging(.none), counts: false)
    resource.rows = .root
    resource.fields.fields["updatedAt"] = nil
    resource.fields.lists["payments"] = RESTList(
      path: try RESTFixture.path("paid_by"),
      fields: ["id": try field("id"), "amount": try field("sum")])
    var list = try RESTFixture.resource(RESTPaging(.none), counts: false, kind: .payments)
    list.rows = .root
    list.fields.fields = [
      "id": try field("id"), "type": RESTField(.constant("receipt")),
      "currency": try field("currency"), "amount": try field("sum"),
    ]
    list.fields.lists["allocations"] = RESTList(
      path: try RESTFixture.path("pays"),
      fields: ["invoiceID": try field("of"), "amount": try field("sum")])
    let url = try #require(URL(string: "https://api.acme.example/v1"))
    func sample<Record>(
      _ type: Record.Type, _ resource: RESTResource, _ json: String
    ) async throws -> ResourceSample where Record: RESTRecord {
      let server = RESTServer(rows: 0)
      server.answerNext(200, json)
      let session = Session(name: "sample", middleware: [server], logger: .silent)
      let feed = RESTFeed(type, provider: "acme", resource: resource, baseURL: url)
      let sample = try await ResourceSample(reading: feed, of: resource.kind, over: session)
      await session.shutdown()
      return sample
    }
    let invoices = try await sample(
      Invoice.self, resource,
      """
      [{"id": "i", "total": "60", "paid_by": [{"id": "7", "sum": "60"}, {"id": "8", "sum": "5"}]},
       {"id": "j", "total": "40", "paid_by": [{"id": "7", "sum": "40"}, {"id": "9", "sum": "6"}]}]
      """)
    for (payments, warns) in [
      (#"{"id": "7", "sum": "100", "currency": "EUR"}"#, false),
      (#"{"id": "7", "sum": "99", "currency": "EUR"}"#, true),
      (#"{"id": "7", "sum": "99", "currency": "USD"}"#, false),
      (#"{"id": "7", "sum": "130", "currency": "EUR", "pays": [{"of": "i", "sum": "60"}]}"#, false),
      (#"{"id": "7", "sum": "130", "currency": "EUR", "pays": [{"of": "k", "sum": "30"}]}"#, true),
      (#"{"id": "6", "sum": "1", "currency": "EUR"}"#, false),
    ] {
      let warning = try await sample(Payment.self, list, "[\(payments)]")
        .warning(ofPaymentsIn: [invoices])
      #expect((warning != nil) == warns, "\(payments): \(warning ?? "none")")
      if warns {
        #expect(
          warning?.hasPrefix("identifiers such as `7` (1 on the page) are those of other payments")
            == true)
      }
    }
    #expect(invoices.warning(ofPaymentsIn: [invoices]) == nil)
  }

  @Test("a sample counts words, and misses paths, of records that are fetched individually")
  func detailedWords() async throws {
    let server = RESTServer(rows: 25)
    var resource = try RESTFixture.detailed(.page, .sweep)
    var type = RESTField(.path(try RESTFixture.path("id")))
    type.words = ["r24": "credit-note", "*": "invoice"]
    resource.fields.fields["type"] = type
    resource.fields.fields["issueDate"] = RESTField(.path(try RESTFixture.path("isued")))
    let fixture = try await RESTFixture(resource, server)
    let sample = try await fixture.sample()
    #expect(
      sample.words == [
        WordReading(field: "type", word: "*", meaning: "invoice", count: 4),
        WordReading(field: "type", word: "r24", meaning: "credit-note", count: 1),
      ])
    #expect(sample.warnings == ["no record has `isued`, where issueDate is read"])
    try await fixture.stop()
  }

  @Test("a sample shows the words that a default hides, and those that mean nothing")
  func hiddenWords() async throws {
    var resource = try RESTFixture.resource(RESTFixture.paging(.offset))
    var type = RESTField(.path(try RESTFixture.path("id")))
    type.words = ["r0": "credit-note"]
    type.fallback = "invoice"
    var status = RESTField(.path(try RESTFixture.path("id")))
    status.words = ["r1": "paid"]
    resource.fields.fields.merge(["type": type, "status": status]) { $1 }
    let fixture = try await RESTFixture(resource, RESTServer(rows: 2))
    #expect(
      try await fixture.sample().words == [
        WordReading(field: "type", word: "r0", meaning: "credit-note", count: 1),
        WordReading(field: "type", word: "r1", meaning: "invoice", count: 1),
        WordReading(field: "status", word: "r0", meaning: nil, count: 1),
        WordReading(field: "status", word: "r1", meaning: "paid", count: 1),
      ])
    try await fixture.stop()
  }

  @Test("rows that are marked as deleted are neither shown nor counted among the words")
  func deletedRows() async throws {
    var resource = try RESTFixture.resource(RESTFixture.paging(.offset))
    let id = try RESTFixture.path("id")
    resource.deleted = RESTResource.Deleted(path: id, words: ["r1"])
    var type = RESTField(.path(id))
    type.words = ["r0": "invoice"]
    resource.fields.fields["type"] = type
    let fixture = try await RESTFixture(resource, RESTServer(rows: 2))
    let sample = try await fixture.sample()
    #expect(sample.words.map(\.word) == ["r0"] && sample.warnings.isEmpty)
    #expect(sample.fields.first?.value == "r0" && sample.rows == 2)
    try await fixture.stop()
  }

  @Test("a sample tries the filter for changes with the newest instant of the page")
  func changes() async throws {
    let server = RESTServer(rows: 25)
    let resource = try RESTFixture.resource(
      RESTFixture.paging(.offset), .watermark(RESTWatermark(parameter: "since")))
    let fixture = try await RESTFixture(resource, server)
    let sample = try await fixture.sample()
    #expect(server.requests.last == "/v1/list?offset=0&since=2023-11-14T22%3A13%3A44Z")
    let reading = try #require(sample.fields.last)
    #expect(reading.field == "changes" && reading.path == "since" && reading.problem == nil)
    #expect(reading.found == "2023-11-14T22:13:44Z" && reading.value == "2 rows")
    #expect(sample.warnings.isEmpty, "\(sample.warnings)")
    try await fixture.stop()
  }

  @Test(
    "a sample reports a filter that is rejected, lists nothing or changes nothing",
    arguments: [
      ("since", 400, #"{"message":"unknown filter"}"#, "status 400): unknown filter", ""),
      ("since", 404, "{}", "status 404", ""), ("since", 500, "{}", "status 500", ""),
      ("since", 200, #"{"meta":{"count":0},"data":{"items":[]}}"#, "it lists no row", ""),
      ("changed", 200, "", "", "8 of 10 rows that `changed` lists changed before 2023-11-14T22:"),
    ])
  func wrongFilter(
    filter: String, status: Int, body: String, problem: String, warning: String
  ) async throws {
    let server = RESTServer(rows: 25) { server, number in
      if number == 2, !body.isEmpty { server.answerNext(status, body) }
    }
    let resource = try RESTFixture.resource(
      RESTFixture.paging(.offset), .watermark(RESTWatermark(parameter: filter)))
    let fixture = try await RESTFixture(resource, server)
    let sample = try await fixture.sample()
    let reading = try #require(sample.fields.last)
    #expect(reading.field == "changes")
    #expect(
      problem.isEmpty || (reading.problem ?? "").contains(problem))
    #expect((reading.problem == nil) == problem.isEmpty)
    #expect(
      sample.warnings.isEmpty == warning.isEmpty
        && (warning.isEmpty || sample.warnings.joined().contains(warning)), "\(sample.warnings)")
    #expect(sample.rows == 10 && sample.fields.count == 7)
    try await fixture.stop()
  }

  @Test("a version that is no whole number is refused, wherever it is read")
  func textVersion() async throws {
    var listed = try RESTFixture.detailed(.page, .sweep)
    listed.detail?.listed["version"] = try RESTFixture.path("updated_at")
    listed.fields.fields["version"] = RESTField(.path(try RESTFixture.path("version")))
    var plain = try RESTFixture.resource(RESTFixture.paging(.offset))
    plain.fields.fields["version"] = RESTField(.path(try RESTFixture.path("updated_at")))
    var record = try RESTFixture.detailed(.page, .sweep)
    record.fields.fields["version"] = RESTField(.path(try RESTFixture.path("updated_at")))
    record.detail?.listed["version"] = try RESTFixture.path("nothing")
    for resource in [listed, plain, record] {
      let fixture = try await RESTFixture(resource, RESTServer(rows: 4))
      let sample = try await fixture.sample()
      #expect(sample.failures.count == 4)
      #expect(
        sample.failures.allSatisfy { $0.reason.contains("version: expected a whole number") })
      try await fixture.stop()
    }
  }

  @Test("records that the server never returns are reported with the key of their address")
  func absentRecords() async throws {
    var resource = try RESTFixture.detailed(.page, .sweep)
    resource.detail = RESTDetail(path: "/recorded/{id}")
    let server = RESTServer(rows: 3) { server, number in
      if number != 1, number < 5 { server.answerNext(404, "{}") }
    }
    let fixture = try await RESTFixture(resource, server)
    let sample = try await fixture.sample()
    #expect(sample.failures.count == 3)
    #expect(
      sample.failures.allSatisfy {
        $0.reason.contains("correct providers.acme.resources.invoices.detail.path")
      }, "\(sample.failures)")
    try await fixture.stop()
  }

  @Test("an empty list of versions is no failure")
  func emptyVersions() async throws {
    let server = RESTServer(rows: 0)
    let fixture = try await RESTFixture(RESTFixture.versions(), server)
    let sample = try await fixture.sample()
    #expect(sample.rows == 0 && sample.fields.isEmpty && sample.failures.isEmpty)
    try await fixture.stop()
  }
}
