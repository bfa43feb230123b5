import Foundation
import HTTPTypes
import Models
import Networking
import Providers
import Sync

extension FuzzTarget {
  /// Lists of a provider that a user has described.
  static func described(_ url: URL) throws -> [FuzzTarget] {
    let words = [
      #""data""#, #""items""#, #""meta""#, #""count""#, #""next""#, #""id""#, #""kind""#,
      #""state""#,
      #""money""#, #""total""#, #""lines""#, #""taxes""#, #""payments""#, #""files""#, #""at""#,
      #""gone""#, #""/list?page=2""#, #""http://elsewhere.test/""#, #""//fuzz.test/""#, #""EUR""#,
      #""note""#, #""a<br />b""#, #""<p>&amp;&#x41;</p>""#, #""<script>""#,
    ]
    var paging = RESTPaging(.next)
    paging.field = try path("meta.next")
    var whole = try resource(paging)
    whole.deleted = RESTResource.Deleted(path: try path("gone"), words: ["true", "1"])
    var numbered = RESTPaging(.page)
    numbered.parameter = "page"
    numbered.total = try path("meta.pages")
    numbered.more = try path("meta.more")
    var ordered = try resource(numbered)
    var watermark = RESTWatermark(parameter: "since")
    watermark.form = .milliseconds
    watermark.order = ["sort": "at"]
    ordered.changes = .watermark(watermark)
    ordered.forms.instant = .milliseconds
    ordered.forms.money = .minorUnits
    var listed = try resource(RESTPaging(.none))
    listed.fields.fields["version"] = RESTField(.path(try path("version")))
    listed.changes = .versions(
      RESTVersions(
        path: "/versions", rows: try path("data"), id: try path("id"), version: try path("version"),
        identifiers: .parameter("ids")))
    return try [
      try page("rest-invoices", feed(whole, url), cursor: cursor("byPages"), words: words),
      try page(
        "rest-changes", feed(ordered, url), cursor: cursor("byInstant"),
        counting: cursor("catchingUp"),
        words: words + [#""pages""#, #""more""#, "1718874000000"]),
      try page(
        "rest-versions", feed(listed, url), cursor: cursor("byPages"),
        words: words + [#""version""#, "7"]),
      try link(url),
    ] + parts(url, words)
  }

  /// Makes the targets for requests besides a list: deletions, and single records.
  private static func parts(_ url: URL, _ words: [String]) throws -> [FuzzTarget] {
    var deletions = RESTDeletions(parameter: "deleted_since")
    deletions.path = "/deleted"
    deletions.deletedAt = try path("at")
    var watermark = RESTWatermark(parameter: "since")
    watermark.deletions = deletions
    var paging = RESTPaging(.next)
    paging.field = try path("meta.next")
    var deleting = try resource(paging)
    deleting.changes = .watermark(watermark)
    let instant = #""2024-06-01T00:00:00Z""#
    let cursor =
      cursor("byPages").dropLast()
      + #","since":\#(instant),"deletedSince":\#(instant),"deletions":{"number":0}}"#
    var detailed = try resource(RESTPaging(.none))
    var detail = RESTDetail(path: "/list/{id}")
    detail.row = try path("data")
    detailed.detail = detail
    return [
      try page("rest-deletions", feed(deleting, url), cursor: String(cursor), words: words),
      try records(
        "rest-detail", feed(detailed, url), ["7"], cursor: Self.cursor("byPages"), words: words),
    ]
  }

  /// The header field `Link`, on a page that is as it should be.
  private static func link(_ url: URL) throws -> FuzzTarget {
    let feed = try feed(try resource(RESTPaging(.link)), url)
    let cursor = try JSONDecoder().decode(RESTCursor.self, from: Data(cursor("byPages").utf8))
    let body = Array(#"{"data":{"items":[]},"meta":{"count":0}}"#.utf8)
    guard let name = HTTPField.Name("Link") else { throw CocoaError(.formatting) }
    return FuzzTarget(
      name: "link",
      words: [
        "<http://fuzz.test/list?page=2>", "</list?page=3>", "; rel=\"next\"", "; rel=next", "rel=",
        "REL=\"prev next\"", ",", ";", "\"", "<", ">", "; title=\"a, b; c\"", "title*=UTF-8''%e2",
        "//other.test/", "http://fuzz.test:99999/", "%zz", "[", "é", "?", "#",
      ]
    ) { input in
      var head = HTTPResponse(status: .ok)
      // What no field can hold is made of spaces by the type of fields.
      head.headerFields[name] = String(decoding: input, as: UTF8.self)
      do {
        return try outcome(of: feed.page(Response(head: head, body: body, url: url), at: cursor))
      } catch let error as SyncError { return Outcome(kind: withoutDigits("\(error)")) }
    }
  }

  private static func cursor(_ order: String) -> String {
    #"{"order":"\#(order)","number":0,"isDisturbed":false,"isRepeated":false}"#
  }

  /// Checked as a whole, like a user's description.
  private static func feed(_ resource: RESTResource, _ url: URL) throws -> RESTFeed<Invoice> {
    let description = try RESTDescription(baseURL: url, resources: [resource])
    return RESTFeed(
      Invoice.self, provider: "described", resource: resource, baseURL: description.baseURL)
  }

  private static func path(_ text: String) throws -> RESTPath {
    guard let path = RESTPath(text) else { throw CocoaError(.formatting) }
    return path
  }

  private static func field(
    _ text: String, _ words: [String: String] = [:], otherwise: String? = nil
  ) throws -> RESTField {
    var field = RESTField(.path(try path(text)))
    (field.words, field.fallback) = (words, otherwise)
    return field
  }

  private static func resource(_ paging: RESTPaging) throws -> RESTResource {
    var resource = RESTResource(.invoices, path: "/list")
    resource.rows = try path("data.items")
    resource.paging = paging
    resource.count = try path("meta.count")
    resource.fields.fields = [
      "id": try field("id"), "number": try field("number"),
      "type": try field("kind", ["credit": "credit-note"], otherwise: "invoice"),
      "status": try field("state", ["sent": "open", "1": "paid"]),
      "currency": try field("money.currency"), "total": try field("money.total"),
      "issueDate": try field("day"), "updatedAt": try field("at"),
      "contact.name": RESTField(
        .paths([try path("parties[1].name"), try path("parties[0].name")])),
      "linesIncludeTax": try field("gross"),
      "lineTotal": RESTField(.sum(list: "lines", field: "unitAmount")),
    ]
    resource.fields.fields["reference"] = try field("note")
    resource.fields.fields["reference"]?.textForm = .html
    func list(_ at: String, _ names: [String: String]) throws -> RESTList {
      RESTList(path: try path(at), fields: try names.mapValues { try field($0) })
    }
    resource.fields.lists = [
      "lines": try list(
        "lines", ["id": "id", "quantity": "qty", "unitAmount": "price", "taxRate": "rate"]),
      "taxes": try list("taxes", ["name": "name", "taxAmount": "tax"]),
      "payments": try list("payments", ["id": "id", "date": "date", "amount": "amount"]),
      "attachments": try list("files", ["id": "id", "url": "url", "fileName": "name"]),
    ]
    return resource
  }
}
