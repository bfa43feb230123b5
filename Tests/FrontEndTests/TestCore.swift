import AppCore
import SecureStore

/// Returns a core for a test: its files are in one folder, its logins in memory.
func testCore(
  at server: String, below folder: String, store: any SecretStore = InMemorySecretStore()
) throws -> ApplicationCore {
  var account = AccountConfiguration(provider: "xero")
  account.clientID = "sandbox-client"
  account.endpoints.baseURL = server
  account.endpoints.issuer = server
  var configuration = CoreConfiguration()
  configuration.accounts["default"] = account
  return try ApplicationCore(
    configuration: configuration, secretStore: store, directories: Directories(below: folder))
}
