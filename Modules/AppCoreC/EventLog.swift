import CAppCore
import Foundation
import Logging
import Models
import Presentation

/// The handler of a log whose lines are events, `APPCORE_EVENT_LOG`.
struct EventLogHandler: LogHandler {
  let label: String
  let events: EventQueue
  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]
  var metadataProvider: Logger.MetadataProvider?

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    var all = metadata
    all.merge(metadataProvider?.get() ?? [:]) { $1 }
    all.merge(event.metadata ?? [:]) { $1 }
    if let error = event.error { all["error"] = "\(error)" }
    let document = LogDocument(
      time: Timestamp(Date()), level: event.level.rawValue, label: label,
      message: "\(event.message)", metadata: all.mapValues { "\($0)" })
    events.add(CoreEvent(type: APPCORE_EVENT_LOG, request: 0, json: JSONText.encode(document)))
  }
}

/// The document of `APPCORE_EVENT_LOG`.
struct LogDocument: Encodable {
  let schemaVersion = 1
  let time: Timestamp
  let level: String
  /// The part of the library, such as `appcore.sync`.
  let label: String
  let message: String
  let metadata: [String: String]
}
