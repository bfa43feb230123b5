import HTTPTypes
import Hummingbird
import NIOCore

extension Response {
  init(json bytes: [UInt8], status: HTTPResponse.Status = .ok) {
    self.init(bytes: bytes, type: "application/json; charset=utf-8", status: status)
  }

  init(html: String, status: HTTPResponse.Status = .ok) {
    self.init(bytes: Array(html.utf8), type: "text/html; charset=utf-8", status: status)
  }

  init(text: String, status: HTTPResponse.Status) {
    self.init(bytes: Array(text.utf8), type: "text/plain; charset=utf-8", status: status)
  }

  private init(bytes: [UInt8], type: String, status: HTTPResponse.Status) {
    self.init(
      status: status, headers: [.contentType: type],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }

  /// The same response, which no cache may store (RFC 6749 section 5.1).
  var uncached: Response {
    var response = self
    response.headers[.cacheControl] = "no-store"
    return response
  }
}
