import Foundation
import Models
import Networking
import Providers
import Sync

struct LedgerlyProvider: Provider {
  let name = "ledgerly"
  let resources = ["invoices"]

  var traits: ProviderTraits {
    var traits = ProviderTraits(
      baseURL: "https://api.ledgerly.example/v1",
      authorizationURL: "https://login.ledgerly.example/authorize",
      tokenURL: "https://login.ledgerly.example/token")
    traits.scopes = ["invoices.read"]
    traits.rateLimits = [RateLimit(requests: 60, interval: .seconds(60))]
    return traits
  }

  func sync(of resource: String, in context: ProviderContext) -> ResourceSync? {
    guard resource == "invoices" else { return nil }
    return context.sync(invoices: LedgerlyFeed(baseURL: context.baseURL))
  }
}
