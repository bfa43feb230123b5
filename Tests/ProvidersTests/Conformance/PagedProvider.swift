import Models
import Providers
import Sync

/// A provider whose pages are smaller than it makes them.
struct PagedProvider: Provider {
  let provider: any Provider
  let paged: @Sendable (ProviderContext) -> [ProviderList]

  var name: String { provider.name }
  var profile: ProviderProfile { provider.profile }

  func lists(in context: ProviderContext) -> [ProviderList] { paged(context) }
}
