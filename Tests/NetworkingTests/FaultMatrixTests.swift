import Foundation
import HTTPTypes
import Networking
import TestSupport
import Testing

/// The error that a caller gets for every fault of a server; edge case 56.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct FaultMatrixTests {
  @Test("every fault has the error that describes it", arguments: WireFault.allCases)
  func faults(fault: WireFault) async throws {
    let server = try await FaultServer(fault)
    let found = try await outcome(at: server) { $0.bound(fault) }
    #expect(fault.outcomes.contains(found), "\(found)")
  }

  @Test("over TLS every fault has the same error", arguments: WireFault.allCases)
  func faultsOverTLS(fault: WireFault) async throws {
    let certificates = try TestCertificates()
    let server = try await FaultServer(fault, tls: .init(try certificates.leaf()))
    let found = try await outcome(at: server) {
      $0.bound(fault)
      $0.extraCACertificates = [certificates.authorityFile]
    }
    #expect(fault.outcomes.contains(found), "\(found)")
  }

  @Test(
    "only a good certificate of a trusted authority is trusted",
    arguments: TestCertificates.Kind.allCases)
  func certificates(kind: TestCertificates.Kind) async throws {
    let certificates = try TestCertificates()
    let server = try await FaultServer(FaultScript(), tls: .init(try certificates.leaf(kind)))
    let found = try await outcome(at: server) {
      $0.extraCACertificates = [certificates.authorityFile]
    }
    #expect(found == (kind == .valid ? "200" : "untrustedServer"))
    #expect(server.requests.count == (kind == .valid ? 1 : 0))
  }

  @Test("an authority is trusted by the session that names it alone")
  func untrustedAuthority() async throws {
    let server = try await FaultServer(
      FaultScript(), tls: .init(try TestCertificates().leaf()))
    #expect(try await outcome(at: server) { _ in } == "untrustedServer")
  }

  @Test(
    "a server that knows only older versions of TLS than the session's is refused",
    arguments: [
      (FaultServer.TLS.Version.tls11, SessionConfiguration.TLSVersion.tls12, "untrustedServer"),
      (.tls12, .tls13, "untrustedServer"), (.tls12, .tls12, "200"),
    ])
  func minimumTLS(
    known: FaultServer.TLS.Version, wanted: SessionConfiguration.TLSVersion, expected: String
  ) async throws {
    let certificates = try TestCertificates()
    let server = try await FaultServer(
      FaultScript(), tls: .init(try certificates.leaf(), maximum: known))
    let found = try await outcome(at: server) {
      $0.extraCACertificates = [certificates.authorityFile]
      $0.minimumTLSVersion = wanted
    }
    #expect(found == expected)
  }

  @Test("a TLS failure after the handshake is a lost connection, not an untrusted server")
  func brokenTLS() async throws {
    let certificates = try TestCertificates()
    let garbage = Bytes([0x17, 3, 3, 0, 32] + [UInt8](repeating: 0xAA, count: 32))
    for head in ["", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfour"] {
      let server = try await FaultServer(
        FaultScript(otherwise: [.send(Bytes(head)), .sendBelowTLS(garbage), .hang]),
        tls: .init(try certificates.leaf()))
      let found = try await outcome(at: server) {
        $0.extraCACertificates = [certificates.authorityFile]
      }
      #expect(found == "connectionLost")
      // So is that of a request whose body is carried piece by piece.
      var configuration = SessionConfiguration()
      configuration.retry.attempts = 1
      configuration.extraCACertificates = [certificates.authorityFile]
      let session = Session(name: "faults", configuration: configuration)
      let request = try Request(
        method: .post, url: try #require(URL(string: server.url)),
        body: [UInt8](repeating: 0, count: 1 << 20))
      #expect(await outcome { try await session.send(request) } == "connectionLost")
    }
  }

  @Test("a redirect from https to http is not followed")
  func cleartextRedirect() async throws {
    let certificates = try TestCertificates()
    let target = try await FaultServer(FaultScript())
    let server = try await FaultServer(
      FaultScript(otherwise: [
        .response("302 Found", fields: ["Location: \(target.url)/"])
      ]), tls: .init(try certificates.leaf()))
    let found = try await outcome(at: server) {
      $0.extraCACertificates = [certificates.authorityFile]
    }
    #expect(found == "redirectRefused" && target.acceptedConnections == 0)
  }

  // A process of its own: the memory of this one is that of all tests.
  @Test("a response without an end, or of hidden size, takes little memory")
  func memory() async {
    await #expect(processExitsWith: .success) {
      let good = try await FaultServer(FaultScript())
      _ = try await outcome(at: good) { _ in }
      let faults: [WireFault] = [
        .gzipBomb, .endlessBody, .endlessChunks, .overlongHeader, .endlessHeaders,
        .endlessChunkExtension, .endlessInformational,
      ]
      for fault in faults {
        let server = try await FaultServer(fault)
        let before = try ResidentMemory.startPeak()
        _ = try await outcome(at: server) {
          $0.bound(fault)
          $0.maximumResponseSize = 16 << 20
        }
        let growth = try ResidentMemory.peak() - before
        #expect(growth <= 64 << 20, "\(fault.name) took \(growth >> 20) MiB")
      }
    }
  }
}

extension WireFault {
  /// The outcomes that are right; several if more than one is.
  fileprivate var outcomes: Set<String> {
    switch self {
    case .connectHangs, .handshakeHangs: ["timedOut(connect)"]
    case .cleartextOnTLSPort: ["untrustedServer"]
    case .noHead, .stalledHead, .stalledBody: ["timedOut(idle)"]
    case .slowHead, .slowBody: ["timedOut(request)"]
    case .endlessInformational: ["timedOut(request)", "malformedResponse"]
    case .closedBeforeHead, .closedInHead, .halfClosedInHead, .halfClosedInBody,
      .resetBeforeHead, .resetInHead, .resetInBody, .lengthTooLong, .endedInChunks:
      ["connectionLost"]
    case .garbageStatusLine, .nulInHeader, .twoContentLengths, .lengthAndChunks, .badChunkSize,
      .overlongHeader, .endlessHeaders, .switchedProtocols, .brokenGzip:
      ["malformedResponse"]
    case .endlessChunkExtension: ["malformedResponse", "timedOut(idle)"]
    case .endlessBody, .endlessChunks: ["responseTooLarge"]
    case .gzipBomb: ["responseTooLarge", "decompressionRefused"]
    case .redirectLoop, .redirectToNowhere: ["redirectRefused"]
    // Over http, the redirect is followed, and connects to no server.
    case .redirectToCleartext: ["redirectRefused", "connectionFailed"]
    case .informational, .lengthTooShort: ["200"]
    case .redirectWithoutLocation: ["302"]
    }
  }
}

/// The resident memory of this process, in bytes.
private enum ResidentMemory {
  /// Lets the peak begin anew, and returns where it begins.
  static func startPeak() throws -> Int {
    try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
    return try value(of: "VmRSS")
  }

  static func peak() throws -> Int { try value(of: "VmHWM") }

  private static func value(of name: String) throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(name + ":") })
    return try #require(Int(line.filter(\.isNumber))) << 10
  }
}
