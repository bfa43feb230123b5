import NIOCore
import Synchronization

/// The open connections and delayed requests of a server, so that all can be ended together.
///
/// Cancelling the server's task does not stop it: a connection that was accepted but not yet passed
/// on would be dropped unfinished, and NIO then ends the process.
final class OpenConnections: Sendable {
  private struct State {
    var isClosing = false
    var channels: [ObjectIdentifier: any Channel] = [:]
    var pauses: [Int: Task<Void, Never>] = [:]
    var pausesBegun = 0
  }

  private let state = Mutex(State())

  var isClosing: Bool { state.withLock { $0.isClosing } }

  func add(_ channel: any Channel) {
    state.withLock { $0.channels[ObjectIdentifier(channel)] = channel }
  }

  func remove(_ channel: any Channel) {
    _ = state.withLock { $0.channels.removeValue(forKey: ObjectIdentifier(channel)) }
  }

  /// Waits, but not beyond ``endPauses()``, nor beyond the server's end, which throws
  /// `CancellationError`.
  func pause(for duration: Duration) async throws {
    let pause = Task<Void, Never> { try? await Task.sleep(for: duration) }
    let number = state.withLock { state -> Int? in
      guard !state.isClosing else { return nil }
      state.pausesBegun += 1
      state.pauses[state.pausesBegun] = pause
      return state.pausesBegun
    }
    guard let number else {
      pause.cancel()
      throw CancellationError()
    }
    defer { _ = state.withLock { $0.pauses.removeValue(forKey: number) } }
    await withTaskCancellationHandler {
      await pause.value
    } onCancel: {
      pause.cancel()
    }
    try Task.checkCancellation()
    guard !isClosing else { throw CancellationError() }
  }

  /// Ends every pause; the delayed requests go on.
  func endPauses() {
    for pause in state.withLock({ Array($0.pauses.values) }) { pause.cancel() }
  }

  /// Ends every pause, closes every connection, and prevents new ones.
  func close() {
    let (channels, pauses) = state.withLock { state in
      state.isClosing = true
      return (Array(state.channels.values), Array(state.pauses.values))
    }
    for pause in pauses { pause.cancel() }
    for channel in channels { channel.close(promise: nil) }
  }
}
