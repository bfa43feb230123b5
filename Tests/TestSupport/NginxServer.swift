import Foundation
import Glibc

/// A private nginx on the loopback interface: a real server to measure against, and one that closes
/// connections and reloads on demand.
package final class NginxServer: Sendable {
  package struct Missing: Error, CustomStringConvertible {
    package let description: String
  }

  package struct Options: Sendable {
    /// TLS, with HTTP/2 on offer, in place of plain HTTP/1.1.
    package var isSecure = false
    /// The number of requests that a connection may carry before it is closed (HTTP/2: a GOAWAY).
    package var keepaliveRequests = 100_000_000
    /// Bytes a second for each response to a path under `/slow/`, where the same files are.
    package var slowRate = 65_536
    /// True for a master with a worker, as ``reload()`` requires; otherwise one process does
    /// everything.
    package var hasMaster = true
    /// True if requests are written to ``accessLog``: number of the connection, protocol, status,
    /// path.
    package var logsRequests = false
    /// The folder with the files, where they are written already.
    package var root: String?

    package init() {}
  }

  /// True if nginx and openssl are installed; with `APPCORE_REQUIRE_KEYRING=1` they have to be.
  package static let isAvailable =
    ProcessInfo.processInfo.environment["APPCORE_REQUIRE_KEYRING"] == "1"
    || (find() != nil && ChildProcess.find("openssl") != nil)

  package let port: Int
  private let options: Options
  private let folder: TemporaryDirectory
  private let process: ChildProcess
  private let guardian: ChildProcess

  package var url: String { "\(options.isSecure ? "https" : "http")://127.0.0.1:\(port)" }
  /// The file (PEM) that a client has to trust.
  package var certificate: String { folder.file("certificate.pem") }
  package var accessLog: String { (try? read("access.log")) ?? "" }
  /// The log of nginx: its starts, reloads and complaints.
  package var log: String { process.errors }

  /// Starts nginx and waits until it answers.
  ///
  /// - Parameter files: what it serves, by name.
  package static func start(
    _ options: Options = Options(), files: [String: String]
  ) async throws -> NginxServer {
    guard let program = find(), let openssl = ChildProcess.find("openssl") else {
      throw Missing(description: "nginx or openssl is not installed")
    }
    let folder = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      atPath: folder.file("files"), withIntermediateDirectories: false)
    for (name, text) in files { _ = try folder.write(text, to: "files/" + name) }
    if options.isSecure { try await makeCertificate(openssl, in: folder) }
    // Another process can take a free port a moment later; nginx then says so and ends.
    for _ in 0..<5 {
      let port = try ClosedPort().port
      let configuration = try folder.write(
        NginxConfiguration(options: options, folder: folder.path, port: port).text,
        to: "nginx.conf")
      let process = try ChildProcess(
        program, ["-e", "stderr", "-p", folder.path, "-c", configuration], environment: [:])
      let server = try NginxServer(port: port, options: options, folder: folder, process: process)
      try await eventually("nginx is ready") { !process.isRunning || server.accepts }
      if process.isRunning { return server }
      guard process.errors.contains("Address already in use") else {
        throw Missing(description: "nginx did not start: \(process.errors)")
      }
    }
    throw Missing(description: "nginx found no free port")
  }

  private init(port: Int, options: Options, folder: TemporaryDirectory, process: ChildProcess)
    throws
  {
    self.port = port
    self.options = options
    self.folder = folder
    self.process = process
    // Ends master and worker, which are a process group, when this process ends in any way.
    guardian = try ChildProcess(
      ChildProcess.find("sh") ?? "/bin/sh",
      ["-c", "read _; kill -9 -- \"-$1\"", "sh", process.processID.description],
      environment: [:], input: Pipe())
    CleanUp.atEnd { await self.stop() }
  }

  deinit { kill(-process.processID, SIGKILL) }

  /// Has the worker replaced: the old one closes what is idle (HTTP/2: a GOAWAY), answers what it
  /// has begun, and ends.
  package func reload() async throws {
    let before = starts
    process.send(SIGHUP)
    try await eventually("nginx has a new worker") { starts > before }
  }

  /// Ends nginx immediately, whatever it is answering.
  package func stop() async {
    kill(-process.processID, SIGKILL)
    _ = await process.ending()
  }

  private var starts: Int { log.components(separatedBy: "start worker process ").count }

  /// nginx writes the process id once it has the port, so no other process accepts the connection.
  private var accepts: Bool {
    guard let text = try? read("nginx.pid"), text.contains("\n") else { return false }
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    address.sin_port = in_port_t(port).bigEndian
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  private func read(_ name: String) throws -> String {
    try String(contentsOfFile: folder.file(name), encoding: .utf8)
  }

  /// Returns the path of nginx, which some distributions install outside a user's path.
  private static func find() -> String? {
    ChildProcess.find("nginx")
      ?? ["/usr/sbin/nginx", "/usr/local/sbin/nginx"].first {
        FileManager.default.isExecutableFile(atPath: $0)
      }
  }

  private static func makeCertificate(_ openssl: String, in folder: TemporaryDirectory) async throws
  {
    let ending = try await ChildProcess(
      openssl,
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1",
        "-keyout", folder.file("key.pem"), "-out", folder.file("certificate.pem"),
      ], environment: [:]
    ).ending()
    guard ending.status == 0 else { throw Missing(description: "openssl: \(ending.errors)") }
  }
}
