import AppCore
import Authentication
import Documents
import Models
import Storage
import Sync

extension CoreRequest {
  /// Syncs resources one after the other; if one fails, the others still run.
  func sync(_ resource: Resource?, account: String, _ options: SyncOptions) async throws {
    guard let resource else { return try await syncAll(account: account, options) }
    let document: SyncReportDocument
    do { document = try await sync(resource, account, options) } catch {
      throw Failures(error, in: core.configuration, account: account)
    }
    post(.report, document)
    if let failure = document.failure(in: core.configuration) { throw Failures(failure) }
  }

  private func syncAll(account: String, _ options: SyncOptions) async throws {
    let outcomes = try await core.syncResources(account: account) {
      try await sync($0, account, options)
    }
    if let document = SyncReportsDocument(outcomes) { post(.report, document) }
    let failures = outcomes.failures(in: core.configuration, account: account)
    if let failures = Failures(failures) { throw failures }
  }

  private func sync(
    _ resource: Resource, _ account: String, _ options: SyncOptions
  ) async throws -> SyncReportDocument {
    let sync = try await core.sync(resource, account: account)
    let before = core.authenticator.tokenRequests
    let running = sync.start(options)
    let forwarding = Task {
      for await event in running.progress {
        post(.progress, ProgressDocument(event, account: account, resource: resource))
      }
    }
    let result: Result<SyncReport, any Error>
    do { result = .success(try await running.report) } catch { result = .failure(error) }
    // The report comes after the progress.
    await forwarding.value
    return try await SyncReportDocument(
      try result.get(), tokenRequests: core.authenticator.tokenRequests - before, in: core)
  }
}
