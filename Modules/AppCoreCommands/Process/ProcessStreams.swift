import Glibc

/// Setup of the standard streams, before the process opens anything.
enum ProcessStreams {
  /// Ignores SIGPIPE, and opens `/dev/null` in place of closed standard descriptors.
  ///
  /// A reader that leaves then causes only an error of `write(2)`. A descriptor left closed would
  /// go to the next file that is opened, which would then be taken for a standard stream.
  static func prepare() {
    signal(SIGPIPE, SIG_IGN)
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // Open it in the wrong direction, so that using it fails like using a closed descriptor.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
