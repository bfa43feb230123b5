import Logging
import Networking
import SystemSupport

extension Authenticator {
  /// What a log may say of a credential: nothing of its tokens.
  func metadata(of credential: Credential, account: String) -> Logger.Metadata {
    var metadata: Logger.Metadata = [
      "account": "\(account)", "generation": "\(credential.generation.rawValue)",
    ]
    if let seconds = credential.remaining(at: time.wall()) {
      metadata["validFor"] = "\(max(0, Int(seconds)))s"
    }
    return metadata
  }
}
