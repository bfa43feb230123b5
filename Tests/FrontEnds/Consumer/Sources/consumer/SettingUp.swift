import AppCore
import Foundation

/// Creates a configuration with a first account, as the screen of a front end does.
func setUp(below folder: String) async throws {
  let file = folder + "/setup/config.yaml"
  let loader = ConfigurationLoader(environment: [:])
  let configuration = try loader.load(path: file, mayBeAbsent: true)
  for provider in configuration.allProviders {
    print("\(provider.profile.title): \(provider.profile.signIn)")
  }
  let core = try ApplicationCore(
    configuration: configuration, directories: Directories(below: folder + "/setup"))
  var draft = ConfigurationDraft(provider: "stripe")
  draft.account = "shop"
  let saved = try await core.addAccount(NewAccount(draft), keepsLoginsInFile: true)
  print("wrote \(saved.file)")
  try await core.close()
  let ways = try loader.load(path: file).signInWays(account: "shop")
  try Unexpected.unless(ways == [.token], "the account signs in with \(ways)")
}
