import Glibc

/// Setup of the standard streams, before the process opens anything.
enum ProcessStreams {
  /// Ignores SIGPIPE, opens `/dev/null` in place of closed standard descriptors, and stops messages
  /// of the dispatch library.
  ///
  /// A reader that leaves then causes only an error of `write(2)`. A descriptor left closed would
  /// go to the next file that is opened, which would then be taken for a standard stream.
  ///
  /// A file that outgrows the user's limit (`ulimit -f`) is such an error too: SIGXFSZ would end
  /// the process, and a login that is being stored with it.
  ///
  /// Only root may raise the priority of a thread. For any other user, the dispatch library logs
  /// each time that it could not: several lines in the journal for each run of a timer.
  static func prepare() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    setenv("LIBDISPATCH_LOG", "NO", 0)
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // Open it in the wrong direction, so that using it fails like using a closed descriptor.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
