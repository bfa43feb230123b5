import Foundation
import HTTPTypes
import Models
import Networking
import Sync
import Testing

/// From where on a described list is asked for what has changed.
@Suite struct RESTWatermarkTests {
  @Test(
    "rows at either end of the calendar, as which some servers write 'never', lead to a place that can be kept",
    arguments: ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z"])
  func ends(instant: String) throws {
    var watermark = RESTWatermark(parameter: "since")
    watermark.order = ["sort": "updated_at"]
    let url = try #require(URL(string: "https://api.acme.example/v1"))
    let feed = RESTFeed(
      Invoice.self, provider: "acme",
      resource: try RESTFixture.resource(
        RESTFixture.paging(.offset), .watermark(watermark), counts: false), baseURL: url)
    let place = try JSONDecoder().decode(
      RESTPlace.self,
      from: Data(#"{"order":"byInstant","number":0,"isDisturbed":false,"isRepeated":false}"#.utf8))
    let row = #"{"id":"1","total":"1","updated_at":"\#(instant)"}"#
    let body = #"{"data":{"items":[\#(row)]},"meta":{"more":true}}"#
    let response = Response(head: HTTPResponse(status: .ok), body: Array(body.utf8), url: url)
    let next = try #require(try feed.page(response, at: place).next)
    let stored = try JSONEncoder().encode(next)
    #expect(try JSONDecoder().decode(RESTPlace.self, from: stored) == next)
    #expect(try feed.request(at: next).url.query()?.contains("0000-00-00") == false)
  }
}
