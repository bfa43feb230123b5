/// The rows of a server, and what people do to them.
package struct ChangingList: Sendable {
  /// A row as the server has it now.
  package struct Row: Sendable, Hashable {
    package let id: String
    package var version: Int64 = 1
    package var total: Int
    /// The amounts of its lines, in their order.
    package var lines: [Int]
    /// The time of its last change, in milliseconds since 1970.
    package var changedAt: Int64
    /// The position in the order of creation.
    package var position: Int
    /// True if the server lists it as deleted.
    package var isDeleted = false
  }

  /// The way in which a server deletes.
  package enum Deletion: Sendable {
    /// The row stays listed, and says so.
    case marks
    /// The row is removed.
    case removes
  }

  /// The time at which the first rows were created.
  package static let epoch: Int64 = 1_700_000_000_000

  private static let mostLines = 4

  package private(set) var rows: [Row] = []
  /// The server's clock, in milliseconds since 1970.
  package private(set) var now = epoch
  private var removed: [Row] = []
  private var made = 0
  private var random: SeededRandom
  private let deletion: Deletion

  package init(seed: UInt64, rows count: Int, deletion: Deletion) {
    random = SeededRandom(seed: seed, part: 1)
    self.deletion = deletion
    // Some lists were imported in one instant, so their rows do not differ in time.
    let isImport = random.chance(30)
    for _ in 0..<count {
      make()
      if !isImport { passTime() }
    }
    now += 5_000
  }

  /// The rows that are there, by identifier.
  package var live: [Row] { rows.filter { !$0.isDeleted } }

  /// Makes one change that a user may make, and lets a little time pass, or none.
  package mutating func change() {
    passTime()
    switch random.below(10) {
    case 0...4: edit()
    case 5, 6: make()
    case 7, 8: delete()
    default: restore()
    }
  }

  private mutating func passTime() {
    switch random.below(20) {
    case 0...9: break
    case 10...14: now += Int64(random.within(1...20))
    case 15...17: now += 400
    default: now += Int64(random.within(1_000...3_000))
    }
  }

  private mutating func make() {
    // Some have none.
    let lines = Array(0..<made % Self.mostLines)
    rows.append(Row(id: "r\(made)", total: made, lines: lines, changedAt: now, position: made))
    made += 1
  }

  private mutating func edit() {
    guard !rows.isEmpty else { return }
    let number = random.below(100_000)
    let kind = random.below(6)
    touch(random.below(rows.count)) { row in
      let line = row.lines.isEmpty ? nil : number % row.lines.count
      switch (kind, line) {
      case (0, let line?): row.lines[line] = number
      case (1, let line?): row.lines.remove(at: line)
      case (2, _) where row.lines.count < Self.mostLines: row.lines.append(number)
      case (3, let line?): (row.total, row.lines[line]) = (number, number)
      case (4, _?): row.lines.reverse()
      default: row.total = number
      }
    }
  }

  private mutating func delete() {
    // An emptied server is for another test, because a sync refuses to delete everything.
    guard live.count > 2 else { return }
    let index = random.below(rows.count)
    switch deletion {
    case .marks: touch(index) { $0.isDeleted = true }
    case .removes: removed.append(rows.remove(at: index))
    }
  }

  private mutating func restore() {
    switch deletion {
    case .marks:
      let deleted = rows.indices.filter { rows[$0].isDeleted }
      guard !deleted.isEmpty else { return }
      touch(random.one(of: deleted)) { $0.isDeleted = false }
    case .removes:
      guard !removed.isEmpty else { return }
      rows.append(removed.remove(at: random.below(removed.count)))
      let isNewest = random.chance(50)
      let position = isNewest ? made : rows[rows.count - 1].position
      touch(rows.count - 1) { $0.position = position }
      if isNewest { made += 1 }
    }
  }

  private mutating func touch(_ index: Int, _ change: (inout Row) -> Void) {
    change(&rows[index])
    rows[index].version += 1
    rows[index].changedAt = now
  }
}
