import Providers
import Sync

/// A provider whose pages are smaller than it makes them.
struct PagedProvider: Provider {
  let provider: any Provider
  let invoices: @Sendable (ProviderContext) -> ResourceSync
  let contacts: (@Sendable (ProviderContext) -> ResourceSync)?

  var name: String { provider.name }
  var traits: ProviderTraits { provider.traits }
  var resources: [String] { provider.resources }

  func sync(of resource: String, in context: ProviderContext) -> ResourceSync? {
    switch resource {
    case "invoices": invoices(context)
    case "contacts": contacts?(context)
    default: provider.sync(of: resource, in: context)
    }
  }
}
