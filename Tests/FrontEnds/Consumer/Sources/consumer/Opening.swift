import AppCore
import Foundation

/// Opens a core whose files are all below one folder.
func openCore(
  at server: String, below folder: String, keepingLoginsIn store: SecretStoreChoice
) throws -> ApplicationCore {
  var account = AccountConfiguration(provider: "xero")
  account.clientID = "sandbox-client"
  account.endpoints.baseURL = server
  account.endpoints.issuer = server

  var configuration = CoreConfiguration()
  configuration.accounts["default"] = account
  configuration.secretStore = store
  return try ApplicationCore(
    configuration: configuration, directories: Directories(below: folder))
}
