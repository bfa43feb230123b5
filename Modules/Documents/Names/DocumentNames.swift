import Foundation
import SystemSupport

/// The name of a file in a folder for people, which another file may have too.
public struct DocumentName: Sendable, Equatable {
  /// The folders, outermost first.
  let folders: [String]
  /// The text that becomes the file's name.
  let stem: String
  /// The extension with its full stop.
  let ending: String
  /// The provider's identifier of the file, or of its invoice.
  let id: String
  /// The values that only this file has.
  let identity: [String]

  /// Returns the path below a folder.
  ///
  /// - Parameter mark: stands before the extension; empty for the plain name.
  func path(in folder: String, marked mark: String = "") -> String {
    folder + SafeFileName.component(stem, ending: (mark.isEmpty ? "" : "-" + mark) + ending)
  }
}

/// The names of the files in a folder for people, each of them once.
///
/// Names are compared without case, because the file systems of Windows and macOS do so.
public struct DocumentNames: Sendable {
  private var files: Set<String> = []
  private var folders: Set<String> = []

  /// Creates the names of a folder.
  ///
  /// - Parameter taken: the names that other files have, with those that were chosen earlier.
  public init(taken: some Sequence<String> = []) {
    for path in taken {
      files.insert(Self.key(path))
      var parents = path.utf8.split(separator: UInt8(ascii: "/")).dropLast()
      while let last = parents.popLast() {
        folders.insert(Self.key(String(Substring(path.utf8[..<last.endIndex]))))
      }
    }
  }

  /// Returns a path that no other file has, relative to the folder.
  ///
  /// If another file has the plain name, eight letters of the identifier come before the extension.
  public mutating func choose(_ name: DocumentName) -> String {
    let folder = folder(name.folders)
    let plain = name.path(in: folder)
    if take(plain) { return plain }
    let letters = String(name.id.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.suffix(8))
    let marked = name.path(in: folder, marked: letters)
    if !letters.isEmpty, take(marked) { return marked }
    // Identifiers of two accounts, or of two kinds of files, can be the same.
    let hash = SHA256.hash(Data(name.identity.joined(separator: "\0").utf8)).hexadecimal.prefix(8)
    var (path, count) = (name.path(in: folder, marked: String(hash)), 1)
    while !take(path) {
      count += 1
      path = name.path(in: folder, marked: "\(hash)-\(count)")
    }
    return path
  }

  /// Returns a path of folders of which none has the name of a file.
  private mutating func folder(_ components: [String]) -> String {
    var path = ""
    for var component in components {
      while files.contains(Self.key(path + component)) {
        component = SafeFileName.component("_" + component)
      }
      path += component
      folders.insert(Self.key(path))
      path += "/"
    }
    return path
  }

  private mutating func take(_ path: String) -> Bool {
    let key = Self.key(path)
    return !folders.contains(key) && files.insert(key).inserted
  }

  /// Strings are equal whether or not their accents are composed.
  private static func key(_ path: String) -> String { path.uppercased().lowercased() }
}
