import Sync

/// A provider whose pages of invoices are smaller than it makes them.
struct PagedProvider: Provider {
  let provider: any Provider
  let invoices: @Sendable (ProviderContext) -> ResourceSync

  var name: String { provider.name }
  var traits: ProviderTraits { provider.traits }
  var resources: [String] { provider.resources }

  func sync(of resource: String, in context: ProviderContext) -> ResourceSync? {
    resource == "invoices" ? invoices(context) : provider.sync(of: resource, in: context)
  }
}
