import ArgumentParser
import Dispatch
import Foundation
import Glibc
import Providers
import SystemSupport

struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Run a server.",
    discussion: """
      It prints one JSON line with url, clientID, machineClientID and machineClientSecret when it \
      is ready. It stops on SIGINT, SIGTERM, or the end of standard input if that is a pipe.

      A <time> is a number with ms, s, m or h.

      A fault, in --faults or in the body of POST /_sandbox/faults, is a JSON object:
        path               requests to apply it to; a trailing * matches any rest
        kind               \(Fault.Kind.allCases.map(\.rawValue).prefix(5).joined(separator: ", ")),
                           \(Fault.Kind.allCases.map(\.rawValue).dropFirst(5).joined(separator: ", "))
        skip, times        requests to leave alone first (0), and to affect (1)
        status             status of the response, 200 to 599
        headers, body      added headers; the body of the response
        delayMilliseconds  delay of the request
        organisation       identifier of an organisation; any by default
      Example: [{"path": "/api.xro/2.0/Invoices", "kind": "status", "status": 503}]
      """)

  @Option(help: ArgumentHelp("Port on 127.0.0.1; 0 takes any free one.", valueName: "n"))
  var port = 0

  @Option(
    help: ArgumentHelp("Provider to imitate (default: xero).", valueName: "name"),
    completion: .list(SandboxProvider.allCases.map(\.rawValue)),
    transform: OptionValue.provider)
  var provider = SandboxProvider.xero

  @Option(
    help: ArgumentHelp(
      "Imitate the API that this file describes, or the description that ships with this name.",
      valueName: "file"), transform: OptionValue.text)
  var description: String?

  @Option(help: ArgumentHelp("Make up N invoices (default: 250).", valueName: "n"))
  var invoices: Int?

  @Option(help: ArgumentHelp("Make them up from this seed (default: 1).", valueName: "n"))
  var seed: UInt64?

  @Option(
    help: ArgumentHelp(
      "Serve the tables xero_invoice_data.csv and xero_invoice_line_item_data.csv instead.",
      valueName: "dir"), transform: OptionValue.text)
  var data: String?

  @Option(help: ArgumentHelp("Invoices per page if the request names no size.", valueName: "n"))
  var pageSize = 100

  @Option(
    name: [.customLong("organisations"), .customLong("tenants")],
    help: ArgumentHelp(
      "Organisations that a login reaches, each with its own invoices.", valueName: "n"))
  var tenants = 1

  @Flag(
    help: """
      Refuse requests above Xero's limits: 60 requests a minute and 5 at a time for each \
      organisation.
      """)
  var rateLimits = false

  @Option(
    help: ArgumentHelp(
      "Attach up to N files to each invoice that has any (default: 2).", valueName: "n"))
  var attachments: Int?

  @Option(
    help: ArgumentHelp(
      "Size of each PDF and attachment, such as 100KiB or 1GiB (default: as small as can be).",
      valueName: "bytes"), transform: OptionValue.size)
  var documentSize: Int?

  @Option(
    help: ArgumentHelp(
      "Time for which a link to a file is good (default: the provider's).", valueName: "time"),
    transform: OptionValue.time)
  var linkLifetime: Duration?

  @Flag(help: "Serve each link to a file once.")
  var singleUseLinks = false

  @Option(
    name: .customLong("client-id"),
    help: ArgumentHelp(
      "Identifier of the public client (default: sandbox-client).", valueName: "id"),
    transform: OptionValue.text)
  var clientID = "sandbox-client"

  @Option(
    help: ArgumentHelp("Lifetime of an access token (default: 1800s).", valueName: "time"),
    transform: OptionValue.time)
  var tokenLifetime: Duration?

  @Option(
    help: ArgumentHelp("Time for which a spent refresh token is accepted.", valueName: "time"),
    transform: OptionValue.time)
  var reuseGrace: Duration?

  @Option(
    help: ArgumentHelp("Delay of every request.", valueName: "time"), transform: OptionValue.time)
  var latency: Duration?

  @Option(
    help: ArgumentHelp("Delay of the token endpoint after the exchange.", valueName: "time"),
    transform: OptionValue.time)
  var tokenLatency: Duration?

  @Option(
    help: ArgumentHelp(
      "Shortest time between two polls of a device (default: 5s).", valueName: "time"),
    transform: OptionValue.time)
  var deviceInterval: Duration?

  @Flag(help: "Redirect immediately instead of showing the approval page.")
  var autoApprove = false

  @Flag(help: "Neither announce nor send the iss parameter.")
  var noIssuer = false

  @Option(
    help: ArgumentHelp("Arm the faults of a JSON array.", valueName: "file"),
    transform: OptionValue.text)
  var faults: String?

  @Option(
    help: ArgumentHelp("Serve HTTPS with this PEM certificate.", valueName: "file"),
    transform: OptionValue.text)
  var tlsCertificate: String?

  @Option(
    help: ArgumentHelp("The certificate's PEM key.", valueName: "file"),
    transform: OptionValue.text)
  var tlsKey: String?

  @Option(
    help: ArgumentHelp(
      "Keep port, logins and changed invoices here, and continue with them at the next start.",
      valueName: "file"), transform: OptionValue.text)
  var state: String?

  @Option(
    help: ArgumentHelp("Stop when no connection was open for this time.", valueName: "time"),
    transform: OptionValue.time)
  var idleTimeout: Duration?

  @Flag(help: "Do not stop when standard input ends.")
  var ignoreStdin = false

  func validate() throws {
    let limits = [
      ("--port", port, 0...65_535), ("--invoices", invoices ?? 0, 0...2_000_000),
      ("--page-size", pageSize, 1...1_000), ("--organisations", tenants, 1...10_000),
      ("--attachments", attachments ?? 0, 0...100),
    ]
    for (name, value, range) in limits where !range.contains(value) {
      throw ValidationError(
        "\(name) takes a number between \(range.lowerBound) and \(range.upperBound)")
    }
    for (name, value) in [
      ("--token-lifetime", tokenLifetime), ("--device-interval", deviceInterval),
      ("--idle-timeout", idleTimeout), ("--link-lifetime", linkLifetime),
    ]
    where value.map({ $0 < .seconds(1) }) ?? false {
      throw ValidationError("\(name) is at least 1s")
    }
    guard data == nil || (invoices == nil && seed == nil) else {
      throw ValidationError("--data excludes --invoices and --seed")
    }
    guard (tlsCertificate == nil) == (tlsKey == nil) else {
      throw ValidationError("--tls-certificate and --tls-key belong together")
    }
  }

  func run() async throws {
    let reasons = StopReasons(watchesStandardInput: !ignoreStdin)
    var configuration = serverConfiguration
    if let description {
      configuration.description = try await BlockingWork.run {
        [read = SandboxProgram.readDescription] in
        do { return try read?(description) } catch {
          throw SandboxError.unreadableFile(path: description, line: nil, reason: "\(error)")
        }
      }
    }
    let faults = try await BlockingWork.run { [faults] in
      try faults.map(FaultDocument.read(file:)) ?? []
    }
    let server = try await SandboxServer.start(configuration)
    for fault in faults { server.armFault(fault) }
    SandboxProgram.write(Self.readyLine(server), to: .standardOutput)
    if let idleTimeout {
      let events = reasons.continuation
      Task {
        try await server.idle(for: idleTimeout)
        events.yield()
      }
    }
    await reasons.first()
    await server.stop()
  }

  var serverConfiguration: SandboxConfiguration {
    var configuration = SandboxConfiguration()
    configuration.port = port
    configuration.provider = provider
    configuration.pageSize = pageSize
    configuration.tenants = tenants
    configuration.limits = rateLimits ? SandboxLimits() : nil
    configuration.clientID = clientID
    configuration.tokenLifetime = tokenLifetime ?? configuration.tokenLifetime
    configuration.reuseGrace = reuseGrace ?? configuration.reuseGrace
    configuration.latency = latency ?? configuration.latency
    configuration.tokenLatency = tokenLatency ?? configuration.tokenLatency
    configuration.deviceInterval = deviceInterval ?? configuration.deviceInterval
    configuration.autoApprove = autoApprove
    configuration.announcesIssuer = !noIssuer
    configuration.stateFile = state
    configuration.documents.attachments = attachments ?? configuration.documents.attachments
    configuration.documents.size = documentSize ?? configuration.documents.size
    configuration.documents.linkLifetime = linkLifetime
    configuration.documents.singleUseLinks = singleUseLinks
    if let data {
      configuration.source = .csv(directory: data)
    } else if case .generated(let count, let standardSeed) = configuration.source {
      configuration.source = .generated(invoices: invoices ?? count, seed: seed ?? standardSeed)
    }
    if let tlsCertificate, let tlsKey {
      configuration.certificate = ServerCertificate(
        certificateFile: tlsCertificate, keyFile: tlsKey)
    }
    return configuration
  }

  private static func readyLine(_ server: SandboxServer) -> String {
    let line = JSONWriter.object { writer in
      writer.member("url", server.url.absoluteString)
      if let description = server.description {
        // What an account has to name to read the first organisation.
        writer.member(
          "baseURL",
          server.url.appending(path: description.baseURL.path(percentEncoded: true)).absoluteString)
        writer.member(ifPresent: server.tenantIDs.first, "tenantID")
        writer.member("token", "sk_live_1")
      }
      writer.member("clientID", server.clientID)
      writer.member("machineClientID", server.machineClientID)
      writer.member("machineClientSecret", server.machineClientSecret)
    }
    return String(decoding: line, as: UTF8.self) + "\n"
  }
}

private enum OptionValue {
  @Sendable static func text(_ text: String) throws -> String {
    guard !text.isEmpty else { throw ValidationError("it needs a value") }
    return text
  }

  @Sendable static func provider(_ text: String) throws -> SandboxProvider {
    guard let provider = SandboxProvider(rawValue: text) else {
      let known = SandboxProvider.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("it takes one of: \(known)")
    }
    return provider
  }

  /// Parses a number of bytes, or `100KiB`, `5MiB` or `1GiB`.
  @Sendable static func size(_ text: String) throws -> Int {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let units = ["": 1, "KiB": 1_024, "MiB": 1_048_576, "GiB": 1_073_741_824]
    guard let count = Int(digits), count <= 9_000_000_000,
      let unit = units[String(text.dropFirst(digits.count))], count * unit <= 9_000_000_000
    else { throw ValidationError("it takes a size such as 100KiB, 5MiB or 1GiB, below 9 GB") }
    return count * unit
  }

  /// Parses `250ms`, `30s`, `5m` or `1h`.
  @Sendable static func time(_ text: String) throws -> Duration {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let units: [String: Int] = ["ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000]
    // A day is longer than any reasonable wait, and keeps the product in range.
    guard let count = Int(digits), count <= 86_400_000,
      let unit = units[String(text.dropFirst(digits.count))]
    else { throw ValidationError("it takes a time such as 250ms, 30s, 5m or 1h") }
    return .milliseconds(count * unit)
  }
}

/// The events that stop a server: a signal, or the end of standard input.
private struct StopReasons: ~Copyable {
  private let events: AsyncStream<Void>
  /// Ends the wait when something is yielded.
  let continuation: AsyncStream<Void>.Continuation
  private let sources: [any DispatchSourceSignal]

  /// Handles SIGINT and SIGTERM from now on, so that neither is lost while the server starts.
  init(watchesStandardInput: Bool) {
    let (events, continuation) = AsyncStream.makeStream(of: Void.self)
    (self.events, self.continuation) = (events, continuation)
    sources = [SIGINT, SIGTERM].map { number in
      // The default action would end the process before the source receives the signal.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number)
      source.setEventHandler { continuation.yield() }
      source.resume()
      return source
    }
    if watchesStandardInput, Self.isPipe(STDIN_FILENO) {
      Thread.detachNewThread {
        Self.readToEnd(STDIN_FILENO)
        continuation.yield()
      }
    }
  }

  deinit {
    for source in sources { source.cancel() }
  }

  borrowing func first() async {
    for await _ in events { return }
  }

  /// Returns true if the descriptor can have another end; a closed one or `/dev/null` has none.
  private static func isPipe(_ descriptor: CInt) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    return [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
  }

  private static func readToEnd(_ descriptor: CInt) {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count == 0 || (count < 0 && errno != EINTR) { return }
    }
  }
}
