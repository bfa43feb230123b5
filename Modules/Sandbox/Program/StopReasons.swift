import Dispatch
import Foundation
import Glibc

/// The events that stop a server: a signal, or the end of standard input.
struct StopReasons: ~Copyable {
  private let events: AsyncStream<Void>
  private let sources: [any DispatchSourceSignal]

  /// Handles SIGINT and SIGTERM from now on, so that neither is lost while the server starts.
  init(watchesStandardInput: Bool) {
    let (events, continuation) = AsyncStream.makeStream(of: Void.self)
    self.events = events
    sources = [SIGINT, SIGTERM].map { number in
      // The default action would end the process before the source receives the signal.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number)
      source.setEventHandler { continuation.yield() }
      source.resume()
      return source
    }
    if watchesStandardInput, Self.isPipe(STDIN_FILENO) {
      Thread.detachNewThread {
        Self.readToEnd(STDIN_FILENO)
        continuation.yield()
      }
    }
  }

  deinit {
    for source in sources { source.cancel() }
  }

  /// Returns at the first reason to stop.
  borrowing func first() async {
    for await _ in events { return }
  }

  /// Returns true if the descriptor can have another end; a closed one or `/dev/null` has none.
  private static func isPipe(_ descriptor: CInt) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    return [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
  }

  private static func readToEnd(_ descriptor: CInt) {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count == 0 || (count < 0 && errno != EINTR) { return }
    }
  }
}
