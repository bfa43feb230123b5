import AppCore
import Authentication
import Documents
import ErrorCodes
import Foundation
import JSONReading
import Networking
import Reports
import SecureStore
import Storage
import Sync
import Testing

/// Every public error says what the user can do about it.
@Suite(.timeLimit(.minutes(1))) struct RemedyTests {
  @Test("every error type of the libraries has a code, a sentence and a remedy")
  func remedies() throws {
    let underlying = POSIXError(.EACCES)
    let errors: [any CodedError & LocalizedError] = [
      AuthenticationError.signInRequired(account: "a", reason: .rejected),
      AuthenticationError.unknownAccount(name: "a"), SecretStoreError.locked,
      ConfigurationError(source: "file", line: 3, key: "k", problem: "expected a number"),
      SessionError.rateLimited(retryAfter: .seconds(1)), SyncError.credentialsRejected(),
      StorageError.full(path: "p"), CursorExpired(), try jsonError("[1,2"), try jsonError("[true]"),
      DownloadError.unwritable(path: "p", underlying: underlying),
      ReportError.inaccessible(path: "p", underlying: underlying), CoreError.closed,
      DocumentError.accessDenied(scope: "s"),
    ]
    #expect(Set(errors.map { "\(type(of: $0))" }) == (try Self.publicErrors()))
    for error in errors {
      #expect(error.recoverySuggestion?.hasSuffix(".") == true, "\(error)")
      #expect(error.localizedDescription == error.errorDescription)
      #expect(error.description == error.errorDescription)
    }
    #expect(errors[3].recoverySuggestion == "Correct k in file, line 3.")
  }

  /// Returns the names of the public error types in the sources of the libraries.
  private static func publicErrors() throws -> Set<String> {
    let modules = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Modules")
    let declaration =
      #/^ *(?:public (?:struct|enum|final class|actor)|extension) (?<name>\w+)\s*:(?<types>[^{]*)\{/#
      .anchorsMatchLineEndings()
    var names: Set<String> = []
    let files = FileManager.default.enumerator(atPath: modules.path(percentEncoded: false))
    while let file = files?.nextObject() as? String {
      // The sandbox is a program, and its module no product.
      guard file.hasSuffix(".swift"), !file.hasPrefix("Sandbox/") else { continue }
      let text = try String(contentsOf: modules.appending(path: file), encoding: .utf8)
      for match in text.matches(of: declaration) {
        let types = match.types.split { !$0.isLetter }
        if !Set(types).isDisjoint(with: ["Error", "LocalizedError", "CodedError"]) {
          names.insert(String(match.name))
        }
      }
    }
    return names
  }

  private func jsonError(_ text: String) throws -> JSONError {
    var reader = JSONReader(Array(text.utf8))
    return try #require(throws: JSONError.self) {
      try reader.readArray { _ = try $0.readInt() }
    }
  }

  @Test("an error's code tells a front end whether the user has to act, and when to try again")
  func codes() {
    let ended = AuthenticationError.signInRequired(account: "a", reason: .rejected)
    #expect(ended.code == .signInRequired && ended.code.needsUser && ended.retryAt == nil)
    let time = Date(timeIntervalSince1970: 9)
    let busy = AuthenticationError.temporarilyUnavailable(
      account: "a", retryAt: time, underlying: POSIXError(.EIO))
    #expect(busy.code == .authorizationServerBusy && !busy.code.needsUser && busy.retryAt == time)
    #expect(busy.code.rawValue == "authorization-server-busy")
    #expect(busy.code.exitStatus.rawValue == 75)
  }

  @Test(
    "the remedy of a download depends on its failure",
    arguments: [
      (DownloadError.refused(status: 403), "Sign in again"), (.refused(status: 404), "provider"),
      (.refused(status: 503), "later"), (.busy(path: "p"), "other download"),
      (.unwritable(path: "p", underlying: POSIXError(.ENOSPC)), "disk space"),
      (.unwritable(path: "p", underlying: POSIXError(.EROFS)), "permissions"),
    ])
  func downloads(error: DownloadError, remedy: String) {
    #expect(error.recoverySuggestion?.contains(remedy) == true)
    #expect(error.localizedDescription == error.description)
  }

  @Test("the remedy of a report names the full disk")
  func reports() {
    #expect(ReportError.full(path: "p").recoverySuggestion?.contains("disk space") == true)
    #expect(ReportError.full(path: "p").localizedDescription == "there is no room left for p")
  }

  @Test("a JSON error names its position and quotes nothing of the text")
  func places() throws {
    #expect(try jsonError("[\"canary\"]").localizedDescription == "[0]: expected a number")
  }
}
