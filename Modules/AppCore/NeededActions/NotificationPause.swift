import Foundation
package import SystemSupport

/// The pause between two equal notifications of what the user has to do: a day.
///
/// It lasts beyond the process, in a file of the state folder that all front ends share. So a check
/// every hour shows the same need once a day, and a new need immediately.
public struct NotificationPause: Sendable {
  private static let length: TimeInterval = 24 * 60 * 60

  private let folder: String
  private let time: TimeSource

  /// Creates the pause of a user.
  ///
  /// - Parameter directories: the folders of the core.
  public init(directories: Directories) {
    self.init(directories: directories, time: .system)
  }

  /// Creates the pause with the clock of a test or a command.
  package init(directories: Directories, time: TimeSource) {
    (folder, self.time) = (directories.state, time)
  }

  /// Returns `true` if this text was not shown within the last day, or another one was shown since.
  ///
  /// - Throws: the system's error if the time of the last notification cannot be read.
  public func permits(_ text: String) throws -> Bool {
    guard FileManager.default.contents(atPath: path) == Data(text.utf8) else { return true }
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    guard let shown = attributes[.modificationDate] as? Date else { return true }
    // A clock that was set back must not silence notifications.
    return !(0..<Self.length).contains(time.wall().timeIntervalSince(shown))
  }

  /// Begins the pause: call it once the user has been shown the text.
  ///
  /// - Throws: the system's error if the file cannot be written.
  public func begin(with text: String) throws {
    try Directories.create(folder)
    try AtomicFile.replace(path, with: Data(text.utf8), isDurable: false)
  }

  /// Ends the pause: call it if nothing is needed of the user, so that the next need is shown even
  /// if it equals the last.
  ///
  /// - Throws: the system's error if the file cannot be removed.
  public func end() throws {
    guard FileManager.default.fileExists(atPath: path) else { return }
    try FileManager.default.removeItem(atPath: path)
  }

  // The last notification and, as its time of change, when it was shown.
  private var path: String { folder + "/notified" }
}
