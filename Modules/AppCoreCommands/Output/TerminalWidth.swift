import Glibc

/// The width of the terminal.
enum TerminalWidth {
  /// The number of columns of the terminal at standard error; `nil` without one.
  static var ofStandardError: Int? {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}
