/// The records of a page as they are stored, each with its fingerprint, in one piece of memory.
///
/// Pages are encoded concurrently where they are read, so that the writer only has to write.
package struct EncodedRecords: Sendable {
  /// A record without its values.
  package struct Entry: Sendable {
    /// The provider's identifier.
    package let id: String
    /// The number that is larger in the newer of two versions.
    package let order: Int64?
    /// The reason for which it counts as deleted, where the server says so.
    let deletion: String?
    /// A number that differs where any value does, and is the same in every process.
    package let fingerprint: Int64
    let parts: ColumnBuffer.Parts
    /// Its place among what is found.
    let searchOrder: Int64
  }

  /// The records, in the order of the page.
  package private(set) var entries: [Entry] = []
  private(set) var buffer = ColumnBuffer()

  /// No records.
  package init() {}

  init<Table: RecordTable>(_ records: [Table.Record], of _: Table.Type) {
    entries.reserveCapacity(records.count)
    // By their positions: to iterate over whole records copies each.
    for index in records.indices {
      // Pages are large: the first records tell how much the rest need, without growing by
      // doubling.
      if index == 16 { buffer.reserve(records.count / 16) }
      let parts = buffer.write(
        record: { Table.write(records[index], to: &$0) },
        words: { Table.writeWords(of: records[index], to: &$0) })
      entries.append(
        Entry(
          id: records[index].id, order: records[index].order,
          deletion: Table.deletion(of: records[index]),
          fingerprint: buffer.fingerprint(of: parts), parts: parts,
          searchOrder: Table.searchOrder(of: records[index])))
    }
  }

  /// Leaves out what is not wanted.
  package mutating func keep(where isWanted: (Entry) -> Bool) {
    entries.removeAll { !isWanted($0) }
  }
}
