import Crypto
import Foundation
import SwiftASN1
import X509

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

  /// A name and its key.
  private struct Holder {
    let name: DistinguishedName
    let key = P256.Signing.PrivateKey()

    init(_ name: String) throws {
      self.name = try DistinguishedName { CommonName(name) }
    }
  }

  private let folder: TemporaryDirectory
  private let authority: Holder
  /// The authority's certificate, a file for those who are to trust it.
  package let authorityFile: String

  package init() throws {
    folder = try TemporaryDirectory()
    authority = try Holder("Throw-away authority")
    let extensions = try Certificate.Extensions {
      Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
      Critical(KeyUsage(keyCertSign: true))
    }
    let certificate = try Self.pem(
      authority.key.publicKey, authority.name, by: authority, Self.days(-2)..<Self.days(2),
      extensions)
    authorityFile = try folder.write(certificate, to: "authority.pem")
  }

  /// Makes a certificate, and a key of its own.
  package func leaf(_ kind: Kind = .valid) throws -> Leaf {
    let leaf = try Holder("Test server")
    let period =
      switch kind {
      case .expired: Self.days(-2)..<Self.days(-1)
      case .notYetValid: Self.days(1)..<Self.days(2)
      default: Self.days(-1)..<Self.days(1)
      }
    let names: [GeneralName] =
      kind == .forAnotherHost
      ? [.dnsName("elsewhere.example")]
      : [
        .dnsName("localhost"),
        .ipAddress(ASN1OctetString(contentBytes: [127, 0, 0, 1])),
        .ipAddress(ASN1OctetString(contentBytes: [UInt8](repeating: 0, count: 15) + [1])),
      ]
    let extensions = try Certificate.Extensions {
      Critical(BasicConstraints.notCertificateAuthority)
      Critical(KeyUsage(digitalSignature: true))
      try ExtendedKeyUsage([.serverAuth])
      SubjectAlternativeNames(names)
    }
    let issuer =
      switch kind {
      case .selfSigned: leaf
      case .ofUnknownAuthority: try Holder("Somebody")
      default: authority
      }
    return Leaf(
      certificate: try Self.pem(leaf.key.publicKey, leaf.name, by: issuer, period, extensions),
      key: leaf.key.pemRepresentation)
  }

  private static func days(_ count: Double) -> Date { Date(timeIntervalSinceNow: count * 86_400) }

  private static func pem(
    _ key: P256.Signing.PublicKey, _ name: DistinguishedName, by issuer: Holder,
    _ period: Range<Date>, _ extensions: Certificate.Extensions
  ) throws -> String {
    try Certificate(
      version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: .init(key),
      notValidBefore: period.lowerBound, notValidAfter: period.upperBound, issuer: issuer.name,
      subject: name, signatureAlgorithm: .ecdsaWithSHA256, extensions: extensions,
      issuerPrivateKey: .init(issuer.key)
    ).serializeAsPEM().pemString
  }
}
