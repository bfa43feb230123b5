/// Takes whole requests, head and body, out of what a client sends.
struct RequestReader {
  private(set) var unread: [UInt8] = []

  mutating func append(_ bytes: some Sequence<UInt8>) {
    unread.append(contentsOf: bytes)
  }

  /// The next request, once it is there as a whole.
  mutating func next() -> RequestText? {
    guard let end = unread.firstRange(of: Self.headEnd)?.upperBound else { return nil }
    let head = String(decoding: unread[..<end], as: UTF8.self)
    let last: Int
    if head.contains(#/(?i)\r\ntransfer-encoding: *chunked/#) {
      guard let mark = unread[(end - 2)...].firstRange(of: Self.lastChunk) else { return nil }
      last = mark.upperBound
    } else {
      let length = head.firstMatch(of: #/(?i)\r\ncontent-length: *(\d+)/#)
      last = end + (length.flatMap { Int($0.output.1) } ?? 0)
    }
    guard unread.count >= last else { return nil }
    let body = Array(unread[end..<last])
    unread.removeFirst(last)
    return RequestText(head: head, body: body)
  }

  /// Removes and returns the remaining bytes, which no request follows.
  mutating func takeRest() -> [UInt8] {
    defer { unread = [] }
    return unread
  }

  private static let headEnd = Array("\r\n\r\n".utf8)
  private static let lastChunk = Array("\r\n0\r\n\r\n".utf8)
}

/// A request as it came.
struct RequestText {
  /// Up to the empty line, which is part of it.
  let head: String
  let body: [UInt8]

  var text: String { head + String(decoding: body, as: UTF8.self) }
  var method: Substring { word(0) }
  var target: Substring { word(1) }
  var path: String { String(target.prefix { $0 != "?" }) }

  /// The value of a field, its name in lower case.
  func field(_ name: String) -> String? {
    for line in head.split(separator: "\r\n").dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[0].lowercased() == name else { continue }
      return String(parts[1].drop { $0 == " " })
    }
    return nil
  }

  private func word(_ index: Int) -> Substring {
    let words = head.prefix { !$0.isNewline }.split(separator: " ")
    return index < words.count ? words[index] : ""
  }
}
