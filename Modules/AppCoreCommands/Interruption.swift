import Dispatch
import Foundation
import Synchronization

/// SIGINT and SIGTERM as a request to end in order: the first one cancels, what is under way is
/// brought to a safe end, and the exit code tells which signal it was.
final class Interruption: Sendable {
  private struct State {
    var signal: Int32?
    var action: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())
  private let sources = Mutex<[any DispatchSourceSignal]>([])

  init() {
    for number in [SIGINT, SIGTERM] {
      signal(number, SIG_IGN)
      sources.withLock { sources in
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler { [weak self] in self?.receive(number) }
        source.activate()
        sources.append(source)
      }
    }
  }

  /// What to do at the first signal; at once where it has come already.
  func onSignal(_ action: @escaping @Sendable () -> Void) {
    let isPending = state.withLock { state in
      state.action = action
      return state.signal != nil
    }
    if isPending { action() }
  }

  /// 130 or 143 where a signal has come.
  var exitCode: Int32? {
    state.withLock { $0.signal.map { 128 + $0 } }
  }

  private func receive(_ number: Int32) {
    let (isFirst, action) = state.withLock { state in
      let isFirst = state.signal == nil
      if isFirst { state.signal = number }
      return (isFirst, state.action)
    }
    // Who asks twice does not want to wait.
    if !isFirst { _exit(128 + number) }
    action?()
  }
}
