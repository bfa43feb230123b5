import Foundation
import Models
import Networking
import Providers
import Sync

struct LedgerlyProvider: Provider {
  let name = "ledgerly"

  var profile: ProviderProfile {
    var profile = ProviderProfile(
      title: "Ledgerly", records: "invoices", reads: "what changed",
      baseURL: "https://api.ledgerly.example/v1",
      authorizationURL: "https://login.ledgerly.example/authorize",
      tokenURL: "https://login.ledgerly.example/token")
    profile.registrationURL = "https://ledgerly.example/apps"
    profile.steps = "Choose the type Desktop app; it has no client secret."
    profile.hasClientSecret = false
    profile.scopes = ["invoices.read"]
    profile.rateLimits = [RateLimit(requests: 60, interval: .seconds(60))]
    return profile
  }

  func lists(in context: ProviderContext) -> [ProviderList] {
    [.invoices(LedgerlyFeed(baseURL: context.baseURL))]
  }
}
