package import Logging

extension Logger {
  /// Logs nowhere, so that the steps of what is tested do not drown what the tests say.
  package static let silent = Logger(label: "silent", factory: { _ in SwiftLogNoOpLogHandler() })
}
