import Foundation
import Glibc

/// Where the program keeps its files, after the XDG Base Directory Specification.
public struct Directories: Sendable, Equatable {
  /// The configuration file's folder.
  public var configuration: String
  /// The database's folder.
  public var data: String
  /// The locks' folder.
  public var state: String

  /// Finds the folders from `XDG_*_HOME` and `HOME`; a relative value is ignored, as the
  /// specification wants.
  public init(environment: [String: String]) {
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? NSHomeDirectory()
    func folder(_ variable: String, _ fallback: String) -> String {
      let base = environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
      return (base ?? home + "/" + fallback) + "/appcore"
    }
    configuration = folder("XDG_CONFIG_HOME", ".config")
    data = folder("XDG_DATA_HOME", ".local/share")
    state = folder("XDG_STATE_HOME", ".local/state")
  }

  /// Makes a folder that only its owner can enter, with those above it.
  ///
  /// - Throws: the system's error where it cannot be made.
  static func create(_ path: String) throws {
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }
}
