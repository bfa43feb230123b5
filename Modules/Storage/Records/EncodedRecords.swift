/// The encoded records of a page, each with its fingerprint, in one contiguous buffer.
///
/// The readers of pages encode them concurrently, so that the writer only has to write.
package struct EncodedRecords: Sendable {
  /// A record without its values.
  package struct Entry: Sendable {
    /// The provider's identifier.
    package let id: String
    /// The number that is larger in the newer of two versions.
    package let order: Int64?
    /// The reason why the record counts as deleted, if the server says so.
    let deletion: String?
    /// A number that differs if any value differs, and is the same in every process.
    package let fingerprint: Int64
    let parts: ColumnBuffer.Parts
  }

  /// The records, in the order of the page.
  package private(set) var entries: [Entry] = []
  private(set) var buffer = ColumnBuffer()

  /// Creates a value without records.
  package init() {}

  init<Table: RecordTable>(_ records: [Table.Record], of _: Table.Type) {
    entries.reserveCapacity(records.count)
    // By index, because iterating over whole records copies each of them.
    for index in records.indices {
      // Pages are large: the first records show how much room the rest need, so the buffer does not
      // grow by doubling.
      if index == 16 { buffer.reserve(records.count / 16) }
      let parts = buffer.write { Table.write(records[index], to: &$0) }
      entries.append(
        Entry(
          id: records[index].id, order: records[index].order,
          deletion: Table.deletion(of: records[index]),
          fingerprint: buffer.fingerprint(of: parts), parts: parts))
    }
  }

  /// Keeps only the records that a function selects.
  package mutating func keep(where isWanted: (Entry) -> Bool) {
    entries.removeAll { !isWanted($0) }
  }
}
