import AppCore
import Models
import Presentation
import Providers
import Sync

/// The choice of an organisation after a sign-in, if the login reaches several.
struct OrganisationChoice: Sendable {
  struct Outcome: Equatable {
    /// The organisation that syncs read; `nil` if it is not known.
    var chosen: Organisation?
    /// True if the login reaches several organisations and none is chosen.
    var isOpen = false
  }

  private let context: CommandContext
  private let wanted: String?
  private let earlier: String?
  private let asks: Bool

  /// - Parameters:
  ///   - wanted: the organisation that the command line names, by name or identifier.
  ///   - earlier: the identifier of the one chosen for the login before.
  ///   - asks: true if the command may ask the user.
  init(_ context: CommandContext, wanted: String?, earlier: String?, asks: Bool) {
    self.context = context
    self.wanted = wanted
    self.earlier = earlier
    self.asks = asks
  }

  func run() async throws -> Outcome {
    let selection: OrganisationSelection
    do {
      selection = try await context.waiting("Asking for the organisations of this login…") { _ in
        try await context.core.organisationSelection(account: context.account, earlier: earlier)
      }
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      guard wanted == nil else { throw error }
      // The login itself is stored, and the next sync asks again.
      context.terminal.note(
        "appcore: the organisations could not be listed: \(Failure(error).message)")
      return Outcome()
    }
    switch selection {
    case .configured(let organisation): return Outcome(chosen: organisation)
    case .only(let only):
      let found = only.map { [$0] } ?? []
      guard let chosen = try wanted.map({ try match($0, in: found) }) ?? only else {
        return Outcome()
      }
      // Its name tells users later whose login this is.
      return Outcome(chosen: try await choose(chosen))
    case .several(let found, let kept):
      guard let wanted else { return try await choose(among: found, kept) }
      return Outcome(chosen: try await choose(try match(wanted, in: found)))
    }
  }

  private func choose(
    among found: [Organisation], _ kept: Organisation?
  ) async throws -> Outcome {
    if asks, let answer = try await answer(among: found, kept) {
      return Outcome(chosen: try await choose(answer))
    }
    if let kept { return Outcome(chosen: try await choose(kept)) }
    let list =
      asks ? "" : "appcore: this login reaches several organisations:\n\(Self.list(found))\n"
    let program = context.terminal.program
    var choice: Hint.Command = ["login", "--account", context.account, "--organisation"]
    choice.placeholder = "NAME"
    context.terminal.note(
      list
        + """
        Choose one with: \(program.text(choice).unbroken)
        or set accounts.\(context.account).tenantID in the configuration.
        To add each as an account: \(program.text(["organisations", "add", "--all"]).unbroken)
        """)
    return Outcome(isOpen: true)
  }

  private func choose(_ organisation: Organisation) async throws -> Organisation {
    try await context.core.chooseOrganisation(organisation, account: context.account)
    return organisation
  }

  private func match(_ text: String, in found: [Organisation]) throws -> Organisation {
    let named = found.named(text)
    guard let only = named.first, named.count == 1 else {
      let problem =
        named.isEmpty
        ? "this login reaches no organisation '\(text)'; available"
        : "this login reaches several organisations '\(text)'; choose by identifier"
      let available = found.resembling(text)
      let shown = available.prefix(5).map { "\($0) (\($0.id))" }.joined(separator: ", ")
      let others = available.count > 5 ? " and \(available.count - 5) more" : ""
      throw ConfigurationError(
        source: "--organisation", problem: "\(problem): \(shown)\(others)",
        hint: available.count < found.count || !others.isEmpty
          ? Hint("To list all", ["organisations"]) : nil)
    }
    return only
  }

  private func answer(among found: [Organisation], _ kept: Organisation?) async throws
    -> Organisation?
  {
    context.terminal.post("This login reaches several organisations:\n" + Self.list(found))
    let usual =
      kept.flatMap { found.firstIndex(of: $0) }.map { "[\($0 + 1)]" } ?? "(Enter: none yet)"
    while true {
      await context.terminal.flush()
      let text = try await context.environment.prompts(
        "Which one, by number or name? \(usual) ", false)
      guard let text else { return nil }
      if text.isEmpty { return kept }
      if let number = Int(text), found.indices.contains(number - 1) { return found[number - 1] }
      if let match = try? match(text, in: found) { return match }
      let similar = found.resembling(text)
      context.terminal.post(
        similar.count < found.count
          ? "These have this name, or it in theirs; choose one by number:\n"
            + Self.list(found, only: similar)
          : "No organisation has this name or number; the numbers are 1 to \(found.count).")
    }
  }

  /// Returns a line for each organisation, or each of some, with its number among all.
  private static func list(_ found: [Organisation], only some: [Organisation]? = nil) -> String {
    let digits = "\(found.count)".count
    let rows = found.enumerated().filter { some?.contains($0.element) ?? true }.map {
      let number = "\($0 + 1)"
      let space = String(repeating: " ", count: 2 + digits - number.count)
      return ["\(space)\(number)) \($1)", $1.id]
    }
    return TableLayout.lines(rows).joined(separator: "\n")
  }
}

/// A check after a sign-in: the user confirms that it belongs to the organisation already stored.
struct OrganisationCheck: Sendable {
  private let context: CommandContext
  private let isSame: Bool
  private let asks: Bool

  /// - Parameters:
  ///   - isSame: true if the command line confirms that the organisation is the same.
  ///   - asks: true if the command may ask the user.
  init(_ context: CommandContext, isSame: Bool, asks: Bool) {
    self.context = context
    self.isSame = isSame
    self.asks = asks
  }

  /// Asks the question of every account whose records the sign-in reads.
  func run() async throws {
    for question in try await context.core.organisationQuestions(afterSignInOf: context.account) {
      if try await isAnswered(question) {
        try await context.core.confirm(question)
      } else {
        context.terminal.note(
          Hint(
            "appcore: until it is known whose records this sign-in reads, "
              + "'\(question.account)' is not synced. If it is the same organisation",
            ["sync", "all", "--account", question.account, "--same-organisation"]))
      }
    }
  }

  private func isAnswered(_ question: OrganisationQuestion) async throws -> Bool {
    guard !isSame else { return true }
    guard asks else { return false }
    return try await context.environment.asks(
      "Account '\(question.account)' holds \(question.holding); "
        + "is this the same organisation? [y/N] "
    ) ?? false
  }
}
