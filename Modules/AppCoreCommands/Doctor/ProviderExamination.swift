import AppCore
import Documents
import ErrorCodes
import Models
import Sync

/// An examination of a provider, which fetches one page of each of its lists and shows how appcore
/// parses it.
struct ProviderExamination: Sendable {
  private let context: CommandContext

  init(_ context: CommandContext) {
    self.context = context
  }

  func run(_ provider: String) async throws {
    let account = try context.core.account(of: provider)
    var resources: [ProviderDocument.Sample] = []
    var first: (any Error)?
    let title = context.core.configuration.title(ofProvider: provider)
    for resource in try context.core.resources(account: account) {
      do {
        let sample = try await context.waiting("Fetching \(resource) from \(title)…") { _ in
          try await context.core.sample(of: resource, account: account)
        }
        resources.append(ProviderDocument.Sample(sample))
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        first = first ?? error
        let failure = Failure(error, in: context.core.configuration, account: account)
        resources.append(ProviderDocument.Sample(resource, failure))
      }
    }
    let document = ProviderDocument(provider: provider, account: account, resources: resources)
    try await context.terminal.print(document, text: document.text)
    if let first { throw Failures(first, in: context.core.configuration, account: account) }
    if !document.works { throw CommandEnded(status: .unreadableData) }
  }
}
