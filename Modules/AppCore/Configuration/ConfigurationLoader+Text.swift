import Foundation
import Models
import SystemSupport

// The text of the configuration file.
extension ConfigurationLoader {
  /// Returns the text of the file; `nil` if it does not exist at the default path.
  func text(of file: String, isNamed: Bool) throws -> String? {
    do {
      return try String(contentsOfFile: file, encoding: .utf8)
    } catch {
      let isAbsent = !FileManager.default.fileExists(atPath: file)
      guard isAbsent else {
        throw ConfigurationError(source: file, problem: Self.reason(error, of: file))
      }
      guard !isNamed else {
        throw ConfigurationError(
          source: file, problem: "file not found",
          fix: "Create it with: appcore setup --config \(file.shellWord)")
      }
      return nil
    }
  }

  /// Returns why a file that exists cannot be read as text.
  private static func reason(_ error: any Error, of file: String) -> String {
    var isFolder: ObjCBool = false
    _ = FileManager.default.fileExists(atPath: file, isDirectory: &isFolder)
    if isFolder.boolValue { return "this is a folder, not a file" }
    if FileManager.default.contents(atPath: file) != nil { return "the file is not text in UTF-8" }
    return "cannot read the file" + (SystemErrorText.of(error).map { ": \($0)" } ?? "")
  }
}
