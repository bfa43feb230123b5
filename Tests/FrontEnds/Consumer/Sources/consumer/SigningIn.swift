import AppCore
import Authentication
import Foundation
import Networking

/// The part of a front end that shows the sign-in; a program with windows opens a browser.
struct SignInPage: AuthenticationDelegate {
  let browser: Session

  func showAuthorizationPage(_ url: URL) async throws {
    print("Open \(url)")
    // The sandbox approves at once. This request plays the browser, which follows the redirect.
    let answer = try await browser.send(Request(url: url))
    print("the browser shows status \(answer.head.status.code)")
  }
}

/// Signs the account in, and confirms that it is the same organisation where the provider cannot.
func signIn(to core: ApplicationCore, showing page: SignInPage) async throws {
  let status = try await core.signIn("default", with: .authorizationCode(delegate: page))
  print("signed in: \(status.state)")
  for question in try await core.organisationQuestions(afterSignInOf: "default") {
    try await core.confirm(question)
  }
}
