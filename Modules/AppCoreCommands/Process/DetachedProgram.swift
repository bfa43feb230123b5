import CMalloc
import Foundation
import Glibc

/// A program that appcore starts for the user, such as a browser, and that may outlive appcore.
enum DetachedProgram {
  /// Starts a program in a process group of its own, without appcore's streams and signal settings.
  ///
  /// Foundation's `Process` passes ignored and blocked signals on: the browser would ignore
  /// SIGPIPE, or SIGTERM could not end it.
  ///
  /// - Parameter onFailure: called if the program cannot be started, or exits with a status other
  ///   than 0.
  static func start(
    _ path: String, _ arguments: [String], onFailure: @escaping @Sendable () -> Void
  ) {
    guard let process = spawn(path, arguments) else { return onFailure() }
    // The program may run as long as appcore, so a thread of its own waits for it.
    Thread.detachNewThread {
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0 {
        guard errno == EINTR else { return }
      }
      if status != 0 { onFailure() }
    }
  }

  private static func spawn(_ path: String, _ arguments: [String]) -> pid_t? {
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
    for number in [SIGPIPE, SIGINT, SIGTERM, SIGHUP] where isOurs(number) {
      sigaddset(&ours, number)
    }
    posix_spawnattr_setsigdefault(&attributes, &ours)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
    for descriptor in STDIN_FILENO...STDERR_FILENO {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    }
    // Close inherited descriptors as well, which appcore did not open.
    _ = appcore_close_from(&actions, STDERR_FILENO + 1)

    var process = pid_t()
    let variables = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    var environment = variables.map { strdup($0) } + [nil]
    defer { for text in words + environment { free(text) } }
    let result = posix_spawn(&process, path, &actions, &attributes, &words, &environment)
    return result == 0 ? process : nil
  }

  /// Returns `false` for a SIGHUP that was ignored at the start, as under nohup: it stays ignored.
  private static func isOurs(_ number: Int32) -> Bool {
    number != SIGHUP || Interruption.handlesHangUp
  }
}
