import JSONReading

/// The rows of a page.
///
/// Values take several times as much memory as their text. So of a large page only the first rows
/// are held, and the others are read again when they are needed.
struct RESTRows {
  /// The number of rows that are held; few servers send more on a page.
  static var heldCount: Int { 1_000 }

  private var held: [JSONValue] = []
  /// The positions of the other rows in the response.
  private var positions: [Int] = []
  /// The reader of the response.
  private var reader: JSONReader
  /// The last row.
  private(set) var last: JSONValue?

  /// Creates the rows of a response, before the first one.
  init(of body: [UInt8] = []) { reader = JSONReader(body) }

  /// The first row.
  var first: JSONValue? { held.first }
  /// Number of rows.
  var count: Int { held.count + positions.count }

  /// Adds a row.
  ///
  /// - Parameter position: the position of the row in the response; `nil` if it has to be held.
  mutating func append(_ row: JSONValue, readableAt position: Int? = nil) {
    last = row
    if let position, held.count >= Self.heldCount {
      positions.append(position)
    } else {
      held.append(row)
    }
  }

  /// Calls a function with each row.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  func readEach(_ body: (JSONValue) -> Void) throws {
    for row in held { body(row) }
    var reader = reader
    for position in positions {
      reader.move(to: position)
      body(try reader.readValue())
    }
  }
}
