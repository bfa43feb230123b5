import Foundation
import Glibc

/// The folders of the program's files, according to the XDG Base Directory Specification.
public struct Directories: Sendable, Equatable {
  /// The configuration file's folder.
  public var configuration: String
  /// The database's folder.
  public var data: String
  /// The folder of locks, request counts and other state.
  public var state: String

  /// Determines the folders from `XDG_*_HOME` and `HOME`; ignores relative values, as the
  /// specification requires.
  public init(environment: [String: String]) {
    let home = Self.home(environment)
    func folder(_ variable: String, _ fallback: String) -> String {
      let base = environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
      return (base ?? home + "/" + fallback) + "/appcore"
    }
    configuration = folder("XDG_CONFIG_HOME", ".config")
    data = folder("XDG_DATA_HOME", ".local/share")
    state = folder("XDG_STATE_HOME", ".local/state")
  }

  /// Puts everything below one folder, for a core that shares nothing with others.
  public init(below folder: String) {
    configuration = folder + "/config"
    data = folder + "/data"
    state = folder + "/state"
  }

  /// The database file, unless the configuration names another.
  public var databasePath: String { data + "/appcore.sqlite" }

  static func home(_ environment: [String: String]) -> String {
    environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? NSHomeDirectory()
  }

  /// Creates a folder that only its owner can enter, and the missing folders above it.
  ///
  /// - Throws: the system's error if it cannot be created.
  static func create(_ path: String) throws {
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }
}
