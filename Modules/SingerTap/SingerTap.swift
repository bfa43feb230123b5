import JSONReading
package import Models
package import Storage

/// A Singer tap: what has changed in the database, as messages for a Singer target.
///
/// A run without a usable state writes all rows under a new version of each table, and tells the
/// target at the end to drop the rows of others (`ACTIVATE_VERSION`), once all of them are stored.
/// Every other run writes what has changed, deletions included, and never says so: a target would
/// take each row that did not change for a deleted one.
package struct SingerTap: Sendable {
  fileprivate let configuration: SingerConfiguration
  fileprivate let accounts: [String]?
  fileprivate let lists: [String: [Resource]]
  fileprivate let catalog: SingerCatalog
  fileprivate let state: SingerState
  fileprivate let time: Timestamp

  /// - Parameters:
  ///   - accounts: the names of the accounts, without groups; `nil` for all that are stored.
  ///   - lists: the lists that the provider of an account has. Until each was once read to its end,
  ///     a target drops nothing.
  ///   - state: the last state that the target has written.
  ///   - time: the time of the run.
  package init(
    _ configuration: SingerConfiguration, accounts: [String]?,
    lists: [String: [Resource]] = [:], _ catalog: SingerCatalog,
    _ state: SingerState, at time: Timestamp
  ) {
    self.configuration = configuration
    self.accounts = accounts?.sorted()
    self.lists = lists
    (self.catalog, self.state, self.time) = (catalog, state, time)
  }

  /// Writes the messages of a run, all rows as of one moment.
  ///
  /// - Parameters:
  ///   - database: the database.
  ///   - body: receives one message or several, each a line. It runs on a thread that it may block.
  /// - Returns: how it ended.
  /// - Throws: `StorageError`, and what `body` throws.
  package func write(
    _ database: LocalDatabase, to body: @escaping @Sendable ([UInt8]) throws -> Void
  ) async throws -> Ending {
    for stream in catalog.streams { try body(Array(schema(of: stream).utf8)) }
    return try await database.readChanges { reader in
      var pass = TapPass(self, reader, to: body)
      for stream in catalog.streams { try pass.write(stream) }
      try body(Array(pass.state.message.utf8))
      return pass.ending
    }
  }

  /// The end of a run: what it has to say besides its messages.
  package struct Ending: Sendable {
    /// The reason why all rows were written in spite of a state; `nil` without one.
    package let refusal: SingerState.Refusal?
    /// A list because of which a target drops no row that did not come.
    package fileprivate(set) var unread: UnreadList?
  }

  private func schema(of stream: SingerStream) -> String {
    let omitted = catalog.omitted[stream] ?? []
    return JSONValue.object([
      "type": .text("SCHEMA"), "stream": .text(stream.rawValue),
      "schema": stream.schema(configuration.decimals) { !omitted.contains($0) },
      "key_properties": .list(stream.keys.map(JSONValue.text)),
      "bookmark_properties": .list([.text("change")]),
    ]).json + "\n"
  }

  /// Returns what `--about` writes: the capabilities and settings, as JSON.
  ///
  /// - Parameter version: the version of the program.
  package static func about(version: String) -> String {
    var settings = JSONObject()
    for key in SingerConfiguration.Key.allCases {
      settings.append(
        key.rawValue,
        .object(["type": .text(key.type), "description": .text(key.description)]))
    }
    let capabilities = ["about", "catalog", "discover", "state", "activate-version"]
    return JSONValue.object([
      "name": .text("tap-appcore"),
      "description": .text("Invoices, contacts and payments of accounting services."),
      "version": .text(version), "capabilities": .list(capabilities.map(JSONValue.text)),
      "settings": .object(["type": .text("object"), "properties": .object(settings)]),
    ]).json
  }
}

/// The streams of one run, all as of one moment.
private struct TapPass {
  private static let rowsPerState = 1_000

  private let tap: SingerTap
  private let reader: ChangeReader
  private let body: ([UInt8]) throws -> Void
  /// The version of the tables whose rows are all written.
  private let version: Int64
  /// The lists that were read so far, once a table needs them.
  private var history: ListHistory?
  private(set) var state: SingerState
  private(set) var ending: SingerTap.Ending

  init(_ tap: SingerTap, _ reader: ChangeReader, to body: @escaping ([UInt8]) throws -> Void) {
    (self.tap, self.reader, self.body) = (tap, reader, body)
    ending = SingerTap.Ending(refusal: tap.state.refusal(in: reader, accounts: tap.accounts))
    state = tap.state.valid(in: reader, accounts: tap.accounts)
    // A version is larger than any before it.
    version = max(tap.time.microsecondsSinceEpoch / 1_000, tap.state.version + 1)
  }

  /// Writes the rows of a stream that the target lacks.
  mutating func write(_ stream: SingerStream) throws {
    let omitted = tap.catalog.omitted[stream] ?? []
    // The rows that the target has lack a column that is selected since.
    let start = state[stream].flatMap { $0.omitted.isSubset(of: omitted) ? $0 : nil }
    var bookmark = start ?? SingerState.Bookmark(change: 0, version: version, isComplete: false)
    bookmark.omitted = omitted
    let rows = SingerRows(
      stream, without: omitted, tap.configuration.decimals, version: bookmark.version, at: tap.time)
    var count = 0
    var text: [UInt8] = []
    _ = try reader.forEach(
      after: start.map { ChangePosition(database: reader.database, change: $0.change) },
      of: [stream.kind], accounts: tap.accounts
    ) { change in
      // The changes of earlier commits are written.
      bookmark.change = max(bookmark.change, change.position.change - 1)
      if count >= Self.rowsPerState {
        state[stream] = bookmark
        text += state.message.utf8
        count = 0
      }
      count += rows.append(change, to: &text)
      if text.count >= 1 << 16 {
        try body(text)
        text.removeAll(keepingCapacity: true)
      }
      return true
    }
    if !bookmark.isComplete, try mayDrop(stream.kind) {
      bookmark.isComplete = true
      text += #"{"type":"ACTIVATE_VERSION","stream":"\#(stream.rawValue)","#.utf8
      text += "\"version\":\(bookmark.version)}\n".utf8
    }
    if !text.isEmpty { try body(text) }
    bookmark.change = reader.last
    state[stream] = bookmark
  }

  /// Returns true if a target may drop the rows that did not come: a list that is not stored whole
  /// must not make it drop what the rest of the list holds.
  private mutating func mayDrop(_ kind: ChangedKind) throws -> Bool {
    let history = try history ?? reader.listHistory()
    self.history = history
    let unread = history.unreadList(kind, accounts: tap.accounts, lists: tap.lists)
    ending.unread = ending.unread ?? unread
    return unread == nil
  }
}
