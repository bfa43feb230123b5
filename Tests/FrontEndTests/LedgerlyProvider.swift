import Foundation
import Models
import Networking
import Providers
import Sync

struct LedgerlyProvider: Provider {
  let name = "ledgerly"

  var traits: ProviderTraits {
    var traits = ProviderTraits(
      baseURL: "https://api.ledgerly.example/v1",
      authorizationURL: "https://login.ledgerly.example/authorize",
      tokenURL: "https://login.ledgerly.example/token")
    traits.scopes = ["invoices.read"]
    traits.rateLimits = [RateLimit(requests: 60, interval: .seconds(60))]
    return traits
  }

  func invoices(in context: ProviderContext) -> (any ResourceFeed<Invoice>)? {
    LedgerlyFeed(baseURL: context.baseURL)
  }
}
