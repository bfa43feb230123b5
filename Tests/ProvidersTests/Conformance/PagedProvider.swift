import Models
import Providers
import Sync

/// A provider whose pages are smaller than it makes them.
struct PagedProvider: Provider {
  let provider: any Provider
  let invoiceFeed: @Sendable (ProviderContext) -> any ResourceFeed<Invoice>
  let contactFeed: @Sendable (ProviderContext) -> any ResourceFeed<Contact>

  var name: String { provider.name }
  var profile: ProviderProfile { provider.profile }

  func invoices(in context: ProviderContext) -> (any ResourceFeed<Invoice>)? {
    invoiceFeed(context)
  }

  func contacts(in context: ProviderContext) -> (any ResourceFeed<Contact>)? {
    contactFeed(context)
  }
}
