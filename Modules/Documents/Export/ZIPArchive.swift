import Foundation
import Models

/// Writes a ZIP archive (PKWARE's APPNOTE 6.3) without compression: most files of invoices are
/// compressed already.
///
/// The archive is a function of names, days and contents. It has the extensions of zip64 where a
/// size, an offset or the number of files needs them, and takes no more memory for larger files.
struct ZIPArchive {
  /// A file in an archive.
  struct Entry: Sendable {
    /// The path in the archive.
    let name: String
    /// The day of its modification time, at 12:00; `nil` for the first day that the format knows.
    let day: CalendarDate?
    let content: FileContent
    let size: Int
    /// The checksum of the content; `nil` if it was not read yet.
    var checksum: UInt32?
  }

  private let sink: ([UInt8]) throws -> Void
  /// The number of bytes written.
  private var offset = 0
  private var directory: [UInt8] = []

  /// Writes an archive, with the files in the order of their names.
  ///
  /// - Parameters:
  ///   - entries: the files, each with a name of its own.
  ///   - onFile: is called after each file.
  ///   - sink: takes the bytes in order.
  /// - Throws: ``DocumentError/wrongSize(path:expected:found:)`` for an object that changes
  ///   meanwhile; what reading, `onFile` and `sink` throw.
  static func write(
    _ entries: [Entry], onFile: (Entry) throws -> Void = { _ in },
    to sink: ([UInt8]) throws -> Void
  ) throws {
    try withoutActuallyEscaping(sink) { sink in
      var archive = ZIPArchive(sink: sink)
      for entry in entries.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
        try archive.add(entry)
        try onFile(entry)
      }
      try archive.finish(count: entries.count)
    }
  }

  /// Reads a content, and returns its checksum and size.
  static func checksum(of content: FileContent) throws -> (value: UInt32, size: Int) {
    var checksum = CRC32()
    var size = 0
    try content.forEachPiece {
      checksum.update($0)
      size += $0.count
    }
    return (checksum.value, size)
  }

  private init(sink: @escaping ([UInt8]) throws -> Void) { self.sink = sink }

  private mutating func write(_ bytes: [UInt8]) throws {
    try sink(bytes)
    offset += bytes.count
  }

  private mutating func add(_ entry: Entry) throws {
    // The checksum comes before the content, as readers of a stream need it.
    let (checksum, size) =
      if let known = entry.checksum { (known, entry.size) } else {
        try Self.checksum(of: entry.content)
      }
    guard size == entry.size else { throw Self.changed(entry, size) }
    let name = Array(entry.name.utf8)
    let start = offset
    let (isLarge, isFar) = (size >= UInt32.max, start >= UInt32.max)
    var common: [UInt8] = []
    common.appendNumber(UInt16(isLarge || isFar ? 45 : 20))  // the version that is needed
    common.appendNumber(UInt16(0x0800))  // names are in UTF-8
    common.appendNumber(UInt16(0))  // stored
    common.appendNumber(UInt16(12 << 11))  // 12:00
    common.appendNumber(Self.date(entry.day))
    common.appendNumber(checksum)
    for _ in 0..<2 { common.appendNumber(UInt32(clamping: size)) }
    common.appendNumber(UInt16(clamping: name.count))
    let sizes = isLarge ? [size, size] : []
    let extra = Self.extra(sizes)
    try write(Self.mark(3, 4) + common + [UInt8(extra.count), 0] + name + extra)

    var second = CRC32()
    var written = 0
    try entry.content.forEachPiece {
      second.update($0)
      written += $0.count
      guard written <= size else { throw Self.changed(entry, written) }
      try write($0)
    }
    guard written == size, second.value == checksum else {
      throw Self.changed(entry, written)
    }

    let wide = Self.extra(sizes + (isFar ? [start] : []))
    directory += Self.mark(1, 2)
    directory.appendNumber(UInt16(3 << 8 | 45))  // made on Unix
    directory += common + [UInt8(wide.count), 0]
    directory += [UInt8](repeating: 0, count: 6)  // comment, disk, internal attributes
    directory.appendNumber(UInt32(0o100600) << 16)  // the mode
    directory.appendNumber(UInt32(clamping: start))
    directory += name + wide
  }

  private mutating func finish(count: Int) throws {
    let (start, size) = (offset, directory.count)
    try write(directory)
    var end: [UInt8] = []
    if count >= UInt16.max || start >= UInt32.max || size >= UInt32.max {
      end += Self.mark(6, 6)
      end.appendNumber(UInt64(44))  // the size of what follows
      end.appendNumber(UInt16(3 << 8 | 45))
      end.appendNumber(UInt16(45))
      end.appendNumber(UInt64(0))  // disks
      for number in [count, count, size, start] { end.appendNumber(UInt64(number)) }
      end += Self.mark(6, 7)
      end.appendNumber(UInt32(0))
      end.appendNumber(UInt64(offset))
      end.appendNumber(UInt32(1))
    }
    end += Self.mark(5, 6)
    end.appendNumber(UInt32(0))  // disks
    for _ in 0..<2 { end.appendNumber(UInt16(clamping: count)) }
    end.appendNumber(UInt32(clamping: size))
    end.appendNumber(UInt32(clamping: start))
    end.appendNumber(UInt16(0))
    try write(end)
  }

  /// Returns the day in MS-DOS's form, which knows the years 1980 to 2107.
  private static func date(_ day: CalendarDate?) -> UInt16 {
    guard let day, day.year >= 1980 else { return 1 << 5 | 1 }
    guard day.year <= 2107 else { return 127 << 9 | 12 << 5 | 31 }
    return UInt16((day.year - 1980) << 9 | day.month << 5 | day.day)
  }

  private static func mark(_ first: UInt8, _ second: UInt8) -> [UInt8] {
    Array("PK".utf8) + [first, second]
  }

  /// Returns the extra field of zip64; empty without numbers.
  private static func extra(_ numbers: [Int]) -> [UInt8] {
    guard !numbers.isEmpty else { return [] }
    var bytes: [UInt8] = []
    bytes.appendNumber(UInt16(1))
    bytes.appendNumber(UInt16(8 * numbers.count))
    for number in numbers { bytes.appendNumber(UInt64(number)) }
    return bytes
  }

  private static func changed(_ entry: Entry, _ found: Int) -> DocumentError {
    let path = if case .object(let path, _) = entry.content { path } else { entry.name }
    return .wrongSize(path: path, expected: entry.size, found: found)
  }
}

extension [UInt8] {
  /// Appends a number with its lowest byte first.
  fileprivate mutating func appendNumber(_ number: some FixedWidthInteger & UnsignedInteger) {
    for shift in stride(from: 0, to: number.bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}
