import Foundation
import HTTPTypes
import Providers
import Sync
import Testing

@testable import AppCore

/// Descriptions of lists that report changes by a header, list deletions, or lack a part of their
/// records.
@Suite(.timeLimit(.minutes(10))) struct DescribedChangesTests {
  private static let prefix = "providers.acme.resources.invoices"

  /// Line 8 is what is under test.
  private func load(_ line: String) throws -> RESTResource {
    let yaml = """
      providers:
        acme:
          kind: rest
          baseURL: https://api.acme.example/v1
          resources:
            invoices:
              path: /invoices
              \(line)
              paging: { style: page, parameter: page, sizeParameter: per_page, size: 50 }
              fields: { id: id, type: { value: invoice }, status: { value: open },
                currency: { value: EUR }, total: total, updatedAt: at }
          headers: { X-Own: "1" }
      """
    let described = try #require(CoreConfiguration(yaml: yaml).describedProviders["acme"])
    return try #require(described.provider.description.resources.first)
  }

  private func watermark(_ text: String) throws -> RESTWatermark {
    guard
      case .watermark(let watermark) = try load("changes: { model: watermark, \(text) }").changes
    else { throw CocoaError(.coderValueNotFound) }
    return watermark
  }

  @Test("a header holds the instant as a date of HTTP unless another form is named")
  func header() throws {
    let plain = try watermark("header: If-Modified-Since")
    #expect(plain.carrier == .header(.ifModifiedSince) && plain.form == .http)
    let formed = try watermark("header: X-Since, form: without-zone, overlap: 5s")
    #expect(formed.form == .withoutZone && formed.overlap == .seconds(5))
    #expect(try watermark("parameter: since").form == .instant)
  }

  @Test("a list of deletions, and requests for single records, are read as they are described")
  func forms() throws {
    let deletions = try watermark(
      "parameter: since, deletions: { parameter: deleted_since, path: /gone, form: epoch-seconds, "
        + "rows: items, id: ., deletedAt: when }"
    ).deletions
    #expect(deletions?.parameter == "deleted_since" && deletions?.path == "/gone")
    #expect(deletions?.form == .seconds && deletions?.rows?.description == "items")
    #expect(deletions?.id == .root && deletions?.deletedAt?.description == "when")
    let detail = try load(
      "detail: { path: '/invoices/{id}', query: { full: '1' }, row: invoice, id: key, "
        + "updatedAt: changed }"
    ).detail
    #expect(detail?.path == "/invoices/{id}" && detail?.query == ["full": ["1"]])
    #expect(detail?.row.description == "invoice")
    let document = try load(
      "document: { path: '/invoices/{id}/pdf', query: { copy: '1' }, accept: application/x-pdf }"
    ).document
    #expect(document?.path == "/invoices/{id}/pdf" && document?.query == ["copy": ["1"]])
    #expect(document?.accept == "application/x-pdf")
    #expect(try load("document: { path: '/{id}' }").document?.accept == "application/pdf")
    #expect(detail?.listed.mapValues(\.description) == ["id": "key", "updatedAt": "changed"])
  }

  @Test(
    "an impossible description is refused with line, key and fix",
    arguments: [
      ("changes: { model: watermark }", ".changes", "needs either parameter"),
      ("changes: { model: watermark, parameter: a, header: b }", ".changes", "either parameter"),
      ("changes: { model: watermark, header: 'a b' }", ".changes.header", "expected a field name"),
      ("changes: { model: watermark, header: Cookie }", ".changes.header", "no cookies"),
      ("changes: { model: watermark, header: Authorization }", ".changes.header", "login"),
      ("changes: { model: sweep, header: X }", ".changes.header", "available: model"),
      ("changes: { model: sweep, deletions: {} }", ".changes.deletions", "available: model"),
      (
        "changes: { model: watermark, parameter: s, deletions: { path: /gone } }",
        ".changes.deletions", "parameter is missing"
      ),
      (
        "changes: { model: watermark, parameter: s, deletions: { parameter: s } }",
        ".changes.deletions.parameter", "set path"
      ),
      (
        "changes: { model: watermark, parameter: s, deletions: { parameter: page, path: /g } }",
        ".changes.deletions.parameter", "paging sets it"
      ),
      (
        "changes: { model: watermark, parameter: s, deletions: { parameter: d, path: gone } }",
        ".changes.deletions.path", "such as /invoices"
      ),
      (
        "changes: { model: watermark, parameter: s, deletions: { parameter: d, rows: ^a } }",
        ".changes.deletions.rows", "separated by dots"
      ),
      (
        "changes: { model: watermark, parameter: s, deletions: { parameter: d, form: day } }",
        ".changes.deletions.form", "http-date"
      ),
      (
        "changes: { model: watermark, parameter: s, deletions: { parameter: d, since: x } }",
        ".changes.deletions.since", "available: parameter"
      ),
      ("detail: { row: invoice }", ".detail", "path is missing"),
      ("detail: { path: /invoices }", ".detail.path", "{id} is missing"),
      ("detail: { path: 'invoices/{id}' }", ".detail.path", "such as /invoices"),
      ("detail: { path: '/a/{id}?b=c' }", ".detail.path", "under query"),
      ("detail: { path: '/a/{id}', total: t }", ".detail.total", "available: path, query, row, id"),
      ("detail: { path: '/a/{id}', row: 'a..b' }", ".detail.row", "a path such as"),
      ("document: { accept: image/png }", ".document", "path is missing"),
      ("document: { path: /pdf }", ".document.path", "{id} is missing"),
      ("document: { path: 'a/{id}/pdf' }", ".document.path", "such as /invoices"),
      ("document: { path: '/a/../{id}' }", ".document.path", "below baseURL"),
      ("document: { path: '/a/{id}', accept: pdf }", ".document.accept", "a media type, such as"),
      ("document: { path: '/a/{id}', row: a }", ".document.row", "available: path, query, accept"),
      ("document: /a/{id}", ".document", ""),
    ])
  func refusals(line: String, key: String, cure: String) {
    expectMistake(line: 8, key: Self.prefix + key, cure) { try load(line) }
  }

  @Test("keys that contradict each other are refused")
  func contradictions() {
    for (line, key, cure) in [
      (
        "changes: { model: watermark, header: x-own }", "providers.acme.headers.X-Own",
        "changes of invoices sets it"
      ),
      (
        "detail: { path: '/a/{id}' }\n        changes: { model: versions, path: /v, idsField: i }",
        Self.prefix + ".detail", "remove detail"
      ),
      (
        "query: { d: 1 }\n        changes: { model: watermark, parameter: s, deletions: "
          + "{ parameter: d } }", Self.prefix + ".query.d", "sets it already"
      ),
    ] {
      expectMistake(key: key, cure) { try load(line) }
    }
  }
}
