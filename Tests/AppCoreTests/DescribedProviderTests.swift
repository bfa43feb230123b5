import Authentication
import Foundation
import HTTPTypes
import Models
import Networking
import Providers
import Storage
import Sync
import TestSupport
import Testing

@testable import AppCore

/// Providers that a configuration file describes.
@Suite(.timeLimit(.minutes(10))) struct DescribedProviderTests {
  private static let fields =
    "fields: { id: id, type: { value: invoice }, status: { value: open }, currency: { value: EUR }, "
    + "total: total, updatedAt: at }"

  /// A description in so few lines that the line of each key is known: line 4 is baseURL, line 7
  /// path, line 8 what is under test, line 9 the fields.
  private static func yaml(_ line: String, fields: String = fields) -> String {
    """
    providers:
      acme:
        kind: rest
        baseURL: https://api.acme.example/v1
        resources:
          invoices:
            path: /invoices
            \(line)
            \(fields)
    """
  }

  private static let prefix = "providers.acme.resources.invoices"

  @Test(
    "an impossible description is refused with line, key and fix",
    arguments: [
      ("colour: red", 8, ".colour", "unknown key 'colour'; available: path, query"),
      ("paging: { style: pages }", 8, ".paging.style", "available: none, page, offset, cursor"),
      ("paging: { parameter: page }", 8, ".paging", "style is missing"),
      ("paging: { style: cursor, parameter: after }", 8, ".paging", "needs field"),
      ("paging: { style: token, field: meta.token }", 8, ".paging", "needs parameter"),
      ("paging: { style: next }", 8, ".paging", "needs field"),
      ("paging: { style: none, size: 5 }", 8, ".paging.size", "does not use this key"),
      ("paging: { style: link, field: x }", 8, ".paging.field", "size, sizeParameter, stable"),
      ("paging: { style: page, parameter: p, size: 5 }", 8, ".paging", "belong together"),
      ("paging: { style: page, parameter: p, first: 2 }", 8, ".paging.first", "from 0 to 1"),
      ("changes: { parameter: since }", 8, ".changes", "model is missing"),
      ("changes: { model: delta }", 8, ".changes.model", "sweep, watermark, versions"),
      ("changes: { model: watermark }", 8, ".changes", "needs either parameter"),
      ("changes: { model: sweep, parameter: x }", 8, ".changes.parameter", "available: model"),
      (
        "changes: { model: watermark, parameter: s, form: day }", 8, ".changes.form",
        "iso-day, rfc3339"
      ),
      ("changes: { model: versions, idsParameter: ids }", 8, ".changes", "needs path"),
      ("changes: { model: versions, path: /v }", 8, ".changes", "idsParameter"),
      (
        "changes: { model: versions, path: v, idsField: i }", 8, ".changes.path",
        "such as /invoices"
      ),
      ("rows: a..b", 8, ".rows", "a path such as"),
      ("count: { header: a b }", 8, ".count.header", "the name of a header field"),
      ("count: { header: X-Total, path: a }", 8, ".count.path", "available: header"),
      ("rows: ^a", 8, ".rows", "separated by dots"),
      ("deleted: { values: [yes] }", 8, ".deleted", "path is missing"),
      ("money: cents", 8, ".money", "decimal, decimal-number, decimal-string, minor-units"),
      ("dates: { day: dmy }", 8, ".dates.day", "epoch-seconds"),
      ("timeZone: Amsterdam", 8, ".timeZone", "such as Europe/Berlin"),
      ("timeZone: { field: zone }", 8, ".timeZone.field", "available: path"),
      (
        "timeZone: Europe/Berlin", 8, ".timeZone", "remove timeZone: no day is read from an instant"
      ),
    ])
  func refusals(line: String, number: Int, key: String, cure: String) {
    expectMistake(line: number, key: Self.prefix + key, cure) {
      try CoreConfiguration(yaml: Self.yaml(line))
    }
  }

  @Test(
    "an impossible field is refused with line, key and fix",
    arguments: [
      ("fields: { id: id }", "fields", "type is missing"),
      ("fields: { id: id, name: n }", "fields.name", "available: id, number"),
      ("fields: { id: { map: { a: b } } }", "fields.id", "one of path"),
      ("fields: { id: { path: a, value: b } }", "fields.id", "one of path"),
      ("fields: { total: { path: a, form: euros } }", "fields.total.form", "minor-units"),
      ("fields: { contact: { phone: p } }", "fields.contact.phone", "available: id, name"),
      ("fields: { lines: items }", "fields.lines", "expected a mapping of keys"),
      ("fields: { lines: { path: items } }", "fields.lines", "path and fields"),
      (
        "fields: { lines: { path: i, fields: { vat: v } } }", "fields.lines.fields.vat",
        "available: "
      ),
      ("type: { value: receipt }", "fields.type.value", "invoice, credit-note, bill"),
      ("status: { path: s, map: { x: gone } }", "fields.status.map.x", "one of draft"),
      ("status: { path: s, default: gone }", "fields.status.default", "one of draft"),
      ("total: { path: t, map: { x: '' } }", "fields.total.map.x", "a number such as 12.50"),
      ("id: { path: t, map: { x: '' } }", "fields.id.map.x", "expected a text"),
      ("currency: { value: Euro }", "fields.currency.value", "three letters"),
      ("total: { path: t, form: iso-day }", "fields.total.form", "decimal-number"),
      ("id: { path: t, form: iso-day }", "fields.id.form", "remove it"),
      ("currency: { value: EUR, default: EUR }", "fields.currency", "value is constant"),
      ("total: { sum: amount }", "fields.total.sum", "such as lines.lineAmount"),
      ("total: { sum: lines.lineAmount }", "fields.total.sum", "described here"),
      ("id: { sum: lines.lineAmount }", "fields.id.sum", "only amounts"),
      ("total: { path: t, text: html }", "fields.total.text", "only texts"),
      ("id: { path: i, text: rich }", "fields.id.text", "plain, html"),
      ("total: { path: t, prefix: a }", "fields.total.prefix", "only texts"),
      ("id: { path: i, prefix: a, map: { x: y } }", "fields.id.prefix", "have no prefix"),
      ("id: { value: i, prefix: a }", "fields.id", "value is constant"),
      ("id: { path: [] }", "fields.id.path", "at least one path"),
      ("id: { path: [a, b..c] }", "fields.id.path", "a path such as"),
      ("id: [{ path: a, map: { x: y } }]", "fields.id", "only fields with words"),
      ("status: [{ path: a, map: { x: open } }, b]", "fields.status", "needs path and map"),
      ("status: [{ path: a, map: { x: gone } }]", "fields.status", "one of draft"),
    ])
  func fieldRefusals(text: String, key: String, cure: String) {
    var fields = text
    if !text.hasPrefix("fields") {
      let name = String(text.prefix { $0 != ":" })
      let usual = [
        "id": "id: id", "type": "type: { value: invoice }", "status": "status: { value: open }",
        "currency": "currency: { value: EUR }", "total": "total: total",
      ]
      fields = Self.fields.replacing(usual[name] ?? "", with: text)
    }
    expectMistake(line: 9, key: Self.prefix + "." + key, cure) {
      try CoreConfiguration(yaml: Self.yaml("rows: .", fields: fields))
    }
  }

  @Test(
    "an impossible provider is refused with line, key and fix",
    arguments: [
      ("kind: rest", "kind: soap", 3, ".kind", "unknown kind; available: rest"),
      ("    kind: rest\n", "", 3, "", "available: xero"),
      ("    baseURL: https://api.acme.example/v1\n", "", 3, "", "baseURL is missing"),
      ("https://api.acme.example/v1", "http://api.acme.example", 4, ".baseURL", "expected https"),
      (
        "https://api.acme.example/v1", "https://api.acme.example/?a=b", 4, ".baseURL",
        "without a query"
      ),
      (
        "baseURL: https://api.acme.example/v1",
        "baseURL: https://a.example\n    tokenURL: https://b.example", 5, ".tokenURL",
        "--token-stdin"
      ),
      (
        "baseURL: https://api.acme.example/v1",
        "baseURL: https://a.example\n    scopes: [a]", 5, ".scopes", "scopes need issuer"
      ),
      (
        "baseURL: https://api.acme.example/v1",
        "baseURL: https://a.example\n    headers: { Authorization: x }", 5,
        ".headers.Authorization",
        "do not write secrets"
      ),
      (
        "baseURL: https://api.acme.example/v1",
        "baseURL: https://a.example\n    identity: { path: /me }", 5, ".identity", "path and field"
      ),
      (
        "baseURL: https://api.acme.example/v1",
        "baseURL: https://a.example\n    identity: { path: me, field: id }", 5, ".identity.path",
        "such as /invoices"
      ),
      ("invoices:", "orders:", 6, ".resources.orders", "available: invoices, payments, contacts"),
      ("path: /invoices", "path: invoices", 7, ".resources.invoices.path", "such as /invoices"),
      ("path: /invoices", "path: /a?b=c", 7, ".resources.invoices.path", "under query"),
      ("path: /invoices", "path: /../b", 7, ".resources.invoices.path", "below baseURL"),
    ])
  func providerRefusals(old: String, new: String, line: Int, key: String, cure: String) {
    expectMistake(line: line, key: "providers.acme" + key, cure) {
      try CoreConfiguration(yaml: Self.yaml("rows: .").replacing(old, with: new))
    }
  }

  @Test("keys that contradict each other are refused")
  func contradictions() {
    for (line, fields, key, cure) in [
      (
        "changes: { model: watermark, parameter: s, order: { sort: at } }", ", updatedAt: at",
        ".changes", "order needs fields.updatedAt"
      ),
      (
        "changes: { model: versions, path: /v, idsField: i }", ", updatedAt: at", ".changes",
        "version"
      ),
      (
        "query: { page: 1 }\n        paging: { style: page, parameter: page }", "", ".query.page",
        "sets it"
      ),
    ] {
      expectMistake(line: 8, key: Self.prefix + key, cure) {
        try CoreConfiguration(
          yaml: Self.yaml(
            line, fields: fields.isEmpty ? Self.fields : Self.fields.replacing(fields, with: "")))
      }
    }
  }

  @Test("two lists of the same rows are refused, and lists that differ in a query item are not")
  func sameRows() throws {
    func yaml(_ query: String) -> String {
      let list = "{ path: /a, deleted: { path: kind, values: [x] }, \(Self.fields) }"
      return Self.yaml("").replacing(
        #/invoices:[^$]*/#, with: "invoices: [\(list), \(list.replacing("/a,", with: query))]")
    }
    expectMistake(line: 6, key: Self.prefix, "two lists have the same path") {
      try CoreConfiguration(yaml: yaml("/a,"))
    }
    for query in ["/b,", "/a, query: { kind: y },", "/a, rows: other,", "/a, elements: parts,"] {
      _ = try CoreConfiguration(yaml: yaml(query))
    }
  }

  @Test("payments inside invoices without an identifier are refused beside a list of payments")
  func paymentsTwice() throws {
    func yaml(_ parts: String) -> String {
      let fields = Self.fields.replacing(
        "total: total", with: "total: total, payments: { path: paid, fields: { \(parts) } }")
      return Self.yaml("rows: .", fields: fields) + """

              payments:
                path: /payments
                fields: { id: id, type: { value: receipt }, currency: currency, amount: amount }

        """
    }
    expectMistake(line: 9, key: Self.prefix + ".fields.payments", "would count twice") {
      try CoreConfiguration(yaml: yaml("amount: a"))
    }
    _ = try CoreConfiguration(yaml: yaml("amount: a, id: i"))
  }

  @Test("elements name the key beside them that speaks of rows")
  func rowsOfElements() {
    for (line, name) in [
      ("count: n", "count"), ("detail: { path: '/a/{id}' }", "detail"),
      ("changes: { model: versions, path: /v, idsField: i }", "the model 'versions'"),
    ] {
      expectMistake(line: 9, key: Self.prefix + ".elements", "\(name) speaks of rows; remove it") {
        try CoreConfiguration(yaml: Self.yaml("\(line)\n        elements: parts"))
      }
    }
  }

  @Test("an unknown provider of an account is refused with the available ones, described ones too")
  func unknownProvider() {
    #expect {
      _ = try CoreConfiguration(
        yaml: Self.yaml("rows: .") + "\naccounts: { a: { provider: akme } }")
    } throws: {
      let problem = ($0 as? ConfigurationError)?.problem
      return problem?.hasPrefix("unknown provider 'akme'; available: xero, ") == true
        && problem?.contains(", acme, ") == true
        && problem?.hasSuffix("; did you mean 'acme'?") == true
    }
  }

  @Test("a provider without an authorization server signs in only with a passed token")
  func tokenOnly() throws {
    let configuration = try CoreConfiguration(yaml: Self.yaml("rows: ."))
    #expect(!configuration.hasSignIn("acme") && configuration.hasSignIn("xero"))
  }
}
