import Foundation
import Models
import Networking
import Providers
import Sync
import TestSupport
import Testing

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
    status.words = ["r0": "open", "r1": "paid"]
    resource.fields.fields["status"] = status
    resource.fields.fields["issueDate"] = RESTField(.path(try RESTFixture.path("isued")))
    let fixture = try await RESTFixture(resource, server)
    let warnings = try await fixture.sample().warnings
    #expect(
      warnings.contains("no row of this page has `isued`, where issueDate is read"), "\(warnings)")
    #expect(warnings.contains("1 of 8 rows say `r7`, which the map of status lacks"))
    #expect(warnings.count == 7, "\(warnings)")
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
