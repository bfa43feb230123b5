import Foundation
import TestSupport

/// The program itself, signed in with a token in a real keyring of its own, at a server that takes
/// any token.
struct SignedInProgram {
  private let keyring: PrivateKeyring
  private let program: String

  /// Signs in at a server in Xero's shape.
  static func start(_ url: String, token: String = "token") async throws -> SignedInProgram {
    let keyring = try await PrivateKeyring.start()
    do {
      _ = try keyring.home.write(
        """
        accounts: { default: { clientID: bench } }
        providers: { xero: { baseURL: "\(url)" } }
        """, to: "config.yaml")
      let signedIn = SignedInProgram(keyring: keyring, program: try ChildProcess.built("appcore"))
      try await signedIn.login(token)
      return signedIn
    } catch {
      keyring.stop()
      throw error
    }
  }

  private func login(_ token: String) async throws {
    let input = Pipe()
    let login = try ChildProcess(
      program, ["login", "--token-stdin"], environment: environment, input: input)
    input.fileHandleForWriting.write(Data(token.utf8))
    try input.fileHandleForWriting.close()
    let ending = await login.ending()
    guard ending.status == 0 else {
      print(ending.errors)
      throw WrongAnswer()
    }
  }

  /// The database.
  var database: String { keyring.home.file("data/appcore/appcore.sqlite") }

  /// Starts a command.
  func start(_ arguments: [String]) throws -> ChildProcess {
    try ChildProcess(program, arguments, environment: environment)
  }

  /// Runs a command to its end.
  func run(_ arguments: [String]) async throws -> MeasuredProcess {
    try await MeasuredProcess.run(program, arguments, environment: environment)
  }

  /// Removes the database, so that the next sync is the first one.
  func removeDatabase() throws {
    for suffix in ["", "-wal", "-shm"] {
      let path = database + suffix
      if FileManager.default.fileExists(atPath: path) {
        try FileManager.default.removeItem(atPath: path)
      }
    }
  }

  func stop() { keyring.stop() }

  private var environment: [String: String] {
    var environment = keyring.environment
    environment["APPCORE_CONFIG"] = keyring.home.file("config.yaml")
    return environment
  }
}
