/// The certificate and private key with which a sandbox serves HTTPS.
///
/// Any certificate is accepted: a test of a client's certificate check needs a self-signed one, an
/// expired one, or one of another host.
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
