import Synchronization

/// The content of a line, which the ticker reads while events change it.
final class SharedLine<Content: Sendable>: Sendable {
  let value: Mutex<Content>

  init(_ content: Content) { value = Mutex(content) }
}
