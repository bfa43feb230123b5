import AppCore
import Authentication
import Models
import Sync

/// A sequence of syncs whose results are printed.
struct SyncSequence: Sendable {
  private let context: CommandContext
  private let options: SyncOptions

  init(_ context: CommandContext, _ arguments: SyncArguments) {
    self.context = context
    options = arguments.options
  }

  /// Syncs one resource.
  func run(_ resource: Resource) async throws {
    let document = try await sync(resource)
    try await context.terminal.print(document, text: document.text)
    try check([document], [document.failure])
  }

  /// Syncs one resource after the other; if one fails, the others still run.
  func runAll() async throws {
    var documents: [SyncReportDocument] = []
    var failures: [Failure?] = []
    for resource in try context.core.resources(account: context.account) {
      do {
        let document = try await sync(resource)
        documents.append(document)
        failures.append(document.failure)
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        var failure = Failure(error, in: context.core.configuration)
        failure.resource = resource.rawValue
        failures.append(failure)
      }
    }
    try await context.terminal.print(
      SyncReportsDocument(reports: documents),
      text: documents.map { "\($0.resource): \($0.text)" }.joined(separator: "\n"))
    try check(documents, failures)
  }

  private func sync(_ resource: Resource) async throws -> SyncReportDocument {
    let sync = try await context.core.sync(resource, account: context.account)
    let before = context.core.authenticator.tokenRequests
    defer { context.terminal.endProgress() }
    let report = try await sync.run(options) { progress in
      context.terminal.progress("\(progress.records) \(resource), \(progress.pages) pages")
    }
    return SyncReportDocument(
      report, tokenRequests: context.core.authenticator.tokenRequests - before)
  }

  /// Reports unreadable records and throws the failures, so that an incomplete run never exits with
  /// 0.
  private func check(_ documents: [SyncReportDocument], _ failures: [Failure?]) throws {
    if !context.terminal.isJSON { documents.forEach(noteUnreadable) }
    if let failures = Failures(failures.compactMap(\.self)) { throw failures }
  }

  private func noteUnreadable(_ document: SyncReportDocument) {
    let shown = document.failures.prefix(10)
    for failure in shown {
      context.terminal.note(
        "appcore: \(document.resource) \(printable(failure.id ?? "without a readable id")): "
          + printable("\(failure.path): \(failure.reason)")
      )
    }
    if document.unreadable > shown.count {
      let others = document.unreadable - shown.count
      context.terminal.note("appcore: and \(others) more that cannot be read")
    }
  }
}

/// The document that `appcore sync all` prints.
struct SyncReportsDocument: Encodable {
  let schemaVersion = 1
  let reports: [SyncReportDocument]
}
