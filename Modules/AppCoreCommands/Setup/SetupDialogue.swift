import AppCore
import ArgumentParser
import Foundation

/// The questions of `appcore setup`.
struct SetupDialogue: Sendable {
  /// The answers, complete.
  struct Plan: Sendable {
    var draft: ConfigurationDraft
    /// The client secret that was typed, for the file that the draft names.
    var secret: String?
    var login: SetupRun.Login

    /// Writes the configuration and the file with the secret.
    func write(to path: String, replaces: Bool) throws {
      if let secret, let file = draft.clientSecretFile {
        try ConfigurationDraft.writeSecret(secret, to: file)
      }
      try draft.write(to: path, replaces: replaces)
    }
  }

  let environment: CommandEnvironment
  let terminal: Terminal
  /// True if the command may ask the user.
  let asks: Bool

  /// Returns the answers: those of the options, and the user's for the rest.
  ///
  /// - Parameter path: the configuration file, beside which a typed client secret is stored.
  func plan(_ answers: SetupAnswers, account: String, path: String) async throws -> Plan {
    let profile = try await provider(answers.provider)
    var draft = ConfigurationDraft(provider: profile.name)
    draft.account = account
    explain(profile, port: answers.port, usesToken: answers.tokenStdin)
    var login = SetupRun.Login(method: .browser(opens: !answers.noBrowser))
    login.asks = asks
    if answers.tokenStdin || !profile.signsInWithBrowser {
      login.method = .tokens(try await token(profile, readsInput: answers.tokenStdin))
      return Plan(draft: draft, login: login)
    }
    if answers.device { login.method = .device }
    draft.redirectPort = answers.port
    draft.clientID = try await required(answers.clientID, "Client ID: ", option: "--client-id")
    var plan = Plan(draft: draft, login: login)
    if let file = answers.clientSecretFile {
      let path = file.hasPrefix("/") ? file : environment.currentDirectory + "/" + file
      try ConfigurationDraft.checkSecretFile(path)
      plan.draft.clientSecretFile = path
    } else if asks, profile.hasClientSecret != false,
      let secret = try await ask(Self.secretQuestion(profile), true), !secret.isEmpty
    {
      plan.secret = secret
      plan.draft.clientSecretFile = ConfigurationDraft.clientSecretFile(of: account, beside: path)
    } else if !asks, profile.hasClientSecret == true {
      throw ValidationError(
        "\(profile.displayName) needs the client secret: pass its file with --client-secret-file.")
    }
    return plan
  }

  private static func secretQuestion(_ profile: ProviderProfile) -> String {
    "Client secret (not shown\(profile.hasClientSecret == nil ? "; Enter if there is none" : "")): "
  }

  private func provider(_ given: String?) async throws -> ProviderProfile {
    let all = CoreConfiguration().providerProfiles
    if given == nil {
      let rows = all.enumerated().map { number, profile in
        "  \(number + 1)) \(profile.displayName): \(Self.abilities(of: profile))"
      }
      if asks { terminal.console.post("Providers:\n" + rows.joined(separator: "\n")) }
    }
    while true {
      let text = try await required(
        given, "Which one, by number or name? ", option: "--provider"
      ).lowercased()
      if let number = Int(text), all.indices.contains(number - 1) { return all[number - 1] }
      if let profile = all.first(where: { $0.name == text }) { return profile }
      let problem =
        "Unknown provider '\(text)'; available: " + all.map(\.name).joined(separator: ", ")
      guard given == nil, asks else { throw ValidationError(problem) }
      terminal.console.post(problem)
    }
  }

  private static func abilities(of profile: ProviderProfile) -> String {
    """
    \(profile.records)
         A sync reads \(profile.reads).
         Sign-in: \(profile.signIn).
    """
  }

  /// Says where to get the client identifier or the token.
  private func explain(_ profile: ProviderProfile, port: Int, usesToken: Bool) {
    guard asks, let address = profile.registrationURL else { return }
    var lines: [String]
    if usesToken || !profile.signsInWithBrowser {
      lines = ["Get your \(profile.tokenName) at \(address)"]
    } else {
      lines = [
        "Register an app at \(address)",
        "and enter this redirect URI there: \(ConfigurationDraft.redirectURI(port: port))",
      ]
    }
    if let note = profile.registrationNote { lines.append(note) }
    terminal.console.post(lines.joined(separator: "\n"))
  }

  private func token(_ profile: ProviderProfile, readsInput: Bool) async throws -> String {
    if readsInput, !environment.isInputTerminal {
      let text = String(decoding: try await environment.standardInput(), as: UTF8.self)
      guard text.contains(where: { !$0.isWhitespace }) else {
        throw ValidationError("Standard input holds no token.")
      }
      return text
    }
    let question = LoginFlow.tokenQuestion(profile.tokenName)
    while asks, let token = try await ask(question, true) {
      if !token.isEmpty { return token }
    }
    throw ValidationError(
      "\(profile.displayName) takes your \(profile.tokenName): pass it with --token-stdin.")
  }

  /// Returns the given answer, or asks until there is one.
  private func required(
    _ given: String?, _ question: String, option: String
  ) async throws -> String {
    if let given { return given }
    while asks {
      guard let answer = try await ask(question, false) else { break }
      if !answer.isEmpty { return answer }
    }
    throw ValidationError("Setup got no answer; pass it with \(option).")
  }

  private func ask(_ question: String, _ isSecret: Bool) async throws -> String? {
    await terminal.console.flush()
    return try await environment.prompts(question, isSecret)
  }
}
