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
  /// The number of keys that may follow one another.
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

  /// Returns the keys up to a position.
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
