import AppCore
import Authentication
import Documents
import Foundation
import GtkShim
import Models
import Providers
import SecureStore
import Storage
import Sync

extension InvoicesWindow {
  /// Signs the account in, with the page of the provider in the user's browser.
  func signIn() {
    begin("Waiting for the browser…") { [self] in
      let page = BrowserPage { [weak self] url in self?.showPage(url) }
      let earlier = try? await core.organisationID(account: account)
      let status = try await core.signIn(account, with: .authorizationCode(delegate: page))
      banner.hide()
      try await settleOrganisation(of: status.account, earlier: earlier)
    }
  }

  /// Lets the user choose, if the login reaches several organisations.
  private func settleOrganisation(of account: String, earlier: String?) async throws {
    switch try await core.organisationSelection(account: account, earlier: earlier) {
    case .several(let found, earlier: nil):
      details.ask("Which organisation?", found.map(\.description)) { [unowned self] number in
        begin("Choosing…") { [self] in try await choose(found[number], account) }
      }
    case .several(_, let earlier?): try await choose(earlier, account)
    case .configured, .only: ask(try await core.organisationQuestions(afterSignInOf: account))
    }
  }

  private func choose(_ organisation: Organisation, _ account: String) async throws {
    try await core.chooseOrganisation(organisation, account: account)
    ask(try await core.organisationQuestions(afterSignInOf: account))
  }

  /// Asks the user the first of the questions, and after a yes the next one.
  ///
  /// Without an answer, a sync of the account explains why it reads nothing.
  private func ask(_ questions: [OrganisationQuestion]) {
    guard let question = questions.first else { return }
    banner.show(
      "Is this the same organisation?",
      remedy: "'\(question.account)' holds \(question.holding).", action: "Same Organisation"
    ) { [unowned self] in
      begin("Confirming…") { [self] in
        try await core.confirm(question)
        banner.hide()
        ask(Array(questions.dropFirst()))
      }
    }
  }

  private func showPage(_ url: URL) {
    banner.show(
      "Finish signing in in your browser", remedy: url.absoluteString, action: "Open Again"
    ) { Self.open(url) }
    Self.open(url)
  }

  private static func open(_ url: URL) {
    g_app_info_launch_default_for_uri(url.absoluteString, nil, nil)
  }

  /// Opens the PDF of an invoice, which is fetched if it is missing or the invoice has changed.
  func openPDF(of stored: StoredInvoice) {
    begin("Fetching the PDF…") { [self] in
      let (id, account) = (stored.invoice.id, stored.account)
      let database = try await openDatabase()
      let found = try await database.documentedInvoices(named: id, account: account)
      guard let invoice = found.first else { return }
      var options = DocumentSyncOptions()
      (options.kinds, options.keys) = ([.pdf], [invoice.key])
      _ = try await core.fetchDocuments(account: account, options: options)
      let files = try await database.documentedInvoices(named: id, account: account)
        .flatMap(\.documents)
      guard let sum = files.first(where: { $0.kind == .pdf && $0.state == .stored })?.sha256 else {
        return banner.show("The PDF cannot be fetched", remedy: "The provider may have none.")
      }
      banner.hide()
      Self.open(URL(filePath: core.documentStore.path(of: sum)))
    }
  }

  /// Syncs the invoices of the account.
  func sync() {
    begin("Connecting…") { [self] in
      let running = try await core.sync(.invoices, account: account).start()
      await withTaskCancellationHandler {
        for await event in running.progress { show(event) }
      } onCancel: {
        running.cancel()
      }
      _ = try await running.report
      banner.hide()
    }
  }

  private func show(_ event: SyncProgress) {
    let bar = layout["progress-bar"]
    switch event {
    case .connecting(let provider): bar.set("text", "Connecting to \(provider)…")
    case .waiting(let wait):
      let end = wait.end.date.formatted(date: .omitted, time: .standard)
      bar.set(
        "text",
        wait.reason == .retry
          ? "The server does not respond; trying again at \(end)…"
          : "The provider's limit is reached; waiting until \(end)…")
    case .waitingForProcess: bar.set("text", "Waiting for another sync…")
    case .stored(let position):
      bar.set("text", "\(position.position) of \(position.total.map(String.init) ?? "?")")
      if let total = position.total, total > 0 {
        bar.set("fraction", min(1, Double(position.position) / Double(total)))
      }
    case .indexing: bar.set("text", "Updating the search…")
    case .finished: bar.set("fraction", 1)
    }
  }

  /// Runs work that the user can cancel, one at a time.
  private func begin(_ text: String, _ body: @escaping () async throws -> Void) {
    guard work == nil else { return }
    layout["progress-bar"].set("text", text)
    layout["progress-bar"].set("fraction", 0)
    setBusy(true)
    work = Task { [weak self] in
      do { try await body() } catch is CancellationError { self?.banner.hide() } catch {
        self?.banner.show(error)
      }
      self?.work = nil
      self?.setBusy(false)
      self?.accounts.refresh()
    }
  }

  private func setBusy(_ isBusy: Bool) {
    layout["progress"].set("reveal-child", isBusy)
    for button in ["sign-in", "sync"] { layout[button].set("sensitive", !isBusy) }
  }

  /// Tells the user of a locked or missing keyring before a sign-in or a sync fails.
  func checkKeyring() {
    Task { [weak self] in
      guard let self else { return }
      do {
        guard try await core.secretStore.checkAvailability().isLocked else { return }
        banner.show(SecretStoreError.locked, action: "Unlock") { self.unlock() }
      } catch {
        banner.show(error)
      }
    }
  }

  private func unlock() {
    begin("Waiting for the keyring…") { [self] in
      try await core.secretStore.unlock()
      banner.hide()
    }
  }
}

/// The sign-in's page, which the window shows.
private struct BrowserPage: AuthenticationDelegate {
  let show: @MainActor (URL) -> Void

  nonisolated init(show: @escaping @MainActor (URL) -> Void) { self.show = show }

  nonisolated func showAuthorizationPage(_ url: URL) async throws { await show(url) }
}
