import Foundation
import HTTPTypes
import Networking
import Synchronization

/// The messages with which a server rejects requests, each logged once in a run.
final class ServerMessages: Sendable {
  private let log: SyncLog
  private let seen = Mutex<Set<String>>([])

  /// The largest number of messages that one run logs.
  private static let limit = 5

  init(_ log: SyncLog) {
    self.log = log
  }

  /// Logs the message of a response, if its status says that the request itself is wrong.
  func note(_ response: Response) {
    let status = response.head.status.code
    // Others have a meaning of their own, or are the usual answer for a record that is gone.
    guard SyncError.isRejection(status), ![401, 403, 404, 410, 429].contains(status),
      let message = Self.message(in: response.body)
    else { return }
    let isNew = seen.withLock { $0.count < Self.limit && $0.insert(message).inserted }
    if isNew { log.rejected(status: status, message) }
  }

  /// Returns the message in a body of JSON; `nil` if there is none.
  static func message(in body: [UInt8]) -> String? {
    guard let value = try? JSONDecoder().decode(Node.self, from: Data(body)),
      let text = text(in: value, depth: 0)
    else { return nil }
    let words = text.split { $0.isWhitespace || $0.isNewline }.map { word in
      String(isPerhapsSecret(word) ? "…" : word.filter { !$0.isControl })
    }
    let line = words.joined(separator: " ")
    return line.isEmpty ? nil : line.count <= 200 ? line : line.prefix(200) + "…"
  }

  /// A value of JSON, as far as it can hold a message.
  private enum Node: Decodable {
    case text(String)
    case list([Node])
    case object([String: Node])
    case other

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let text = try? container.decode(String.self) {
        self = .text(text)
      } else if let elements = try? container.decode([Node].self) {
        self = .list(elements)
      } else if let members = try? container.decode([String: Node].self) {
        self = .object(members)
      } else {
        self = .other
      }
    }
  }

  private static let keys = [
    "error_description", "error_message", "message", "Message", "detail", "Detail", "description",
    "title", "error", "errors", "Errors",
  ]

  private static func text(in value: Node, depth: Int) -> String? {
    guard depth < 4 else { return nil }
    switch value {
    case .text(let text): return text.isEmpty ? nil : text
    case .list(let elements): return elements.first.flatMap { Self.text(in: $0, depth: depth + 1) }
    case .object(let members):
      return keys.lazy.compactMap { members[$0] }
        .compactMap { Self.text(in: $0, depth: depth + 1) }.first
    case .other: return nil
    }
  }

  /// Returns true for a long word with digits: a server may repeat the token that it received.
  private static func isPerhapsSecret(_ word: Substring) -> Bool {
    word.utf8.count >= 20 && word.contains(where: \.isNumber)
  }
}

extension Character {
  fileprivate var isControl: Bool {
    unicodeScalars.contains { $0.properties.generalCategory == .control }
  }
}
