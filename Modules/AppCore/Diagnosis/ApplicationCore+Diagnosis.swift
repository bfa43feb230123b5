import Authentication
import Foundation
import Models
import SecureStore
import Storage
import Sync

extension ApplicationCore {
  /// Checks the setup, and makes one request for each account that is signed in.
  ///
  /// It stores no record, and renews a login only if the request needs it.
  ///
  /// - Parameters:
  ///   - directories: the folders for files.
  ///   - environment: the environment variables, which name the D-Bus session.
  public func diagnose(
    in directories: Directories, environment: [String: String]
  ) async -> [Finding] {
    var findings: [Finding] = []
    if configuration.secretStore == .keyring { findings.append(Diagnosis.bus(environment)) }
    findings.append(
      await Finding.check("keyring") {
        let description = try await secretStore.checkAvailability()
        guard !description.isLocked else { throw SecretStoreError.locked }
        return "\(description)"
      })
    findings += await Diagnosis.folders(directories, databasePath: databasePath)
    findings.append(
      await Finding.check("database") {
        try await databaseForReading() == nil
          ? "\(databasePath) (none yet; the first sync creates it)" : databasePath
      })
    for login in configuration.logins {
      let (found, isSignedIn, skew) = await diagnose(login: login)
      findings += found
      guard isSignedIn else { continue }
      let synced = Set(await syncedAccounts())
      for name in configuration.accounts(usingLoginOf: login) where synced.contains(name) {
        findings += await diagnose(account: name, skew)
      }
    }
    return findings
  }

  private func diagnose(
    login name: String
  ) async -> (findings: [Finding], isSignedIn: Bool, clockSkew: TimeInterval?) {
    var findings: [Finding] = []
    var isSignedIn = false
    var skew: TimeInterval?
    findings.append(
      await Finding.check("login \(name)") {
        let status = try await authenticator.status(of: name)
        skew = status.clockSkew
        try Self.requireLogin(status)
        isSignedIn = true
        return [
          status.state.rawValue,
          status.lockHolder.map { "process \($0) is renewing" },
        ].compactMap(\.self).joined(separator: ", ")
      })
    findings.append(
      await Finding.check("server \(name)") {
        "\(try await authenticator.probeServer(of: name)) answers"
      })
    return (findings, isSignedIn, skew)
  }

  /// Checks an account that is signed in.
  ///
  /// - Parameter skew: the difference of the clocks, as the authorization server stated it.
  private func diagnose(account name: String, _ skew: TimeInterval?) async -> [Finding] {
    var (findings, skew) = ([Finding](), skew)
    findings.append(
      await Finding.check("request \(name)") {
        guard let resource = try resources(account: name).first else { return "nothing to read" }
        let sample = try await sample(of: resource, account: name)
        if let time = sample.serverTime { skew = time.date.timeIntervalSinceNow }
        return "the provider answers with \(sample.rows) of the \(resource)"
      })
    if let skew, let clock = Diagnosis.clock(name, skew: skew) { findings.append(clock) }
    return findings + (await failedSyncs(account: name))
  }

  private static func requireLogin(_ status: AccountStatus) throws {
    switch status.state {
    case .signedOut:
      throw AuthenticationError.signInRequired(account: status.account, reason: .notSignedIn)
    case .rejected:
      guard case .ended(let reason, _)? = status.lastOutcome else { break }
      throw AuthenticationError.signInRequired(account: status.account, reason: reason)
    case .valid, .expired: break
    }
  }

  /// Returns a warning for each resource whose last sync failed or died.
  private func failedSyncs(account name: String) async -> [Finding] {
    guard let state = try? await state(ofAccount: name) else { return [] }
    return state.syncs.compactMap { sync in
      guard let run = sync.runs.first, [.failed, .died].contains(run.state) else { return nil }
      return Finding(
        "sync \(name) \(sync.resource)", .warning,
        "the last run \(run.state.rawValue)" + (run.record.cause.map { ": \($0)" } ?? ""),
        fix: "Run it again: appcore sync \(sync.resource) --account \(name.shellWord)")
    }
  }
}
