import Foundation
import Models

/// The requirements on a file, so that an error page is not kept in its place.
struct DocumentCheck {
  let kind: DocumentKind
  /// The size and the MD5 that the provider states, and the media type and the name of an
  /// attachment.
  var size: Int?
  var md5: String?
  var mediaType: String?
  var name: String?

  /// Requires that a file is what was asked for.
  ///
  /// - Throws: ``DocumentError/notTheFile(reason:)``.
  func require(_ file: FileFacts) throws(DocumentError) {
    if let problem = problem(of: file) { throw .notTheFile(reason: problem) }
  }

  private func problem(of file: FileFacts) -> String? {
    if let size, size != file.size {
      return "it has \(file.size) bytes, and the provider states \(size)"
    }
    if file.size == 0, size != 0 { return "it is empty" }
    if let md5, let found = file.md5, md5.lowercased() != found { return "its MD5 differs" }
    let start = Self.start(of: file.head)
    switch kind {
    case .pdf: return Self.problem(ofPDF: file, start)
    case .ubl:
      guard start.first == UInt8(ascii: "<"), !Self.isHTML(start) else {
        return "it is no XML" + Self.guess(start)
      }
      return Self.isWholeUBL(file.tail) ? nil : "it is cut off"
    case .attachment: return problem(ofAttachment: file, start)
    }
  }

  /// A PDF begins within its first 1 024 bytes, and ends with its mark (ISO 32000-2, annex I).
  private static func problem(ofPDF file: FileFacts, _ start: [UInt8]) -> String? {
    guard file.head.firstRange(of: Array("%PDF-".utf8)) != nil else {
      return "it is no PDF" + guess(start)
    }
    return file.tail.firstRange(of: Array("%%EOF".utf8)) == nil ? "it is cut off" : nil
  }

  /// Returns whether the last tag ends the root element, whose prefix may be any.
  private static func isWholeUBL(_ tail: [UInt8]) -> Bool {
    let text = String(decoding: tail, as: UTF8.self)
    guard let tag = text.split(separator: "</").last, let end = tag.firstIndex(of: ">") else {
      return false
    }
    let name = tag[..<end].trimmingCharacters(in: .whitespaces)
    return ["Invoice", "CreditNote"].contains { name == $0 || name.hasSuffix(":" + $0) }
  }

  /// Anything may be attached, so only an answer that is a message in the file's place is refused.
  private func problem(ofAttachment file: FileFacts, _ start: [UInt8]) -> String? {
    let type = mediaType?.lowercased() ?? ""
    let end = name?.split(separator: ".").last?.lowercased() ?? ""
    if type == "application/pdf" || (type.isEmpty && end == "pdf") {
      guard file.head.firstRange(of: Array("%PDF-".utf8)) != nil else {
        return "it is no PDF" + Self.guess(start)
      }
    }
    let isText = type.hasPrefix("text/") || type.contains("xml") || type.contains("json")
    guard !isText, !["html", "htm", "xhtml", "json", "xml", "txt", "csv", "svg"].contains(end)
    else { return nil }
    if Self.isHTML(start) { return "it is a web page" }
    if Self.isJSON(start), !type.isEmpty || !end.isEmpty, size == nil { return "it is JSON" }
    return nil
  }

  /// The first bytes after a mark of byte order and white space.
  private static func start(of head: [UInt8]) -> [UInt8] {
    let rest = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head[...]
    return Array(rest.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) })
  }

  private static func isHTML(_ start: [UInt8]) -> Bool {
    let text = String(decoding: start.prefix(512), as: UTF8.self).lowercased()
    return text.hasPrefix("<!doctype html") || text.hasPrefix("<html") || text.hasPrefix("<head")
      || (text.hasPrefix("<") && text.contains("<html"))
  }

  private static func isJSON(_ start: [UInt8]) -> Bool {
    start.first == UInt8(ascii: "{") || start.first == UInt8(ascii: "[")
  }

  private static func guess(_ start: [UInt8]) -> String {
    isHTML(start) ? ", but a web page" : isJSON(start) ? ", but JSON" : ""
  }
}
