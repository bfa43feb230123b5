import CProcess
import Foundation
import Glibc

/// A program that appcore has started.
struct ChildProgram: Sendable {
  /// The descriptors that become the standard streams of a program; one that is `nil` becomes
  /// `/dev/null`.
  struct Streams {
    var input: CInt?
    var output: CInt?
    var errors: CInt?
  }

  let id: pid_t

  /// Starts a program in a process group of its own, without appcore's other descriptors and its
  /// signal settings; returns `nil` if it cannot be started.
  ///
  /// Foundation's `Process` passes ignored and blocked signals on: the program would ignore
  /// SIGPIPE, or SIGTERM could not end it.
  init?(_ path: String, _ arguments: [String], _ streams: Streams = Streams()) {
    var attributes = posix_spawnattr_t()
    var actions = posix_spawn_file_actions_t()
    guard posix_spawnattr_init(&attributes) == 0 else { return nil }
    defer { posix_spawnattr_destroy(&attributes) }
    guard posix_spawn_file_actions_init(&actions) == 0 else { return nil }
    defer { posix_spawn_file_actions_destroy(&actions) }

    var none = sigset_t()
    var ours = sigset_t()
    sigemptyset(&none)
    sigemptyset(&ours)
    for number in [SIGPIPE, SIGXFSZ, SIGINT, SIGTERM, SIGHUP] where Self.isOurs(number) {
      sigaddset(&ours, number)
    }
    posix_spawnattr_setsigdefault(&attributes, &ours)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
    for (target, source) in [
      (STDIN_FILENO, streams.input), (STDOUT_FILENO, streams.output),
      (STDERR_FILENO, streams.errors),
    ] {
      if let source {
        posix_spawn_file_actions_adddup2(&actions, source, target)
      } else {
        posix_spawn_file_actions_addopen(&actions, target, "/dev/null", O_RDWR, 0)
      }
    }
    // Close inherited descriptors as well, which appcore did not open.
    _ = appcore_close_from(&actions, STDERR_FILENO + 1)

    var process = pid_t()
    let variables = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    var environment = variables.map { strdup($0) } + [nil]
    defer { for text in words + environment { free(text) } }
    let result = posix_spawn(&process, path, &actions, &attributes, &words, &environment)
    guard result == 0 else { return nil }
    id = process
  }

  /// Waits for the end, blocking the thread, and returns the status of `waitpid(2)`; call it once.
  func awaitEnd() -> CInt? {
    var status: CInt = 0
    while waitpid(id, &status, 0) < 0 {
      guard errno == EINTR else { return nil }
    }
    return status
  }

  /// Returns `false` for a SIGHUP that was ignored at the start, as under nohup: it stays ignored.
  private static func isOurs(_ number: CInt) -> Bool {
    number != SIGHUP || Interruption.handlesHangUp
  }
}

/// A program that appcore starts for the user, such as a browser, and that may outlive appcore.
enum DetachedProgram {
  /// Starts a program without appcore's streams.
  ///
  /// - Parameter onFailure: called if the program cannot be started, or exits with a status other
  ///   than 0.
  static func start(
    _ path: String, _ arguments: [String], onFailure: @escaping @Sendable () -> Void
  ) {
    guard let program = ChildProgram(path, arguments) else { return onFailure() }
    // The program may run as long as appcore, so a thread of its own waits for it.
    Thread.detachNewThread {
      if let status = program.awaitEnd(), status != 0 { onFailure() }
    }
  }
}
