/// Reads one HTTP/1 answer from the bytes of a connection that ends with it (RFC 9112).
struct LoopbackResponseParser: ~Copyable {
  private var pending: [UInt8] = []
  private let socket: LoopbackSocket

  init(_ socket: consuming LoopbackSocket) {
    self.socket = socket
  }

  mutating func response() throws(LoopbackError) -> LoopbackResponse {
    let words = try line().split(separator: " ", maxSplits: 2)
    guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else {
      throw .malformedAnswer
    }
    var headers: [(name: String, value: String)] = []
    while true {
      let field = try line()
      guard !field.isEmpty else { break }
      guard let colon = field.firstIndex(of: ":") else { throw .malformedAnswer }
      let value = field[field.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      headers.append((field[..<colon].lowercased(), String(value)))
    }
    if (100..<200).contains(status) { return try response() }
    let head = LoopbackResponse(status: status, headers: headers, body: [])
    let body = try body(after: head)
    return LoopbackResponse(status: status, headers: headers, body: body)
  }

  private mutating func body(after head: LoopbackResponse) throws(LoopbackError) -> [UInt8] {
    if head.status == 204 || head.status == 304 { return [] }
    if head[header: "transfer-encoding"]?.lowercased() == "chunked" { return try chunks() }
    guard let text = head[header: "content-length"] else { return try rest() }
    guard let length = Int(text), length >= 0 else { throw .malformedAnswer }
    return try take(length)
  }

  private mutating func chunks() throws(LoopbackError) -> [UInt8] {
    var body: [UInt8] = []
    while true {
      let size = try line().prefix { $0 != ";" }
      guard let length = Int(size, radix: 16), length >= 0 else { throw .malformedAnswer }
      if length == 0 { break }
      body += try take(length)
      guard try line().isEmpty else { throw .malformedAnswer }
    }
    // Trailer fields end with an empty line.
    while try !line().isEmpty {}
    return body
  }

  private mutating func line() throws(LoopbackError) -> String {
    while true {
      if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
        var bytes = pending[..<end]
        if bytes.last == UInt8(ascii: "\r") { bytes = bytes.dropLast() }
        pending = Array(pending[(end + 1)...])
        return String(decoding: bytes, as: UTF8.self)
      }
      try fill()
    }
  }

  private mutating func take(_ count: Int) throws(LoopbackError) -> [UInt8] {
    while pending.count < count { try fill() }
    defer { pending = Array(pending.dropFirst(count)) }
    return Array(pending.prefix(count))
  }

  private mutating func rest() throws(LoopbackError) -> [UInt8] {
    while true {
      let more = try socket.read()
      if more.isEmpty { return pending }
      pending += more
    }
  }

  private mutating func fill() throws(LoopbackError) {
    let more = try socket.read()
    guard !more.isEmpty else { throw .connectionLost(wasReset: false) }
    pending += more
  }
}
