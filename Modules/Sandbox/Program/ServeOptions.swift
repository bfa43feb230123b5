/// The options of `serve`.
package struct ServeOptions: Sendable, Equatable {
  /// What the server is started with.
  package var configuration = SandboxConfiguration()
  /// The file of faults to arm, a JSON array.
  package var faultsFile: String?
  /// Whether the end of standard input is no reason to stop.
  package var ignoresStandardInput = false

  private var invoices: Int?
  private var seed: UInt64?
  private var dataDirectory: String?
  private var certificateFile: String?
  private var keyFile: String?

  /// Reads `--name value`, `--name=value` and `--switch`.
  ///
  /// - Throws: ``SandboxUsageError``, also where options contradict each other.
  package init(_ arguments: [String]) throws(SandboxUsageError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      if try setSwitch(name, hasValue: parts.count > 1) { continue }
      guard Self.valued.contains(name) else {
        throw SandboxUsageError("there is no option '\(name)'")
      }
      guard let value = parts.count > 1 ? String(parts[1]) : rest.popFirst(), !value.isEmpty else {
        throw SandboxUsageError("\(name) needs a value")
      }
      try set(name, OptionValue(name: name, text: value))
    }
    try combine()
  }

  private static let valued: Set<String> = [
    "--port", "--provider", "--invoices", "--seed", "--data", "--page-size", "--token-lifetime",
    "--latency", "--token-latency", "--reuse-grace", "--tenants", "--client-id", "--faults",
    "--tls-certificate", "--tls-key", "--device-interval",
  ]

  private mutating func setSwitch(
    _ name: String, hasValue: Bool
  ) throws(SandboxUsageError) -> Bool {
    switch name {
    case "--auto-approve": configuration.autoApprove = true
    case "--ignore-stdin": ignoresStandardInput = true
    case "--no-issuer": configuration.announcesIssuer = false
    default: return false
    }
    guard !hasValue else { throw SandboxUsageError("\(name) takes no value") }
    return true
  }

  private mutating func set(_ name: String, _ value: OptionValue) throws(SandboxUsageError) {
    switch name {
    case "--port": configuration.port = try value.number(in: 0...65_535)
    case "--provider": configuration.provider = try value.provider()
    case "--invoices": invoices = try value.number(in: 0...2_000_000)
    case "--seed": seed = try value.seed()
    case "--data": dataDirectory = value.text
    case "--page-size": configuration.pageSize = try value.number(in: 1...1_000)
    case "--token-lifetime": configuration.tokenLifetime = try value.duration(min: .seconds(1))
    case "--latency": configuration.latency = try value.duration()
    case "--token-latency": configuration.tokenLatency = try value.duration()
    case "--reuse-grace": configuration.reuseGrace = try value.duration()
    case "--device-interval": configuration.deviceInterval = try value.duration(min: .seconds(1))
    case "--tenants": configuration.tenants = try value.number(in: 1...50)
    case "--client-id": configuration.clientID = value.text
    case "--faults": faultsFile = value.text
    case "--tls-certificate": certificateFile = value.text
    case "--tls-key": keyFile = value.text
    default: throw SandboxUsageError("there is no option '\(name)'")
    }
  }

  private mutating func combine() throws(SandboxUsageError) {
    if let dataDirectory {
      guard invoices == nil, seed == nil else {
        throw SandboxUsageError("--data excludes --invoices and --seed")
      }
      configuration.source = .csv(directory: dataDirectory)
    } else if case .generated(let standardCount, let standardSeed) = configuration.source {
      configuration.source = .generated(
        invoices: invoices ?? standardCount, seed: seed ?? standardSeed)
    }
    switch (certificateFile, keyFile) {
    case (nil, nil): break
    case (let certificateFile?, let keyFile?):
      configuration.certificate = ServerCertificate(
        certificateFile: certificateFile, keyFile: keyFile)
    default:
      throw SandboxUsageError("--tls-certificate and --tls-key belong together")
    }
  }
}
