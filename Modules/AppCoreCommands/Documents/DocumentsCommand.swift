import AppCore
import ArgumentParser
import Documents
import ErrorCodes
import Foundation
import Models
import Presentation
import Storage
import SystemSupport

struct DocumentsCommand: CommandGroup {
  static let configuration = CommandConfiguration(
    commandName: "documents", abstract: "Fetch and hand on the PDFs and attachments of invoices.",
    subcommands: [
      DocumentsSyncCommand.self, DocumentsListCommand.self, DocumentsSaveCommand.self,
      DocumentsExportCommand.self, DocumentsVerifyCommand.self,
    ])
  static let examples = [
    "documents sync --month last", "documents export --month last --zip march.zip",
  ]
}

private struct DocumentsListCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the files of invoices, the newest invoices' first.")
  static let examples = ["documents list --month last", "documents list --failed"]

  @OptionGroup var global: GlobalOptions
  @OptionGroup var accountsOption: AccountsOption
  @OptionGroup var filter: InvoiceFilterOptions

  @Flag(help: "Keep files that were not fetched.")
  var missing = false

  @Flag(help: "Keep files whose last attempt failed.")
  var failed = false

  @Flag(help: "Keep files whose invoice has changed since.")
  var stale = false

  @OptionGroup var output: OutputOption

  func run(in environment: CommandEnvironment) async throws {
    try await CommandContext.run(global, accounts: accountsOption, in: environment) { context in
      var query = filter.query
      query.accounts = context.accounts
      let database = try await context.database()
      let store = context.core.documentStore
      var sources: [String: any DocumentSource] = [:]
      for account in context.accounts {
        sources[account] = try await context.core.documentSource(account: account)
      }
      let known = sources
      try await output.write(in: context) { terminal in
        var style = TableStyle(global.color, terminal, environment.variables)
        style.organisations = await context.shownOrganisations
        let format = format(terminal, style, context.showsAccounts, store)
        let asked = query
        let count = try await format.write(to: terminal) { body in
          try await database?.forEachDocumentedInvoice(matching: asked) { invoice in
            let complete = known[invoice.stored.account].map(invoice.completed) ?? invoice
            for document in complete.documents where keeps(document) {
              try body(ListedFile(document, of: invoice.stored))
            }
          }
        }
        if count == 0, !terminal.isJSON {
          context.terminal.note(
            Hint("No files match; fetch them with", .init(["documents", "sync"])))
        }
        return HumanText.count(count, "file")
      }
    }
  }

  private func keeps(_ document: StoredDocument) -> Bool {
    guard missing || failed || stale else { return true }
    return (missing && document.state == .missing) || (failed && document.state == .failed)
      || (stale && document.isStale && document.state == .stored)
  }

  private func format(
    _ terminal: Terminal, _ style: TableStyle, _ showsAccounts: Bool, _ store: ObjectStore
  ) -> RowFormat<ListedFile> {
    guard !terminal.isJSON else {
      return .json("documents", isPretty: terminal.output.isTerminal) { file, text in
        FileDocument.append(file.document(in: store), to: &text)
      }
    }
    let columns = [
      TableColumn(name: "NUMBER", shortest: 8), TableColumn(name: "DATE", omission: 1),
      TableColumn(name: "KIND"), TableColumn(name: "NAME", shortest: 8),
      TableColumn(name: "SIZE", isRight: true, omission: 0), TableColumn(name: "STATE"),
    ]
    return .table((showsAccounts ? [.account] : []) + columns, style) { file in
      let (stored, invoice) = (file.stored, file.invoice.invoice)
      let state =
        stored.state == .stored && stored.isStale
        ? "stale"
        : stored.errorCode.map { "\(stored.state.rawValue): \($0)" } ?? stored.state.rawValue
      return [
        (showsAccounts ? [TableCell(style.organisations.title(of: stored.account))] : []) + [
          TableCell(invoice.number ?? style.shown(id: invoice.id)),
          TableCell(invoice.issueDate?.description ?? "-"), TableCell(stored.kind.rawValue),
          TableCell(stored.name ?? "-"), TableCell(stored.size.map(HumanText.size) ?? "-"),
          TableCell(state, stored.state == .failed ? .red : nil),
        ]
      ]
    }
  }
}

/// A file in a list.
struct ListedFile: Sendable {
  let stored: StoredDocument
  let invoice: StoredInvoice

  init(_ document: StoredDocument, of invoice: StoredInvoice) {
    (stored, self.invoice) = (document, invoice)
  }

  func document(in store: ObjectStore) -> FileDocument {
    FileDocument(stored, of: invoice, path: stored.sha256.map(store.path))
  }
}

private struct DocumentsVerifyCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Read and hash every stored file again.")
  static let examples = ["documents verify", "documents verify --repair"]

  @OptionGroup var global: GlobalOptions
  @OptionGroup var accountsOption: AccountsOption

  @Flag(help: "Fetch damaged and missing files again.")
  var repair = false

  func run(in environment: CommandEnvironment) async throws {
    try await CommandContext.run(global, accounts: accountsOption, in: environment) { context in
      let found = try await context.waiting(first: "Reading files…") { show in
        try await context.core.verifyDocuments(accounts: context.accounts) { count in
          show("Reading files… \(count.grouped)")
        }
      }
      let (objects, damaged) = (found.objects, found.damaged)
      var (repaired, lost) = (0, 0)
      var failures: [Failure] = []
      if repair, !damaged.isEmpty {
        let repair = try await context.core.repairDocuments(found)
        lost = repair.lost
        for report in repair.reports {
          repaired += report.stored
          failures += report.failures(in: context)
        }
      }
      let document = DocumentVerificationDocument(
        objects: objects, damaged: damaged, repaired: repaired)
      let text =
        damaged.isEmpty
        ? "\(HumanText.count(objects, "file")) read; all are as they were fetched"
        : "\(HumanText.count(objects, "file")) read; \(damaged.count.grouped) damaged or missing"
          + (repair ? ", \(repaired.grouped) fetched again" : "")
      try await context.terminal.print(document, text: text)
      if !repair, !damaged.isEmpty {
        failures.append(
          Failure(
            .input, "\(HumanText.count(damaged.count, "file")) damaged or missing",
            Hint(
              "Fetch them again with",
              .init(["documents", "verify", "--repair"] + context.accountOption))))
      }
      if lost > 0, failures.isEmpty {
        failures.append(
          Failure(
            .input, "\(HumanText.count(lost, "file")) could not be fetched again",
            "The provider has no earlier versions, and no files of deleted invoices."))
      }
      if let failures = Failures(failures) { throw failures }
    }
  }
}
