/// The certificate and private key that a sandbox serves HTTPS with.
///
/// Any certificate does: a self-signed, an expired or another host's one is what a test of a
/// client's certificate check wants.
public struct ServerCertificate: Sendable, Hashable {
  /// The path of the certificate chain, in PEM.
  public var certificateFile: String
  /// The path of the private key, in PEM.
  public var keyFile: String

  /// Creates a reference to two files; they are read when the server starts.
  public init(certificateFile: String, keyFile: String) {
    self.certificateFile = certificateFile
    self.keyFile = keyFile
  }
}
