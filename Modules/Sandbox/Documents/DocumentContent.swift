import Hummingbird
import NIOCore

/// The bytes of a file: a head, padding that repeats a block, and a tail.
///
/// Only the padding is long, so that a file of a gigabyte is sent from little memory.
struct DocumentContent: Sendable {
  private static let blockSize = 65_536

  let mediaType: String
  private let head: [UInt8]
  private let padding: Int
  private let tail: [UInt8]
  private let seed: UInt64

  private init(mediaType: String, seed: UInt64, head: [UInt8], padding: Int, tail: [UInt8]) {
    (self.mediaType, self.seed) = (mediaType, seed)
    (self.head, self.padding, self.tail) = (head, padding, tail)
  }

  var size: Int { head.count + padding + tail.count }

  /// The whole file, in memory.
  var bytes: [UInt8] {
    var bytes = head
    let block = block
    bytes.reserveCapacity(size)
    for start in stride(from: 0, to: padding, by: Self.blockSize) {
      bytes += block.prefix(padding - start)
    }
    return bytes + tail
  }

  /// A strong validator (RFC 9110 section 8.8.3): other bytes have another one.
  var entityTag: String {
    let text = String(decoding: head + tail, as: UTF8.self) + "\(seed) \(padding)"
    return "\"\(String(SplitMix64.hash(of: text), radix: 16))\""
  }

  /// Returns the file in pieces, from an offset on.
  func body(from start: Int = 0) -> ResponseBody {
    ResponseBody(contentLength: size - start) { [self] writer in
      var position = start
      if position < head.count {
        try await writer.write(ByteBuffer(bytes: head[position...]))
        position = head.count
      }
      let block = ByteBuffer(bytes: block)
      let end = head.count + padding
      while position < end {
        let offset = (position - head.count) % Self.blockSize
        let length = min(Self.blockSize - offset, end - position)
        guard let piece = block.getSlice(at: offset, length: length) else { break }
        try await writer.write(piece)
        position += length
      }
      try await writer.write(ByteBuffer(bytes: tail.dropFirst(position - end)))
      try await writer.finish(nil)
    }
  }

  /// The padding's block: characters among which no keyword of a PDF can be spelt.
  private var block: [UInt8] {
    var random = SplitMix64(seed: seed)
    var block: [UInt8] = []
    while block.count < min(padding, Self.blockSize) {
      withUnsafeBytes(of: random.next()) { block += $0.map { 0x30 + $0 & 0x3F } }
    }
    return Array(block.prefix(Self.blockSize))
  }
}

extension DocumentContent {
  /// Creates a text as a file.
  init(text: String, mediaType: String) {
    self.init(mediaType: mediaType, seed: 0, head: Array(text.utf8), padding: 0, tail: [])
  }

  /// Returns a PDF of one page (ISO 32000-1).
  ///
  /// - Parameters:
  ///   - lines: the text of the page; what is not ASCII becomes a question mark.
  ///   - seed: decides the padding, a stream that no page shows.
  ///   - size: the size in bytes, if it is larger than that of the page.
  static func pdf(_ lines: [String], seed: UInt64, size: Int) -> DocumentContent {
    let page = "BT /F1 12 Tf 72 770 Td 16 TL\n" + lines.map { "(\(escaped($0))) Tj T*\n" }.joined()
    let objects = [
      "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R"
        + " /Resources << /Font << /F1 5 0 R >> >> >>",
      "<< /Length \(page.utf8.count + 2) >>\nstream\n\(page)ET\nendstream",
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    // Numbers of ten digits keep their place whatever the length of the padding.
    func parts(padding: Int) -> (head: [UInt8], tail: [UInt8]) {
      var (head, offsets) = ("%PDF-1.4\n", [Int]())
      for (index, object) in objects.enumerated() {
        offsets.append(head.utf8.count)
        head += "\(index + 1) 0 obj\n\(object)\nendobj\n"
      }
      offsets.append(head.utf8.count)
      head += "6 0 obj\n<< /Length \(tenDigits(padding)) >>\nstream\n"
      var tail = "\nendstream\nendobj\n"
      let table = head.utf8.count + padding + tail.utf8.count
      tail += "xref\n0 7\n0000000000 65535 f \n"
      tail += offsets.map { "\(tenDigits($0)) 00000 n \n" }.joined()
      tail += "trailer\n<< /Size 7 /Root 1 0 R >>\nstartxref\n\(tenDigits(table))\n%%EOF\n"
      return (Array(head.utf8), Array(tail.utf8))
    }
    let bare = parts(padding: 0)
    let padding = max(0, size - bare.head.count - bare.tail.count)
    let (head, tail) = parts(padding: padding)
    return DocumentContent(
      mediaType: "application/pdf", seed: seed, head: head, padding: padding, tail: tail)
  }

  /// Returns what begins and ends as a PNG image.
  static func image(seed: UInt64, size: Int) -> DocumentContent {
    let head: [UInt8] = [
      0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52,
      0, 0, 0, 1, 0, 0, 0, 1, 8, 6, 0, 0, 0, 0x1F, 0x15, 0xC4, 0x89,
    ]
    let tail: [UInt8] = [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]
    return DocumentContent(
      mediaType: "image/png", seed: seed, head: head,
      padding: max(8, size - head.count - tail.count), tail: tail)
  }

  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      if ["(", ")", "\\"].contains(scalar) { result += "\\" }
      result += (0x20..<0x7F).contains(scalar.value) ? String(scalar) : "?"
    }
  }

  private static func tenDigits(_ number: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 10 - digits.count)) + digits
  }
}

extension Response {
  init(_ content: DocumentContent) {
    self.init(
      status: .ok, headers: [.contentType: content.mediaType], body: content.body())
  }
}
