extension WireFault {
  /// The steps of a server with this fault after every request.
  package var script: FaultScript {
    switch self {
    case .connectHangs:
      var script = FaultScript()
      script.isReachable = false
      return script
    case .handshakeHangs:
      var script = FaultScript(onConnect: [.hang])
      script.claimsTLS = true
      return script
    case .cleartextOnTLSPort:
      var script = FaultScript(onConnect: [.response("400 Bad Request"), .hang])
      script.claimsTLS = true
      return script
    default:
      return FaultScript(otherwise: steps)
    }
  }

  private static let okHead: Bytes = "HTTP/1.1 200 OK\r\n"
  private static let tenBytes: Bytes = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfour"
  private static let chunked: Bytes = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
  private static let kilobyte = String(repeating: "x", count: 1_024)
  private static let tick = Duration.milliseconds(20)

  private var steps: [FaultScript.Step] {
    switch self {
    case .connectHangs, .handshakeHangs, .cleartextOnTLSPort: []
    case .noHead: [.hang]
    case .slowHead:
      [.sendSlowly("HTTP/1.1 200 OK\r\nSlow: \(Self.kilobyte)\(Self.kilobyte)", every: Self.tick)]
    case .stalledHead: [.send(Self.okHead), .hang]
    case .slowBody:
      [
        .send("HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n"),
        .sendSlowly("\(Self.kilobyte)\(Self.kilobyte)", every: Self.tick), .hang,
      ]
    case .stalledBody: [.send(Self.tenBytes), .hang]
    case .endlessInformational: [.repeat("HTTP/1.1 103 Early Hints\r\nA: b\r\n\r\n")]
    case .closedBeforeHead: [.close]
    case .closedInHead: [.send(Self.okHead), .close]
    case .halfClosedInHead: [.send(Self.okHead), .halfClose, .hang]
    case .halfClosedInBody: [.send(Self.tenBytes), .halfClose, .hang]
    case .resetBeforeHead: [.reset]
    case .resetInHead: [.send(Self.okHead), .reset]
    case .resetInBody: [.send(Self.tenBytes), .reset]
    case .lengthTooLong: [.send(Self.tenBytes), .close]
    case .endedInChunks: [.send(Self.chunked), .send("4\r\nfour\r\n"), .close]
    default: otherSteps
    }
  }

  private var otherSteps: [FaultScript.Step] {
    switch self {
    case .garbageStatusLine: [.send("SSH-2.0-OpenSSH_9.9\r\n\r\n"), .hang]
    case .nulInHeader: [.send("HTTP/1.1 200 OK\r\nA: \0\r\nContent-Length: 0\r\n\r\n"), .hang]
    case .twoContentLengths:
      [.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nabc"), .hang]
    case .lengthAndChunks:
      [
        .send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n"),
        .send("2\r\nok\r\n0\r\n\r\n"), .hang,
      ]
    case .badChunkSize: [.send(Self.chunked), .send("4\r\nfour\r\nxyz\r\n"), .hang]
    case .endlessChunkExtension: [.send(Self.chunked), .send("4;"), .repeat("a=b;")]
    case .overlongHeader:
      [
        .send("HTTP/1.1 200 OK\r\nA: "), .repeat("\(Self.kilobyte)", times: 1_024),
        .send("\r\nContent-Length: 2\r\n\r\nok"),
      ]
    case .endlessHeaders: [.send(Self.okHead), .repeat("A: b\r\n")]
    case .switchedProtocols:
      [
        .send("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"),
        .hang,
      ]
    case .brokenGzip: [.response(fields: ["Content-Encoding: gzip"], body: "this is no gzip")]
    case .endlessBody:
      [.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"), .repeat("\(Self.kilobyte)")]
    case .endlessChunks: [.send(Self.chunked), .repeat("400\r\n\(Self.kilobyte)\r\n")]
    case .gzipBomb: Self.bomb
    case .redirectLoop: [.response("302 Found", fields: ["Location: /again"])]
    case .redirectToNowhere: [.response("302 Found", fields: ["Location: mailto:a@b.example"])]
    case .redirectToCleartext: [.response("302 Found", fields: ["Location: http://127.0.0.1:9/"])]
    case .informational:
      [
        .send("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n"),
        .send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"), .ok,
      ]
    case .lengthTooShort: [.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok, and more")]
    case .redirectWithoutLocation: [.response("302 Found", body: "ok")]
    default: []
    }
  }

  private static var bomb: [FaultScript.Step] {
    let bomb = GzipBomb(size: 1 << 30)
    return [
      .send(
        """
        HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bomb.compressedSize)\r\n\r\n
        """)
    ] + bomb.steps
  }
}
