import CMalloc
import Foundation
import Glibc

/// A program that is started for the user, such as a browser, and lives as long as it likes.
enum DetachedProgram {
  /// Starts it without our terminal, our streams and our way with signals.
  ///
  /// Foundation's `Process` hands on what is ignored and blocked here: a browser that ignores
  /// SIGPIPE, or that SIGTERM cannot end.
  ///
  /// - Parameter onFailure: called where it cannot be started, or ends with another status than 0.
  static func start(
    _ path: String, _ arguments: [String], onFailure: @escaping @Sendable () -> Void
  ) {
    guard let process = spawn(path, arguments) else { return onFailure() }
    // It may live as long as we do: waiting for it has a thread of its own.
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
    // Also what we were handed by whoever started us, without knowing.
    _ = appcore_close_from(&actions, STDERR_FILENO + 1)

    var process = pid_t()
    let variables = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    var environment = variables.map { strdup($0) } + [nil]
    defer { for text in words + environment { free(text) } }
    let result = posix_spawn(&process, path, &actions, &attributes, &words, &environment)
    return result == 0 ? process : nil
  }

  /// A hang-up that was ignored when we were started, as under nohup, stays ignored.
  private static func isOurs(_ number: Int32) -> Bool {
    number != SIGHUP || Interruption.handlesHangUp
  }
}
