import JSONReading
import Testing

@testable import SingerTap

/// A Singer target in memory: it stores what a tap writes as targets of databases do, and knows the
/// last state that goes with what is stored.
struct TapTarget {
  /// A row of a table.
  struct Row {
    var values: JSONObject
    var version: Int64
  }

  /// The stored rows, which remain after the target is killed.
  private(set) var tables: [String: [String: Row]] = [:]
  /// The last state that was emitted; `{}` at first.
  private(set) var state = "{}"
  /// The number of records of the last run.
  private(set) var count = 0
  /// The names of the streams whose other versions were dropped in the last run.
  private(set) var activated: [String] = []
  /// The streams that were written.
  var streams: Set<String> { Set(keys.keys) }
  private var keys: [String: [String]] = [:]
  private var columns: [String: Set<String>] = [:]

  /// Stores what a run has written.
  ///
  /// - Parameter limit: the number of messages after which the target is killed; what came after
  ///   the last state before may be stored or not, as `stores` says.
  mutating func take(_ text: String, until limit: Int? = nil, stores: Bool = true) throws {
    (count, activated) = (0, [])
    let lines = text.split(separator: "\n")
    let stored = self
    for line in lines.prefix(limit ?? lines.count) {
      let message = try JSONValue.object(in: String(line), source: "\(line)")
      let stream = message["stream"]?.word ?? ""
      switch message["type"]?.word {
      case "SCHEMA":
        keys[stream] = message["key_properties"]?.list?.compactMap(\.word)
        let properties = message["schema"]?.object?["properties"]?.object
        columns[stream] = Set(try #require(properties).names)
      case "RECORD": try store(message, in: stream)
      case "STATE": state = try #require(message["value"]).json
      case "ACTIVATE_VERSION":
        activated.append(stream)
        let version = try #require(message["version"]?.integer)
        tables[stream] = tables[stream]?.filter { $0.value.version == version }
      default: Issue.record("no message: \(line)")
      }
    }
    // A batch that is lost: the state has not been emitted then.
    if limit != nil, !stores { self = stored }
  }

  private mutating func store(_ message: JSONObject, in stream: String) throws {
    count += 1
    let record = try #require(message["record"]?.object)
    #expect(Set(record.names) == columns[stream], "\(stream)")
    let key = try #require(keys[stream]).map { record[$0]?.word }
    #expect(!key.contains(nil))
    tables[stream, default: [:]][key.compactMap(\.self).joined(separator: " ")] = Row(
      values: record, version: try #require(message["version"]?.integer))
  }

  mutating func lose(state text: String = "{}") { state = text }
}
