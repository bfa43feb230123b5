import Foundation
import Glibc

/// An authority that was made up for a test, and certificates of it, good and bad.
package final class TestCertificates: Sendable {
  /// The defect of a certificate.
  package enum Kind: String, CaseIterable, Sendable {
    /// Nothing: it is for `127.0.0.1`, `::1` and `localhost`.
    case valid
    case expired
    case notYetValid
    case forAnotherHost
    case selfSigned
    case ofUnknownAuthority
  }

  /// A certificate and its key, both as PEM.
  package struct Leaf: Sendable {
    package let certificate: String
    package let key: String
  }

  /// The program `openssl` is missing or failed.
  private struct Failure: Error { let command: String }

  private let folder: TemporaryDirectory
  /// The authority's certificate, a file for those who are to trust it.
  package let authorityFile: String

  package init() throws {
    folder = try TemporaryDirectory()
    authorityFile = folder.file("authority.pem")
    _ = try folder.write(
      """
      [ca]
      default_ca = authority
      [authority]
      database = \(folder.file("index"))
      serial = \(folder.file("serial"))
      new_certs_dir = \(folder.file("."))
      default_md = sha256
      policy = policy
      unique_subject = no
      [policy]
      commonName = supplied
      [req]
      distinguished_name = name
      prompt = no
      [name]
      commonName = Test
      """, to: "settings")
    _ = try folder.write("", to: "index")
    try makeAuthority("authority")
  }

  /// Makes a certificate, and a key of its own.
  package func leaf(_ kind: Kind = .valid) throws -> Leaf {
    let name = UUID().uuidString
    let period =
      switch kind {
      case .expired: (-2.0, -1.0)
      case .notYetValid: (1.0, 2.0)
      default: (-1.0, 1.0)
      }
    let hosts =
      kind == .forAnotherHost ? "DNS:elsewhere.example" : "DNS:localhost, IP:127.0.0.1, IP:::1"
    _ = try folder.write(
      """
      basicConstraints = critical, CA:FALSE
      keyUsage = critical, digitalSignature
      extendedKeyUsage = serverAuth
      subjectAltName = \(hosts)
      """, to: "\(name).extensions")
    try request(name, "Test server")
    let signer: String
    switch kind {
    case .selfSigned: signer = "-selfsign -keyfile \(name).key"
    case .ofUnknownAuthority:
      try makeAuthority("somebody")
      signer = "-keyfile somebody.key -cert somebody.pem"
    default: signer = "-keyfile authority.key -cert authority.pem"
    }
    try sign(name, signer, days: period)
    return Leaf(
      certificate: try String(contentsOfFile: folder.file("\(name).pem"), encoding: .utf8),
      key: try String(contentsOfFile: folder.file("\(name).key"), encoding: .utf8))
  }

  private func makeAuthority(_ name: String) throws {
    _ = try folder.write(
      """
      basicConstraints = critical, CA:TRUE, pathlen:0
      keyUsage = critical, keyCertSign
      """, to: "\(name).extensions")
    try request(name, "Throw-away \(name)")
    try sign(name, "-selfsign -keyfile \(name).key", days: (-2, 2))
  }

  /// Makes a key, and a request to sign it.
  private func request(_ name: String, _ commonName: String) throws {
    try openssl(
      "req -new -config settings -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -noenc"
        + " -subj '/CN=\(commonName)' -keyout \(name).key -out \(name).request")
  }

  private func sign(_ name: String, _ signer: String, days: (Double, Double)) throws {
    try openssl(
      "ca -batch -notext -create_serial -config settings \(signer) -in \(name).request"
        + " -extfile \(name).extensions -startdate \(Self.time(days.0))"
        + " -enddate \(Self.time(days.1)) -out \(name).pem")
  }

  /// Returns a time that many days from now, as `openssl` reads it.
  private static func time(_ days: Double) -> String {
    Date(timeIntervalSinceNow: days * 86_400)
      .formatted(.iso8601.dateSeparator(.omitted).timeSeparator(.omitted))
      .replacing("T", with: "")
  }

  /// Runs a command in the folder.
  private func openssl(_ arguments: String) throws {
    // One at a time, because all of them write the index. Not with Foundation's `Process`, which
    // fails if more than a thousand files are open.
    let command = "cd '\(folder.file("."))' && flock lock openssl \(arguments) 2>>errors"
    guard system(command) == 0 else {
      throw Failure(command: arguments)
    }
  }
}
