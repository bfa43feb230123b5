import Glibc

/// What the process sees to before it opens anything.
enum ProcessStreams {
  /// Ignores SIGPIPE, so that a reader that leaves is an error of `write(2)` and nothing worse, and
  /// fills standard descriptors that were closed: the next file that is opened would else be taken
  /// for them.
  static func prepare() {
    signal(SIGPIPE, SIG_IGN)
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // The wrong way round, so that using it fails as using a closed one does.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
