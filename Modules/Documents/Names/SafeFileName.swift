import Foundation
import Models
import Storage

/// Names that every common file system takes, made of texts that may hold anything.
enum SafeFileName {
  /// The largest size of a folder's or file's name in bytes; most file systems take 255.
  static let largestSize = 200

  private static let reserved = Set("/\\:*?\"<>|".unicodeScalars)

  /// Returns one component of a path.
  ///
  /// It is in Unicode's form NFC, at most ``largestSize`` bytes long and never empty. It holds no
  /// character that a file system reserves, that is invisible or that reorders a line, begins with
  /// no full stop or hyphen, ends with no full stop or space, and is no device of Windows.
  ///
  /// - Parameter ending: ends the name, and is kept when the rest is cut.
  static func component(_ text: String, ending: String = "") -> String {
    var name = plain(text)
    if !ending.isEmpty {
      while let stem = FileExtension.withoutKnown(name) { name = trimmed(stem.unicodeScalars) }
    }
    if name.isEmpty || isDevice(name + ending) { name = "_" + name }
    return trimmed(cut(name, to: largestSize - ending.utf8.count).unicodeScalars) + ending
  }

  /// Returns a text without the characters that no name can hold; it may be empty.
  static func plain(_ text: String) -> String {
    var kept = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let properties = scalar.properties
      if properties.isWhitespace || properties.generalCategory == .control {
        if kept.last != " " { kept.append(" ") }
      } else if reserved.contains(scalar) {
        kept.append("-")
      } else if scalar.isSafeToDisplay, !properties.isDefaultIgnorableCodePoint {
        kept.append(scalar)
      }
    }
    return trimmed(String(kept).precomposedStringWithCanonicalMapping.unicodeScalars)
  }

  private static func trimmed(_ scalars: some BidirectionalCollection<Unicode.Scalar>) -> String {
    // A mark at the beginning would join the slash before it.
    var rest = scalars.drop { " .-".unicodeScalars.contains($0) || $0.isMark }
    while rest.last == " " || rest.last == "." { rest = rest.dropLast() }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: rest)
    return String(text)
  }

  /// Returns the beginning of a text, cut between two characters.
  private static func cut(_ text: String, to size: Int) -> String {
    guard text.utf8.count > size else { return text }
    var (result, count) = ("", 0)
    for character in text {
      count += character.utf8.count
      if count > size { break }
      result.append(character)
    }
    guard result.isEmpty else { return result }
    // One letter with more marks than there is room for.
    count = 0
    return String(
      String.UnicodeScalarView(
        text.unicodeScalars.prefix {
          count += UTF8.width($0)
          return count <= size
        }))
  }

  /// Returns whether Windows takes a name for a device, whatever its extension.
  private static func isDevice(_ name: String) -> Bool {
    let end = name.unicodeScalars.firstIndex(of: ".") ?? name.endIndex
    let base = trimmed(name.unicodeScalars[..<end]).uppercased()
    if ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$"].contains(base) { return true }
    let digit = base.dropFirst(3)
    return ["COM", "LPT"].contains(base.prefix(3)) && digit.count == 1
      && "0123456789¹²³".contains(digit)
  }
}

/// The extension of a file's name.
enum FileExtension {
  private static let byMediaType = [
    "application/pdf": "pdf", "application/xml": "xml", "text/xml": "xml", "image/png": "png",
    "image/jpeg": "jpg", "image/jpg": "jpg", "image/gif": "gif", "image/webp": "webp",
    "image/tiff": "tif", "image/heic": "heic", "image/bmp": "bmp", "image/svg+xml": "svg",
    "text/plain": "txt", "text/csv": "csv", "text/html": "html", "application/json": "json",
    "application/zip": "zip", "application/rtf": "rtf", "message/rfc822": "eml",
    "application/msword": "doc", "application/vnd.ms-excel": "xls",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
    "application/vnd.oasis.opendocument.text": "odt",
    "application/vnd.oasis.opendocument.spreadsheet": "ods",
  ]
  private static let known = Set(byMediaType.values).union(["jpeg", "tiff"])

  /// Returns the extension for a file, such as `.pdf`.
  ///
  /// The media type decides, then the provider's own name of an attachment.
  static func of(_ document: StoredDocument) -> String {
    let type = document.mediaType?.prefix { $0 != ";" }.lowercased()
      .trimmingCharacters(in: .whitespaces)
    if let known = type.flatMap({ byMediaType[$0] }) { return "." + known }
    switch document.kind {
    case .pdf: return ".pdf"
    case .ubl: return ".xml"
    case .attachment:
      return "." + (document.name.flatMap(split)?.plainExtension.lowercased() ?? "bin")
    }
  }

  /// Returns a name and its extension; `nil` if it has none of up to eight letters and digits.
  static func split(_ name: String) -> (stem: String, plainExtension: String)? {
    guard let point = name.unicodeScalars.lastIndex(of: ".") else { return nil }
    let end = name.unicodeScalars[point...].dropFirst()
    let isPlain = end.allSatisfy { $0.isASCII && ($0.properties.isAlphabetic || $0.isDigit) }
    // The end of `12.03` is a part of a date or of an amount.
    guard point > name.startIndex, 1...8 ~= end.count, isPlain, !end.allSatisfy(\.isDigit)
    else { return nil }
    return (String(name.unicodeScalars[..<point]), String(end))
  }

  /// Returns a name without the extension of a known type; `nil` if it has none.
  static func withoutKnown(_ name: String) -> String? {
    guard let parts = split(name), known.contains(parts.plainExtension.lowercased()) else {
      return nil
    }
    return parts.stem
  }
}

extension Unicode.Scalar {
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }

  fileprivate var isMark: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }
}
