import Authentication
import Foundation

/// A delegate that asks a C program, by events, to show pages and codes to the user.
struct EventDelegate: AuthenticationDelegate {
  let request: CoreRequest
  let account: String

  func showAuthorizationPage(_ url: URL) async throws {
    // First: the program may paste an address as soon as it has the event.
    request.redirects.expect()
    let isPage =
      if case .page? = SignInRedirect(authorizationPage: url) { true } else { false }
    request.post(
      .openURL,
      PageDocument(
        account: account, purpose: "sign-in", url: url.absoluteString, pasteRequired: isPage))
  }

  func readPastedRedirects(_ accept: @Sendable (String) -> PastedRedirect) async {
    await request.redirects.read(accept)
  }

  func showDeviceCode(_ prompt: DeviceCodePrompt) async throws {
    request.post(.deviceCode, DeviceCodeDocument(account: account, prompt))
  }

  func showSignOutPage(_ url: URL) async throws {
    request.post(
      .openURL,
      PageDocument(
        account: account, purpose: "sign-out", url: url.absoluteString, pasteRequired: false))
  }
}
