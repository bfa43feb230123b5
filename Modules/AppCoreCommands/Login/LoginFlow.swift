import AppCore
import ArgumentParser
import Authentication
import ErrorCodes
import Foundation
import Models
import Presentation
import Providers

/// A sign-in at a terminal: from the question about an earlier login to the chosen organisation.
struct LoginFlow: Sendable {
  enum Method: Sendable, Equatable {
    case browser(opens: Bool)
    case device
    case clientCredentials
    /// Passes a token; `nil` asks for it at the terminal.
    case tokens(String?)

    var isUnattended: Bool {
      switch self {
      case .browser, .device: false
      case .clientCredentials, .tokens: true
      }
    }
  }

  struct Choices: Sendable {
    var method: Method
    /// True if the command may ask the user.
    var asks = true
    /// True to replace an earlier login without asking.
    var replaces = false
    var isSameOrganisation = false
    /// The organisation that the command line names, by name or identifier.
    var organisation: String?
    var timeout = Duration.seconds(300)
    /// The program that opens the address in place of the desktop's.
    var opener: Opener?
  }

  let context: CommandContext
  let choices: Choices

  private var account: String { context.account }

  static let noToken = ValidationError("There is no token.")
  static let badToken = ValidationError(
    "This is no token: it has a space, or another character that no token has.")

  /// Signs in and prints the result; returns `false` if the user keeps the earlier login.
  func run() async throws -> Bool {
    // Before any question about a login: an account must have been chosen.
    try context.core.configuration.requireChoice(account)
    let stored = try? await context.core.authenticator.storedLogin(of: account)
    guard try await mayReplace(stored) else {
      context.terminal.note("Kept the login of '\(account)'.")
      return false
    }
    let status = try await signIn(over: stored)
    let choice = OrganisationChoice(
      context, wanted: choices.organisation, earlier: stored?.organisationID, asks: isInteractive)
    let result = try await choice.run()
    try await OrganisationCheck(context, isSame: choices.isSameOrganisation, asks: choices.asks)
      .run()
    let document = LoginDocument(status, provider: provider.name, result.chosen)
    try await context.terminal.print(document, text: text(result) + ending(of: status))
    return true
  }

  private func signIn(over stored: StoredLogin?) async throws -> AccountStatus {
    do {
      let method = try await signInMethod()
      // Where the user has to do something, the terminal says so already.
      guard choices.method.isUnattended else { return try await signIn(with: method, over: stored) }
      let isToken = choices.method != .clientCredentials
      let text = isToken ? "Checking the token at" : "Signing in at"
      return try await context.waiting("\(text) \(provider.title)…") { ticker in
        try await signIn(with: method, over: stored, showing: ticker)
      }
    } catch is CancellationError {
      throw Failures(
        Failure(
          .interrupted, "sign-in cancelled",
          stored == nil
            ? Hint("Sign in with", context.core.configuration.signInCommand(account: account))
            : "The earlier login is kept."))
    }
  }

  private func signIn(
    with method: SignInMethod, over stored: StoredLogin?, showing ticker: ProgressTicker? = nil
  ) async throws -> AccountStatus {
    try await context.core.signIn(
      account, with: method, replacesOtherLogin: choices.replaces || stored?.isOwn == false,
      unlocksStore: choices.asks,
      onUnlocking: {
        ticker?.erase()
        context.terminal.note("Waiting up to two minutes for the keyring to be unlocked.")
      })
  }

  private var provider: (name: String, title: String) {
    let entry = context.core.configuration.accounts[account]
    let name = entry?.provider ?? ""
    let mark = entry?.environment == .sandbox ? " (sandbox)" : ""
    return (name, context.core.configuration.title(ofProvider: name) + mark)
  }

  private func text(_ result: OrganisationChoice.Outcome) -> String {
    let others = context.core.configuration.accounts(usingLoginOf: account)
      .filter { $0 != account }
    return signedIn(result)
      + (others.isEmpty
        ? "" : " It is the login of \(HumanText.some(others.map { "'\($0)'" })) too.")
  }

  private func ending(of status: AccountStatus) -> String {
    guard let end = status.endsAt else { return "" }
    let advice =
      status.scopes.contains("openid") && !status.scopes.contains("offline_access")
      ? " To renew it without you, add offline_access to accounts.\(account).scopes." : ""
    return " This login cannot be renewed; it ends at \(Timestamp(end).truncatedToSecond)." + advice
  }

  private func signedIn(_ result: OrganisationChoice.Outcome) -> String {
    guard let chosen = result.chosen?.name else {
      return "Signed in as '\(account)' at \(provider.title)"
        + (result.isOpen ? "; no organisation is chosen yet." : ".")
    }
    return "Signed in as \(printable(chosen)) at \(provider.title) (account '\(account)')."
  }

  /// True if a user sits at the terminal and this method needs one anyway.
  private var isInteractive: Bool {
    guard choices.asks, context.environment.isInputTerminal else { return false }
    switch choices.method {
    case .browser, .device, .tokens: return true
    case .clientCredentials: return false
    }
  }

  /// Asks if an earlier login may be replaced.
  ///
  /// Without a user, a login of the same server and client is replaced, so that scripts can sign in
  /// again; the core refuses to replace any other.
  private func mayReplace(_ stored: StoredLogin?) async throws -> Bool {
    guard !choices.replaces, let stored else { return true }
    guard isInteractive else {
      if !stored.isOwn { try await context.core.requireOwnLogin(account) }
      return true
    }
    let name = stored.organisationName.map { " as \(printable($0))" } ?? ""
    let place = stored.isOwn ? "" : " at \(printable(stored.server))"
    await context.terminal.flush()
    return try await context.environment.asks(
      "'\(account)' is already signed in\(name)\(place); replace this login? [y/N] ") ?? true
  }

  private func signInMethod() async throws -> SignInMethod {
    switch choices.method {
    case .clientCredentials: return .clientCredentials
    case .device: return .deviceCode(delegate: TerminalSignIn(terminal: context.terminal))
    case .tokens(let given):
      let text = if let given { given } else { try await typedToken() }
      guard text.contains(where: { !$0.isWhitespace }) else { throw Self.noToken }
      guard let tokens = TokenSet(pasted: text) else { throw Self.badToken }
      return .tokens(tokens)
    case .browser(let opens):
      return .authorizationCode(delegate: delegate(opens: opens), timeout: choices.timeout)
    }
  }

  private func typedToken() async throws -> String {
    let name = context.core.configuration.tokenName(account: account)
    await context.terminal.flush()
    return try await context.environment.prompts(Self.tokenQuestion(name), true) ?? ""
  }

  /// Returns the question for a token.
  ///
  /// - Parameter name: the provider's word for it, such as `API key`.
  static func tokenQuestion(_ name: String) -> String {
    name.prefix(1).uppercased() + name.dropFirst() + " (not shown): "
  }

  private func delegate(opens: Bool) -> TerminalSignIn {
    let variables = context.environment.variables
    var delegate = TerminalSignIn(terminal: context.terminal)
    delegate.remote = choices.opener == nil ? RemoteSession(variables: variables) : nil
    delegate.timeout = choices.timeout
    // A browser over SSH without a display would be one of this machine's terminal.
    let canShow =
      delegate.remote == nil || variables["DISPLAY"] != nil || variables["WAYLAND_DISPLAY"] != nil
    delegate.wantsBrowser = opens && canShow
    if opens, canShow {
      delegate.opener = choices.opener ?? Opener.desktop(searchPath: variables["PATH"])
    }
    delegate.redirectPage = context.core.configuration.redirectPage(account: account)
    if choices.asks, delegate.opener?.isStandIn != true {
      delegate.asksForAddress = { [environment = context.environment] in
        try await environment.prompts($0, false)
      }
    }
    return delegate
  }
}
