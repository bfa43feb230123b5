/// The reason why a sandbox did not start.
public enum SandboxError: Error {
  /// A value of the configuration is out of range: change it.
  case invalidConfiguration(option: String, reason: String)
  /// A file of invoices, faults or certificates cannot be used: repair it, or choose another.
  case unreadableFile(path: String, line: Int?, reason: String)
  /// The server cannot listen on the port: choose another, or 0 for any.
  case cannotListen(port: Int, underlying: any Error)
}

extension SandboxError: CustomStringConvertible {
  /// The error and its place, in one line without any secret.
  public var description: String {
    switch self {
    case .invalidConfiguration(let option, let reason):
      "\(option) \(reason)"
    case .unreadableFile(let path, let line?, let reason):
      "\(path), line \(line): \(reason)"
    case .unreadableFile(let path, nil, let reason):
      "\(path): \(reason)"
    case .cannotListen(let port, let underlying):
      // The server's library reports errno in a text only.
      "\(underlying)".contains("Address already in use")
        ? "port \(port) is in use; choose another with --port, or 0 for any"
        : "cannot listen on 127.0.0.1 port \(port): \(underlying)"
    }
  }
}
