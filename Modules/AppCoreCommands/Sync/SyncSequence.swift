import AppCore
import Authentication
import Sync

/// Runs syncs and tells how they went.
struct SyncSequence: Sendable {
  private let context: CommandContext
  private let options: SyncOptions

  init(_ context: CommandContext, _ arguments: SyncArguments) {
    self.context = context
    options = arguments.options(context.core.configuration)
  }

  /// Syncs one resource.
  func run(_ resource: String) async throws {
    let document = try await sync(resource)
    try context.terminal.print(document, text: document.text)
    try check([document])
  }

  /// Syncs one resource after the other; what stops one does not keep the others from being tried.
  func runAll() async throws {
    var documents: [SyncReportDocument] = []
    var failure: (any Error)?
    for resource in try context.core.resources(account: context.account) {
      do {
        documents.append(try await sync(resource))
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        failure = failure ?? error
        if !context.terminal.isJSON {
          context.terminal.note(
            "appcore: the \(resource) were not synced: \(printable(Failure(error).message))")
        }
      }
    }
    try context.terminal.print(
      SyncReportsDocument(reports: documents),
      text: documents.map { "\($0.resource): \($0.text)" }.joined(separator: "\n"))
    if let failure { throw failure }
    try check(documents)
  }

  private func sync(_ resource: String) async throws -> SyncReportDocument {
    let sync = try await context.core.sync(of: resource, account: context.account)
    let before = context.core.authenticator.tokenRequests
    defer { context.terminal.endProgress() }
    let report = try await sync.run(options) { progress in
      context.terminal.progress("\(progress.records) \(resource), \(progress.pages) pages")
    }
    return SyncReportDocument(
      report, tokenRequests: context.core.authenticator.tokenRequests - before)
  }

  /// A run that did not finish never ends as one that did.
  private func check(_ documents: [SyncReportDocument]) throws {
    let partial = documents.filter { $0.ending.value != nil }
    guard !partial.isEmpty else { return }
    for document in partial { tell(document) }
    let isUnreadable = partial.contains { $0.ending.value == .unreadable }
    throw CommandEnded(status: isUnreadable ? .unreadableData : .tryAgainLater)
  }

  private func tell(_ document: SyncReportDocument) {
    guard let ending = document.ending.value else { return }
    guard !context.terminal.isJSON else {
      Terminal.write(document.failure(ending).json, to: .standardError)
      return
    }
    let told = document.failures.prefix(10)
    for failure in told {
      context.terminal.note(
        "appcore: \(document.resource) \(printable(failure.id ?? "without a readable id")): "
          + printable("\(failure.path): \(failure.reason)")
      )
    }
    if document.unreadable > told.count {
      let others = document.unreadable - told.count
      context.terminal.note("appcore: and \(others) more that cannot be read")
    }
  }
}

/// What `appcore sync all` prints.
struct SyncReportsDocument: Encodable {
  let schemaVersion = 1
  let reports: [SyncReportDocument]
}
