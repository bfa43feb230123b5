import AppCore
import Authentication
import Documents
import Storage

extension CoreRequest {
  /// Reports the state of accounts; all of them if none is named.
  func status(account: String?, configurationPath: String) async throws {
    post(
      .status,
      try await StatusDocument(
        of: core, accounts: account.map { [$0] }, runs: nil,
        database: try await core.databaseForReading(),
        configuration: configurationPath))
  }

  /// Reports changes of records and logins until the request is cancelled.
  func watch() async throws {
    let database = try await core.database()
    let logins = core.authenticator.credentialChanges()
    try await withThrowingTaskGroup { group in
      group.addTask {
        for try await _ in database.changesFromNow() {
          post(.changed(topic: ""), ChangeDocument.records)
        }
      }
      group.addTask {
        for await change in logins {
          post(.changed(topic: change.account), ChangeDocument(change))
        }
      }
      try await group.waitForAll()
    }
    try Task.checkCancellation()
  }
}
