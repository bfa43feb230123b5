/// A key of an object as it stands in the text; its string is created only when needed.
///
/// It is compared with the keys that a reader knows: `switch key { case "Total": … }`.
public struct JSONKey: Sendable, CustomStringConvertible {
  // The bytes of the key, if there are at most 24, as in most keys. They are copied, because a
  // reference to the surrounding text costs as much as ten comparisons.

  /// The first eight bytes, with zeros at the end.
  @usableFromInline let head: UInt64
  /// The eight bytes after them, with zeros at the end.
  @usableFromInline let middle: UInt64
  /// The last eight bytes; ``head`` if there are fewer.
  @usableFromInline let tail: UInt64
  /// The number of bytes; -1 if the key is in ``text``.
  @usableFromInline let count: Int
  /// The key as a string, if it is longer, was written with escapes, or is not only ASCII.
  private let text: String?

  private static let capacity = 24

  init(_ text: String) {
    self.text = text
    (head, middle, tail, count) = (0, 0, 0, -1)
  }

  /// Creates a key from ASCII that was written without escapes.
  init(ascii text: Span<UInt8>, _ range: Range<Int>) {
    guard range.count <= Self.capacity else {
      self = JSONKey(String(decoding: range.map { text[$0] }, as: UTF8.self))
      return
    }
    (head, middle, tail) = Self.words(of: text, range)
    count = range.count
    self.text = nil
  }

  /// The key's text.
  public var description: String {
    if let text { return text }
    return String(unsafeUninitializedCapacity: count) { buffer in
      for index in 0..<count { buffer[index] = byte(at: index) }
      return count
    }
  }

  /// Returns true if the key is one that a reader knows.
  ///
  /// Each key is compared with all earlier keys in a reader's list, so this is inlined: what is
  /// left of it are comparisons of a few numbers, which the compiler computes from the known key.
  @inlinable
  @inline(__always)
  public static func ~= (known: StaticString, key: JSONKey) -> Bool {
    let count = known.utf8CodeUnitCount
    guard count == key.count else { return key.count < 0 && key.isText(known) }
    let bytes = UnsafeRawPointer(known.utf8Start)
    func word(_ offset: Int) -> UInt64 {
      UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    func half(_ offset: Int) -> UInt32 {
      UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
    func byte(_ offset: Int) -> UInt8 { bytes.load(fromByteOffset: offset, as: UInt8.self) }
    func isSame(_ offset: Int) -> Bool {
      byte(offset) == UInt8(truncatingIfNeeded: key.head >> UInt64(8 * offset))
    }
    if count >= 8 {
      return word(0) == key.head && word(count - 8) == key.tail
        && (count <= 16 || word(8) == key.middle)
    }
    if count >= 4 {
      return half(0) == UInt32(truncatingIfNeeded: key.head)
        && half(count - 4) == UInt32(truncatingIfNeeded: key.head >> UInt64(8 * (count - 4)))
    }
    return count == 0 || isSame(0) && isSame(count / 2) && isSame(count - 1)
  }

  /// Returns true if the key is one that a reader knows.
  public static func == (key: JSONKey, known: String) -> Bool { key.description == known }

  /// Returns true if both stand in the text in the same way.
  @inline(__always)
  func isSame(as other: JSONKey) -> Bool {
    guard head == other.head, tail == other.tail, middle == other.middle, count == other.count
    else { return false }
    if count >= 0 { return true }
    guard let text, let otherText = other.text else { return false }
    return text.utf8.elementsEqual(otherText.utf8)
  }

  /// A hash by which keys are compared: two different keys have the same one by accident as rarely
  /// as two random numbers.
  var hash: UInt64 {
    guard let text else { return Self.hash(head, middle, tail, count: count) }
    let bytes = text.utf8.span
    // A key has the same hash whether it was written with escapes or without.
    if bytes.count <= Self.capacity {
      let (head, middle, tail) = Self.words(of: bytes, 0..<bytes.count)
      return Self.hash(head, middle, tail, count: bytes.count)
    }
    var hash = Self.mix(0, UInt64(bytes.count))
    for start in stride(from: 0, to: bytes.count, by: 8) {
      hash = Self.mix(hash, Self.word(of: bytes, start..<bytes.count))
    }
    return hash
  }

  @usableFromInline func isText(_ known: StaticString) -> Bool { text == "\(known)" }

  private func byte(at index: Int) -> UInt8 {
    let (word, place) =
      index < 8 ? (head, index) : index < 16 ? (middle, index - 8) : (tail, index - count + 8)
    return UInt8(truncatingIfNeeded: word >> UInt64(8 * place))
  }

  private static func words(
    of text: Span<UInt8>, _ range: Range<Int>
  ) -> (head: UInt64, middle: UInt64, tail: UInt64) {
    let (start, end) = (range.lowerBound, range.upperBound)
    let head = word(of: text, range)
    guard range.count > 8 else { return (head, 0, head) }
    return (head, word(of: text, start + 8..<end), word(of: text, end - 8..<end))
  }

  /// Returns the first eight bytes of a range as a word, with zeros if there are fewer.
  private static func word(of text: Span<UInt8>, _ range: Range<Int>) -> UInt64 {
    let start = range.lowerBound
    if start + 8 <= text.count {
      // In bounds, because eight bytes follow; those after the range are cut off.
      let word = text.bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self)
      let unused = UInt64(8 * max(0, 8 - range.count))
      return UInt64(littleEndian: word) & (UInt64.max >> unused)
    }
    var word: UInt64 = 0
    for index in range { word |= UInt64(text[index]) << UInt64(8 * (index - start)) }
    return word
  }

  private static func hash(
    _ head: UInt64, _ middle: UInt64, _ tail: UInt64, count: Int
  ) -> UInt64 {
    let hash = mix(mix(0, UInt64(count)), head)
    return count <= 8 ? hash : mix(mix(hash, middle), tail)
  }

  /// Mixes a word into a hash: a multiplication by an odd number, and a shift, lose nothing.
  private static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    let product = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
    return product ^ (product >> 32)
  }
}

/// The keys of the objects that were read, as a tree: a path from its root is the keys of an
/// object.
///
/// The objects of a list have the same keys in the same order, so nearly every key is the one that
/// followed last time. It is then compared as it stands in the text: no string is created, and a
/// duplicate need not be looked for.
struct JSONKeyTree: Sendable {
  /// The position of an object whose keys were read up to a point.
  struct Position {
    fileprivate var node = 0
    /// The number of keys up to this point.
    fileprivate(set) var count = 0
  }

  private struct Node: Sendable {
    let key: JSONKey
    let name: String
    let parent: Int
    /// The nodes that follow, the one that followed last time first.
    var next: [Int] = []
    /// The keys up to this one, once an object ended here.
    var keys: JSONKeys?
    /// The number of keys of the last object that came through here.
    var usualCount = 0
  }

  /// The number of nodes after which no more are added: a server may use identifiers as keys.
  private static let limit = 4_096
  private static let nextLimit = 16

  private var nodes = [Node(key: JSONKey(""), name: "", parent: 0)]

  /// Follows a key.
  ///
  /// - Returns: `false` if the tree does not have the key there and it cannot be added, because the
  ///   object has it already, or because the tree is full.
  mutating func follow(_ key: JSONKey, from position: inout Position) -> Bool {
    for index in nodes[position.node].next.indices {
      let node = nodes[position.node].next[index]
      guard nodes[node].key.isSame(as: key) else { continue }
      if index > 0 { nodes[position.node].next.swapAt(0, index) }
      position.node = node
      position.count += 1
      return true
    }
    let name = key.description
    guard nodes.count < Self.limit, nodes[position.node].next.count < Self.nextLimit,
      // By bytes, as the keys of any object: two normal forms of a letter are two keys.
      !names(at: position).contains(where: { $0.utf8.elementsEqual(name.utf8) })
    else { return false }
    nodes[position.node].next.insert(nodes.count, at: 0)
    nodes.append(Node(key: key, name: name, parent: position.node))
    position.node = nodes.count - 1
    position.count += 1
    return true
  }

  /// The number of keys that an object with these first ones usually has.
  func usualCount(at position: Position) -> Int { nodes[position.node].usualCount }

  /// Returns the keys of an object that ends at a position.
  ///
  /// - Parameter first: the position after its first key.
  mutating func keys(at position: Position, first: Position) -> JSONKeys {
    nodes[first.node].usualCount = position.count
    if let keys = nodes[position.node].keys { return keys }
    let keys = JSONKeys(names(at: position))
    nodes[position.node].keys = keys
    return keys
  }

  func names(at position: Position) -> [String] {
    var names: [String] = []
    var node = position.node
    while node != 0 {
      names.append(nodes[node].name)
      node = nodes[node].parent
    }
    return names.reversed()
  }
}

/// The keys of the open objects, by their hashes, to detect duplicate keys.
///
/// Two keys with the same 64-bit hash count as one. That does not happen by accident, and a server
/// that causes it on purpose only has its own page refused.
struct DuplicateKeyDetector {
  /// The state of an outer object while an inner one is read.
  struct Object {
    fileprivate var start = 0
    /// A bit for each key, chosen by six bits of its hash.
    ///
    /// A clear bit proves that a key is new.
    fileprivate var seen: UInt64 = 0
    fileprivate var many: Set<UInt64>?
  }

  /// The number of keys beyond which an object uses a table; comparing with fewer keys is faster.
  private static let few = 48

  private var hashes: [UInt64] = []
  private var object = Object()

  /// Begins an object; returns the outer one.
  mutating func enter() -> Object {
    defer { object = Object(start: hashes.count) }
    return object
  }

  mutating func leave(to outer: Object) {
    hashes.removeLast(hashes.count - object.start)
    object = outer
  }

  /// A position to which the detector can return if an object is left in its middle.
  struct Mark {
    fileprivate let count: Int
    fileprivate let object: Object
  }

  var mark: Mark { Mark(count: hashes.count, object: object) }

  mutating func rewind(to mark: Mark) {
    hashes.removeLast(hashes.count - mark.count)
    object = mark.object
  }

  /// Adds a key; returns `false` if the object already has it.
  mutating func insert(_ hash: UInt64) -> Bool {
    if object.many != nil { return object.many?.insert(hash).inserted == true }
    let bit: UInt64 = 1 << (hash & 63)
    if object.seen & bit != 0 {
      for index in object.start..<hashes.count where hashes[index] == hash { return false }
    }
    object.seen |= bit
    hashes.append(hash)
    if hashes.count - object.start > Self.few { object.many = Set(hashes[object.start...]) }
    return true
  }
}
