import Glibc

/// The signals that the threads of this package leave to the program's own threads.
package enum BlockedSignals {
  /// Runs work that may start threads with all signals blocked, because a thread inherits the mask
  /// of the one that starts it.
  ///
  /// A signal to the process then reaches a thread of the program, or a signalfd(2) of it. Those
  /// that report an error of the thread itself stay as they are: if blocked, they end the process
  /// without its handler. So does SIGPROF, with which profilers and backtraces reach each thread.
  package static func whileStartingThreads<Value, Failure: Error>(
    _ work: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    var (blocked, earlier) = (sigset_t(), sigset_t())
    sigfillset(&blocked)
    for signal in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT, SIGPROF] {
      sigdelset(&blocked, signal)
    }
    pthread_sigmask(SIG_BLOCK, &blocked, &earlier)
    defer { pthread_sigmask(SIG_SETMASK, &earlier, nil) }
    return try work()
  }
}
