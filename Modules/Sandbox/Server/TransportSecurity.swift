import NIOSSL

/// The layer below HTTP.
enum TransportSecurity: Sendable {
  case none
  case tls(TLSConfiguration)

  /// Reads the files of a certificate; blocks while it does.
  ///
  /// - Throws: ``SandboxError/unreadableFile(path:line:reason:)``.
  init(_ certificate: ServerCertificate) throws {
    let chain = try Self.reading(certificate.certificateFile) { path in
      try NIOSSLCertificate.fromPEMFile(path)
    }
    let key = try Self.reading(certificate.keyFile) { path in
      try NIOSSLPrivateKey(file: path, format: .pem)
    }
    self = .tls(
      .makeServerConfiguration(
        certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key)))
  }

  private static func reading<Value>(
    _ path: String, _ read: (String) throws -> Value
  ) throws -> Value {
    do {
      return try read(path)
    } catch {
      throw SandboxError.unreadableFile(
        path: path, line: nil, reason: "the PEM file cannot be read (\(error))")
    }
  }
}
