/// A JSON value that keeps the text of a number, written and read without the package's own reader.
indirect enum Node: Sendable, Equatable {
  case null
  case flag(Bool)
  case number(String)
  case text(String)
  case list([Node])
  case object([String: Node])

  /// The member of an object; `nil` if it is absent or this is no object.
  subscript(_ key: String) -> Node? {
    get {
      guard case .object(let members) = self else { return nil }
      return members[key]
    }
    set {
      guard case .object(var members) = self else { return }
      members[key] = newValue
      self = .object(members)
    }
  }

  /// The value at a path of members.
  func at(_ path: String...) -> Node? {
    path.reduce(Node?.some(self)) { node, key in node?[key] }
  }

  var members: [String: Node] { if case .object(let members) = self { members } else { [:] } }
  var elements: [Node] { if case .list(let elements) = self { elements } else { [] } }
  var string: String? { if case .text(let text) = self { text } else { nil } }
  var digits: String? { if case .number(let text) = self { text } else { nil } }
  var isTrue: Bool { self == .flag(true) }

  /// The JSON text, with the members of every object in the order of their names.
  var json: String { json { $0.sorted() } }

  /// The JSON text, with the members of every object in an order of the caller's.
  func json(_ order: ([String]) -> [String]) -> String {
    switch self {
    case .null: "null"
    case .flag(let flag): flag ? "true" : "false"
    case .number(let text): text
    case .text(let text): Self.quoted(text)
    case .list(let elements): "[" + elements.map { $0.json(order) }.joined(separator: ",") + "]"
    case .object(let members):
      "{"
        + order(members.keys.sorted()).map { key in
          Self.quoted(key) + ":" + (members[key] ?? .null).json(order)
        }.joined(separator: ",") + "}"
    }
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\u{0}"..."\u{1F}":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}

extension Node {
  /// An error in a JSON text, at a byte.
  struct Malformed: Error {
    let byte: Int
  }

  /// Reads a JSON text.
  init(json: some Sequence<UInt8>) throws {
    var parser = Parser(bytes: Array(json))
    self = try parser.value()
    try parser.end()
  }

  private struct Parser {
    let bytes: [UInt8]
    var index = 0

    private var byte: UInt8 { index < bytes.count ? bytes[index] : 0 }

    private mutating func skipSpace() {
      while [0x20, 0x0A, 0x0D, 0x09].contains(byte) { index += 1 }
    }

    private mutating func take(_ text: StaticString) throws {
      for offset in 0..<text.utf8CodeUnitCount {
        guard byte == text.utf8Start[offset] else { throw Malformed(byte: index) }
        index += 1
      }
    }

    mutating func end() throws {
      skipSpace()
      guard index == bytes.count else { throw Malformed(byte: index) }
    }

    mutating func value() throws -> Node {
      skipSpace()
      switch byte {
      case UInt8(ascii: "{"): return try object()
      case UInt8(ascii: "["): return try list()
      case UInt8(ascii: "\""): return .text(try text())
      case UInt8(ascii: "t"):
        try take("true")
        return .flag(true)
      case UInt8(ascii: "f"):
        try take("false")
        return .flag(false)
      case UInt8(ascii: "n"):
        try take("null")
        return .null
      default: return try number()
      }
    }

    private mutating func number() throws -> Node {
      let start = index
      while "0123456789+-.eE".utf8.contains(byte) { index += 1 }
      guard index > start else { throw Malformed(byte: index) }
      return .number(String(decoding: bytes[start..<index], as: UTF8.self))
    }

    private mutating func list() throws -> Node {
      try take("[")
      var elements: [Node] = []
      skipSpace()
      while byte != UInt8(ascii: "]") {
        elements.append(try value())
        skipSpace()
        guard byte == UInt8(ascii: ",") else { break }
        index += 1
      }
      try take("]")
      return .list(elements)
    }

    private mutating func object() throws -> Node {
      try take("{")
      var members: [String: Node] = [:]
      skipSpace()
      while byte != UInt8(ascii: "}") {
        skipSpace()
        let key = try text()
        skipSpace()
        try take(":")
        members[key] = try value()
        skipSpace()
        guard byte == UInt8(ascii: ",") else { break }
        index += 1
      }
      try take("}")
      return .object(members)
    }

    private mutating func text() throws -> String {
      try take("\"")
      let start = index
      while byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), index < bytes.count {
        index += 1
      }
      var text = String(decoding: bytes[start..<index], as: UTF8.self)
      var units: [UInt16] = []
      while byte == UInt8(ascii: "\\") {
        index += 1
        switch byte {
        case UInt8(ascii: "n"): units.append(0x0A)
        case UInt8(ascii: "r"): units.append(0x0D)
        case UInt8(ascii: "t"): units.append(0x09)
        case UInt8(ascii: "b"): units.append(0x08)
        case UInt8(ascii: "f"): units.append(0x0C)
        case UInt8(ascii: "u"):
          let digits = String(decoding: bytes[(index + 1)...].prefix(4), as: UTF8.self)
          guard let unit = UInt16(digits, radix: 16) else { throw Malformed(byte: index) }
          units.append(unit)
          index += 4
        default: units.append(UInt16(byte))
        }
        index += 1
        if byte == UInt8(ascii: "\\") { continue }
        text += String(decoding: units, as: UTF16.self)
        units = []
        let start = index
        while byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), index < bytes.count {
          index += 1
        }
        text += String(decoding: bytes[start..<index], as: UTF8.self)
      }
      try take("\"")
      return text
    }
  }
}
