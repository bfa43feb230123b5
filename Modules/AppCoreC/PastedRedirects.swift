import AppCore
import Authentication
import ErrorCodes
import Models
import Presentation
import Synchronization

/// The addresses that a program passes to a sign-in, which reads one after the other.
final class PastedRedirects: Sendable {
  private struct Paste: Sendable {
    let address: String
    let reply: CheckedContinuation<PastedRedirect?, Never>
  }

  private struct State {
    /// True from the page of the sign-in on, until it has its redirect or ends.
    var isExpected = false
    var pastes: [Paste] = []
    /// The sign-in, while it waits for an address.
    var reader: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  /// Accepts addresses from now on; the sign-in reads them soon.
  func expect() {
    state.withLock { $0.isExpected = true }
  }

  /// Passes an address, and waits until the sign-in has read it; `nil` if none expects one.
  func paste(_ address: String) async -> PastedRedirect? {
    await withCheckedContinuation { reply in
      state.withLock { state in
        guard state.isExpected else { return reply.resume(returning: nil) }
        state.pastes.append(Paste(address: address, reply: reply))
        state.reader.take()?.resume()
      }
    }
  }

  /// Reads addresses for a sign-in, until one is accepted or the task is cancelled.
  func read(_ accept: @Sendable (String) -> PastedRedirect) async {
    await withTaskCancellationHandler {
      while let paste = await next() {
        let result = accept(paste.address)
        paste.reply.resume(returning: result)
        if result == .accepted { break }
      }
    } onCancel: {
      close()
    }
    close()
  }

  /// Accepts no further addresses; what was not read gets no reply but `nil`.
  func close() {
    state.withLock { state in
      state.isExpected = false
      for paste in state.pastes { paste.reply.resume(returning: nil) }
      state.pastes = []
      state.reader.take()?.resume()
    }
  }

  /// Waits for an address; returns `nil` once no further ones are accepted.
  private func next() async -> Paste? {
    await withCheckedContinuation { reader in
      state.withLock { state in
        guard state.isExpected, state.pastes.isEmpty else { return reader.resume() }
        state.reader = reader
      }
    }
    return state.withLock { $0.pastes.isEmpty ? nil : $0.pastes.removeFirst() }
  }
}

extension Failure {
  /// - Parameter result: the sign-in's answer; `nil` if none expected an address.
  init?(refusedRedirect result: PastedRedirect?) {
    switch result {
    case .accepted: return nil
    case .notRedirect:
      self.init(
        .notRedirect, "this is not the address the browser ended on",
        "Copy the whole address of the browser's last page; it has code= and state= in it.")
    case .foreign:
      self.init(
        .foreignRedirect, "this address belongs to another sign-in, or its end is missing",
        "Visit the page of this sign-in, and copy the address the browser ends on.")
    case nil: self.init(.noRedirectExpected, "the request waits for no redirect")
    }
  }
}
