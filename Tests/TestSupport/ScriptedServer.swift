import Synchronization

/// A ``FaultServer`` that answers one request on each connection, with steps that a test can add
/// while it runs.
package final class ScriptedServer: Sendable {
  /// A step on one connection after its request was read.
  package enum Step: Sendable {
    /// Sends bytes and closes.
    case reply(String)
    /// Sends bytes and then nothing more until the client leaves or the server is stopped.
    case replyAndHang(String)
    /// Sends bytes once a gate is open, and closes.
    case replyAfter(Gate, String)
    /// Closes with a reset.
    case reset

    fileprivate var steps: [FaultScript.Step] {
      switch self {
      case .reply(let text): [.send(Bytes(text)), .close]
      case .replyAndHang(let text): [.send(Bytes(text)), .hang]
      case .replyAfter(let gate, let text): [.pause(until: gate), .send(Bytes(text)), .close]
      case .reset: [.reset]
      }
    }
  }

  private final class Left: Sendable {
    let steps: Mutex<[Step]>

    init(_ steps: [Step]) { self.steps = Mutex(steps) }

    func next() -> Step { steps.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] } }
  }

  private let left: Left
  private let server: FaultServer
  package var port: Int { server.port }

  /// The last step answers all further connections.
  package init(_ steps: [Step]) throws {
    let left = Left(steps)
    self.left = left
    server = try FaultServer(binding: FaultScript { _ in left.next().steps })
  }

  package var url: String { server.url }
  package var requests: [String] { server.requests }

  /// Answers the next connection with this step, before the steps that are left.
  package func answerNext(_ step: Step) { left.steps.withLock { $0.insert(step, at: 0) } }

  package func stop() { server.end() }
}
