/// A raw server on the loopback interface that answers with any given bytes, for answers that
/// well-behaved servers cannot send.
///
/// It ends with the last reference to it, so that a test that fails before its end leaves no thread
/// behind.
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
  }

  private let server: ScriptedListener
  package var port: Int { server.port }

  /// The last step answers all further connections.
  package init(_ steps: [Step]) throws {
    server = try ScriptedListener(steps)
  }

  deinit { stop() }

  package var url: String { "http://127.0.0.1:\(port)" }
  package var requests: [String] { server.requests }

  /// Answers the next connection with this step, before the steps that are left.
  package func answerNext(_ step: Step) { server.answerNext(step) }

  package func stop() { server.stop() }
}
