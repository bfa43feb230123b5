import AppCore
import JSONReading
import Storage

/// The state of a tap: how far the target has the changes of each stream.
package struct SingerState: Sendable {
  /// The place in a stream.
  struct Bookmark: Sendable, Equatable {
    /// The number of the last commit of which the target has all changes.
    var change: Int64
    /// The version of the table, which each record carries.
    var version: Int64
    /// False until all rows are written; then the target drops those of other versions.
    var isComplete = true
    /// The columns that were left out.
    var omitted: Set<String> = []
  }

  private(set) var bookmarks: [String: Bookmark] = [:]
  /// The identity of the database.
  private var database: String?
  /// The accounts that were written; `nil` for all.
  private var accounts: [String]?
  /// True if the state has something that no state of this tap has, or lacks what each one has.
  private var isUnreadable = false

  /// Creates the state before the first run.
  package init() {}

  /// Reads a state; whatever it lacks has not been written.
  ///
  /// - Throws: `ConfigurationError` if it is no JSON object.
  package init(json text: String, source: String) throws {
    let state = try JSONValue.object(in: text, source: source)
    database = state["database"]?.word
    accounts = state["accounts"]?.list?.compactMap(\.word)
    let bookmarks = state["bookmarks"]?.object ?? JSONObject()
    isUnreadable = state["bookmarks"]?.object == nil && !state.names.isEmpty
    for (name, value) in zip(bookmarks.names, bookmarks.values) {
      guard let bookmark = value.object, let change = bookmark["replication_key_value"]?.integer,
        let version = bookmark["version"]?.integer ?? state["version"]?.integer, change >= 0
      else {
        isUnreadable = true
        continue
      }
      self.bookmarks[name] = Bookmark(
        change: change, version: version, isComplete: bookmark["complete"]?.flag ?? true,
        omitted: Set(bookmark["omitted"]?.list?.compactMap(\.word) ?? []))
    }
  }

  subscript(stream: SingerStream) -> Bookmark? {
    get { bookmarks[stream.rawValue] }
    set { bookmarks[stream.rawValue] = newValue }
  }

  /// The largest version of a table.
  var version: Int64 { bookmarks.values.map(\.version).max() ?? 0 }

  /// Reasons why a run does not go on from a state.
  package enum Refusal: String, Sendable {
    case otherDatabase = "is of another database"
    case otherAccounts = "is of other accounts"
    case laterState = "is of a later state of the database"
    case unreadable = "is not one of this tap, or lacks the version of a table"
  }

  /// Returns the reason why a run does not go on from this state; `nil` if it does, and for an
  /// empty state.
  func refusal(in reader: ChangeReader, accounts: [String]?) -> Refusal? {
    if isUnreadable { return .unreadable }
    if bookmarks.isEmpty { return nil }
    if database != reader.database { return .otherDatabase }
    if self.accounts != accounts { return .otherAccounts }
    return bookmarks.values.contains { $0.change > reader.last } ? .laterState : nil
  }

  /// Returns the state for a database: without bookmarks unless they are of it, of an earlier state
  /// of it, and of the same accounts.
  func valid(in reader: ChangeReader, accounts: [String]?) -> SingerState {
    var state = self
    if refusal(in: reader, accounts: accounts) != nil { state.bookmarks = [:] }
    (state.database, state.accounts) = (reader.database, accounts)
    return state
  }

  /// The message of the state.
  var message: String {
    var marks = JSONObject()
    for (name, bookmark) in bookmarks.sorted(by: { $0.key < $1.key }) {
      var mark: JSONObject = [
        "replication_key": .text("change"), "replication_key_value": .integer(bookmark.change),
        "version": .integer(bookmark.version),
      ]
      if !bookmark.isComplete { mark.append("complete", .bool(false)) }
      if !bookmark.omitted.isEmpty {
        mark.append("omitted", .list(bookmark.omitted.sorted().map(JSONValue.text)))
      }
      marks.append(name, .object(mark))
    }
    var value: JSONObject = ["bookmarks": .object(marks)]
    if let database { value.append("database", .text(database)) }
    if version > 0 { value.append("version", .integer(version)) }
    if let accounts { value.append("accounts", .list(accounts.map(JSONValue.text))) }
    return JSONValue.object(["type": .text("STATE"), "value": .object(value)]).json + "\n"
  }
}
