import AppCore
import JSONReading

/// The streams and columns that a user has selected.
package struct SingerCatalog: Sendable {
  /// The selected streams, each with the columns that are left out.
  let omitted: [SingerStream: Set<String>]

  /// The selected streams, in the order in which they are written.
  var streams: [SingerStream] { SingerStream.allCases.filter { omitted[$0] != nil } }

  /// Creates the catalog that selects what is selected without one.
  package init() {
    omitted = Dictionary(
      uniqueKeysWithValues: SingerStream.allCases.filter { !$0.isPart }.map { ($0, []) })
  }

  /// Reads a catalog.
  ///
  /// - Throws: `ConfigurationError`.
  package init(json text: String, source: String) throws {
    let streams = try JSONValue.object(in: text, source: source)["streams"]?.list
    guard let streams else {
      throw ConfigurationError(source: source, problem: "a catalog has a list 'streams'")
    }
    var omitted: [SingerStream: Set<String>] = [:]
    for entry in streams.compactMap(\.object) {
      let name = entry["tap_stream_id"]?.word ?? entry["stream"]?.word ?? ""
      let marks = Self.marks(of: entry)
      let stream = SingerStream(rawValue: name)
      let isSelected =
        entry["selected"]?.flag ?? marks[[]].flatMap(Self.isSelected)
        ?? stream.map { !$0.isPart } ?? false
      guard isSelected else { continue }
      guard let stream else {
        throw ConfigurationError(
          source: source,
          problem: "unknown stream '\(name)'; available: "
            + SingerStream.allCases.map(\.rawValue).joined(separator: ", "))
      }
      let columns = stream.columns.map(\.name).filter { column in
        guard !stream.automatic.contains(column), let mark = marks[["properties", column]] else {
          return false
        }
        return mark["inclusion"]?.word == "unsupported" || Self.isSelected(mark) == false
      }
      omitted[stream] = Set(columns)
    }
    self.omitted = omitted
  }

  private static func marks(of entry: JSONObject) -> [[String]: JSONObject] {
    let pairs = (entry["metadata"]?.list ?? []).compactMap(\.object).compactMap { mark in
      mark["metadata"]?.object.map { ((mark["breadcrumb"]?.list ?? []).compactMap(\.word), $0) }
    }
    return Dictionary(pairs) { $1 }
  }

  private static func isSelected(_ mark: JSONObject) -> Bool? {
    mark["selected"]?.flag ?? mark["selected-by-default"]?.flag
  }

  /// Returns the catalog of all streams, as `--discover` writes it.
  package static func discovered(_ configuration: SingerConfiguration) -> String {
    func mark(_ path: [String], _ members: JSONObject) -> JSONValue {
      .object(["breadcrumb": .list(path.map(JSONValue.text)), "metadata": .object(members)])
    }
    let streams = SingerStream.allCases.map { stream -> JSONValue in
      let keys = JSONValue.list(stream.keys.map(JSONValue.text))
      let ofStream: JSONObject = [
        "inclusion": .text("available"), "selected-by-default": .bool(!stream.isPart),
        "table-key-properties": keys, "valid-replication-keys": .list([.text("change")]),
        "forced-replication-method": .text("INCREMENTAL"),
      ]
      let ofColumns = stream.columns.map { column in
        mark(
          ["properties", column.name],
          stream.automatic.contains(column.name)
            ? ["inclusion": .text("automatic")]
            : ["inclusion": .text("available"), "selected-by-default": .bool(true)])
      }
      return .object([
        "tap_stream_id": .text(stream.rawValue), "stream": .text(stream.rawValue),
        "schema": stream.schema(configuration.decimals) { _ in true },
        "key_properties": keys, "replication_key": .text("change"),
        "replication_method": .text("INCREMENTAL"),
        "metadata": .list([mark([], ofStream)] + ofColumns),
      ])
    }
    return JSONValue.object(["streams": .list(streams)]).json
  }
}
