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
    var documents: [SyncReportDocument] = []
    var failures: [Failure] = []
    for resource in try core.resources(account: account) {
      do {
        let document = try await sync(resource, account, options)
        documents.append(document)
        if let failure = document.failure(in: core.configuration) { failures.append(failure) }
      } catch is CancellationError {
        // What was synced before the cancellation stays.
        if !documents.isEmpty { post(.report, SyncReportsDocument(documents)) }
        throw CancellationError()
      } catch {
        var failure = Failure(error, in: core.configuration, account: account)
        failure.resource = resource.rawValue
        failures.append(failure)
      }
    }
    post(.report, SyncReportsDocument(documents))
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
    let report = try result.get()
    // A task of its own: a cancellation that comes after the end must not hide the report.
    let stored = Task {
      try await core.database().listedCount(of: resource, account: account)
    }
    return SyncReportDocument(
      report, tokenRequests: core.authenticator.tokenRequests - before,
      stored: try await stored.value)
  }
}
