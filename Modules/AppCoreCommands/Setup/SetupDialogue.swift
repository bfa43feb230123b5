import AppCore
import ArgumentParser
import Authentication
import Foundation
import Providers

struct SetupDialogue: Sendable {
  struct Plan: Sendable {
    var account: NewAccount
    var login: LoginFlow.Choices
  }

  let environment: CommandEnvironment
  let terminal: Terminal
  let asks: Bool
  /// The providers to choose from, those with descriptions of vendors' documentation last.
  let providers: [any Provider]

  /// Returns the answers: those of the options, and the user's for the rest.
  func plan(_ answers: SetupAnswers, account: String) async throws -> Plan {
    let provider = try await provider(answers.client.provider)
    guard answers.servers == .production || provider.profile.sandbox != nil else {
      throw ValidationError("\(provider.profile.title) has no sandbox; leave out --environment.")
    }
    let profile = provider.profile.of(answers.servers)
    var draft = ConfigurationDraft(provider: provider.name)
    draft.account = account
    draft.environment = answers.servers
    explain(profile, answers)
    try await chooseBooks(answers, profile, for: &draft)
    var login = LoginFlow.Choices(method: .browser(opens: !answers.noBrowser), asks: asks)
    if answers.tokenStdin || !profile.signsInWithBrowser {
      login.method = .tokens(try await token(profile, readsInput: answers.tokenStdin))
      return Plan(account: NewAccount(draft), login: login)
    }
    if answers.device { login.method = .device }
    guard let clientID = try await clientID(answers, profile) else {
      login.method = .tokens(try await token(profile, readsInput: false))
      return Plan(account: NewAccount(draft), login: login)
    }
    draft.clientID = clientID
    try await chooseRedirect(answers, profile, for: &draft)
    var plan = Plan(account: NewAccount(draft), login: login)
    if let path = answers.client.secretPath(in: environment) {
      try ConfigurationDraft.checkSecretFile(path)
      plan.account.draft.clientSecretFile = path
    } else if asks, profile.hasClientSecret != false,
      let secret = try await ask(Self.secretQuestion(profile), true), !secret.isEmpty
    {
      plan.account.clientSecret = secret
    } else if !asks, profile.hasClientSecret == true {
      throw ValidationError(
        "\(profile.title) needs the client secret: pass its file with --client-secret-file.")
    }
    return plan
  }

  /// Returns the client identifier; `nil` if the user passes a token instead.
  private func clientID(
    _ answers: SetupAnswers, _ profile: ProviderProfile
  ) async throws -> String? {
    let name = profile.clientIDName.prefix(1).uppercased() + profile.clientIDName.dropFirst()
    if let given = answers.client.clientID {
      if let problem = profile.problem(ofClientID: given) {
        throw ValidationError("--client-id: \(problem).")
      }
      return given
    }
    let other =
      profile.takesToken ? " (not shown; Enter for your \(profile.tokenName) instead)" : ""
    while true {
      // Who has a token as well may paste it here, where a terminal must not show it.
      let answer =
        profile.takesToken
        ? (asks ? try await ask("\(name)\(other): ", true) ?? "" : "")
        : try await required(nil, name + ": ", option: "--client-id")
      guard !answer.isEmpty else { return nil }
      guard let problem = profile.problem(ofClientID: answer) else { return answer }
      terminal.post(
        problem.prefix(1).uppercased() + problem.dropFirst() + "."
          + (profile.takesToken ? " Press Enter here, and paste it at the next question." : ""))
    }
  }

  /// Asks for the address and the organisation, where the provider's requests need them.
  private func chooseBooks(
    _ answers: SetupAnswers, _ profile: ProviderProfile, for draft: inout ConfigurationDraft
  ) async throws {
    draft.baseURL = answers.baseURL
    if let site = profile.site, draft.baseURL == nil {
      draft.baseURL = try await address(site, profile)
    }
    guard profile.needsOrganisation else { return }
    draft.tenantID = try await required(
      answers.organisation, "Identifier of your organisation: ", option: "--organisation")
  }

  /// Asks for the address of the user's books; `nil` for the provider's usual one.
  private func address(_ site: String, _ profile: ProviderProfile) async throws -> String? {
    if asks { terminal.post(site) }
    let usual = profile.needsAddress ? "" : " (Enter for \(profile.baseURL))"
    while asks, let answer = try await ask("Address of the API\(usual): ", false) {
      guard !answer.isEmpty else {
        guard profile.needsAddress else { return nil }
        continue
      }
      guard let problem = ConfigurationDraft.problem(ofAddress: answer) else { return answer }
      terminal.post("This cannot be used: \(problem).")
    }
    guard profile.needsAddress else { return nil }
    throw ValidationError("\(site.hasSuffix(".") ? site : site + ".") Pass it with --base-url.")
  }

  private func chooseRedirect(
    _ answers: SetupAnswers, _ profile: ProviderProfile, for draft: inout ConfigurationDraft
  ) async throws {
    guard Self.usesPage(answers, profile) else {
      draft.redirectPort = answers.port
      draft.redirectHost = answers.host ?? profile.redirectHost
      return
    }
    let usual = profile.redirectURI
    guard answers.redirectURI == nil, asks, !answers.device else {
      draft.redirectURI = answers.redirectURI ?? usual
      guard draft.redirectURI != nil || answers.device else {
        throw ValidationError(
          "\(profile.title) takes https addresses only: pass the \(profile.redirectName) of "
            + "your app with --redirect-uri.")
      }
      return
    }
    let name = profile.redirectName.prefix(1).uppercased() + profile.redirectName.dropFirst()
    let question = name + (usual.map { " (Enter for \($0))" } ?? "") + ": "
    while let answer = try await ask(question, false) {
      guard let address = answer.isEmpty ? usual : answer else { continue }
      guard let problem = ConfigurationDraft.problem(ofRedirectURI: address) else {
        draft.redirectURI = address
        return
      }
      terminal.post("This cannot be used: \(problem).")
    }
    throw ValidationError("Setup got no answer; pass it with --redirect-uri.")
  }

  /// Returns true if the sign-in ends on an https page, whose address the user pastes.
  private static func usesPage(_ answers: SetupAnswers, _ profile: ProviderProfile) -> Bool {
    answers.redirectURI != nil
      || profile.needsRedirectPage && answers.redirectHost == nil && answers.redirectPort == nil
  }

  private static func secretQuestion(_ profile: ProviderProfile) -> String {
    "Client secret (not shown\(profile.hasClientSecret == nil ? "; Enter if there is none" : "")): "
  }

  private func provider(_ given: String?) async throws -> any Provider {
    let all = providers
    if given == nil {
      let rows = all.enumerated().map { number, provider in
        let profile = provider.profile
        let abilities = profile.isFromDocumentation ? "" : ": \(Self.abilities(of: profile))"
        return (profile.isFromDocumentation, "  \(number + 1)) \(profile.title)\(abilities)")
      }
      let sections = [
        ("Providers:", rows.filter { !$0.0 }),
        ("Described, from the vendor's documentation:", rows.filter { $0.0 }),
      ]
      let texts = sections.filter { !$1.isEmpty }.map { title, rows in
        ([title] + rows.map(\.1)).joined(separator: "\n")
      }
      if asks { terminal.post(texts.joined(separator: "\n")) }
    }
    while true {
      let text = try await required(
        given, "Which one, by number or name? ", option: "--provider"
      ).lowercased()
      if let number = Int(text), all.indices.contains(number - 1) { return all[number - 1] }
      if let provider = all.first(where: { $0.name == text }) { return provider }
      let problem =
        "Unknown provider '\(text)'; available: " + all.map(\.name).joined(separator: ", ")
        + ". Describe a provider of your own in the configuration first."
      guard given == nil, asks else { throw ValidationError(problem) }
      terminal.post(problem)
    }
  }

  private static func abilities(of profile: ProviderProfile) -> String {
    """
    \(profile.records)
         A sync reads \(profile.reads).
         Sign-in: \(profile.signIn).
    """
  }

  private func explain(_ profile: ProviderProfile, _ answers: SetupAnswers) {
    if asks, profile.isFromDocumentation {
      terminal.post("\(profile.title): \(Self.abilities(of: profile))")
    }
    guard asks, let address = profile.registrationURL else { return }
    let tokenSteps = profile.tokenSteps.map { "\n" + $0 } ?? ""
    guard !answers.tokenStdin, profile.signsInWithBrowser else {
      // The pages of other providers have apps, and no tokens.
      guard profile.takesToken || !profile.hasSignIn else { return }
      let steps = profile.signsInWithBrowser ? nil : profile.steps.map { "\n" + $0 }
      return terminal.post("Get your \(profile.tokenName) at \(address)\(steps ?? tokenSteps)")
    }
    var lines = ["Register an app at \(address)"]
    let host = answers.host ?? profile.redirectHost
    let uri =
      Self.usesPage(answers, profile)
      ? answers.redirectURI ?? profile.redirectURI
      : ConfigurationDraft.redirectURI(host: host, port: answers.port)
    if let uri { lines.append("and enter this \(profile.redirectName) there: \(uri)") }
    if let note = profile.steps { lines.append(note) }
    if profile.takesToken {
      lines.append("Or get your \(profile.tokenName) there instead of an app." + tokenSteps)
    }
    terminal.post(lines.joined(separator: "\n"))
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
      "\(profile.title) takes your \(profile.tokenName): pass it with --token-stdin.")
  }

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
    await terminal.flush()
    return try await environment.prompts(question, isSecret)
  }
}
