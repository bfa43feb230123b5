import AppCore
import ArgumentParser
import Documents
import ErrorCodes
import Foundation
import Models
import Presentation
import Storage
import Synchronization

struct DocumentsExportCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write the stored files of invoices, a list of them and their checksums.")
  static let examples = [
    "documents export --month last --zip march.zip",
    "documents export --year 2024 --dir ~/Invoices --skip-existing",
    "documents export --dir books --layout beancount",
  ]

  @OptionGroup var global: GlobalOptions
  @OptionGroup var accountsOption: AccountsOption
  @OptionGroup var filter: InvoiceFilterOptions
  @OptionGroup var kinds: DocumentKindOption

  @Option(
    help: ArgumentHelp("Write into this folder.", valueName: "folder"), completion: .directory)
  var dir: String?

  @Option(
    help: ArgumentHelp(
      "Write this ZIP file, or - for standard output; it replaces an earlier ZIP file.",
      valueName: "file"),
    completion: .file(extensions: ["zip"]))
  var zip: String?

  @Option(
    help: ArgumentHelp(
      "Name the files by this pattern; default: {year}/{month}/{date} {number} {contact}.",
      valueName: "pattern"))
  var name: String?

  @Option(help: "Name the files as another program finds them.")
  var layout: DocumentLayout?

  @Flag(help: "Leave files that exist with another content as they are.")
  var skipExisting = false

  @Flag(
    help: """
      Replace files that exist with another content, edited lists, and a file of --zip that is no \
      ZIP file.
      """)
  var clobber = false

  func validate() throws {
    guard (dir == nil) != (zip == nil) else {
      throw ValidationError("Name a folder with --dir, or a file with --zip.")
    }
    for (option, value) in [("--dir", dir), ("--zip", zip)] where value == "" {
      // An unset variable of a script is no wish for the current folder.
      throw ValidationError("The value of \(option) is empty.")
    }
    if skipExisting, clobber {
      throw ValidationError("--skip-existing and --clobber exclude each other.")
    }
    if name != nil, layout != nil {
      throw ValidationError("--name and --layout exclude each other.")
    }
    do { _ = try pattern } catch { throw ValidationError("\(error.description).") }
  }

  private var pattern: DocumentNamePattern {
    get throws(DocumentError) {
      if let name { return try DocumentNamePattern(name) }
      return layout == .beancount ? .beancount : .standard
    }
  }

  func run(in environment: CommandEnvironment) async throws {
    try await CommandContext.run(global, accounts: accountsOption, in: environment) { context in
      var query = filter.query
      query.accounts = context.accounts
      guard let database = try await context.database() else {
        throw Failures(
          Failure(
            .nothingStored, "nothing was fetched yet", context.nothingStored(of: .invoices)))
      }
      let export = DocumentExport(
        objects: context.core.documentStore.objects, pattern: try pattern)
      let (place, destination) = try destination(in: context)
      let (asked, wanted) = (query, kinds.kinds)
      let report = try await context.waiting(first: "Writing files…") { show in
        try await export.write(to: destination) { progress in
          show("Files  \(progress.files.grouped)  \(HumanText.size(progress.bytes))")
        } reading: { body in
          try await database.forEachDocumentedInvoice(matching: asked) { invoice in
            try body(invoice.keeping(wanted))
          }
        }
      }
      try await print(report, to: place, in: context)
    }
  }

  private func destination(
    in context: CommandContext
  ) throws -> (path: String, DocumentExport.Destination) {
    if let dir {
      let existing: DocumentFolder.Existing =
        clobber ? .replace : skipExisting ? .skip : .refuse
      return (
        dir,
        .folder(
          DocumentFolder(path: context.environment.path(dir), existing: existing, copies: true))
      )
    }
    guard let zip, zip != "-" else {
      guard !context.terminal.output.isTerminal, !context.terminal.isJSON else {
        throw UsageError("A terminal cannot show the ZIP file; write it to a file or a pipe.")
      }
      let output = context.terminal.output
      return ("-", .zipStream { try output.write($0).check() })
    }
    return (zip, .zip(path: context.environment.path(zip), replaces: clobber))
  }

  /// The largest number of skipped files that are named.
  private static let namedFiles = 20

  private func print(
    _ report: DocumentExportReport, to path: String, in context: CommandContext
  ) async throws {
    let terminal = context.terminal
    let without =
      report.invoicesWithoutFile > 0
      ? "; \(report.invoicesWithoutFile.grouped) of \(HumanText.count(report.invoices, .invoices)) "
        + "have no file" : ""
    let files =
      HumanText.count(report.progress.files - report.unchanged, "file")
      + (report.replaced > 0 ? ", replacing \(report.replaced.grouped)" : "")
      + (report.unchanged > 0 ? ", \(report.unchanged.grouped) unchanged" : "")
    let skipped =
      report.skipped > 0
      ? "; \(report.skipped.grouped) skipped, as other files have their names" : ""
    let text =
      "Wrote \(files) (\(HumanText.size(report.progress.bytes))) of "
      + "\(HumanText.count(report.invoices, .invoices)) to \(printable(path))\(without)\(skipped)"
    if terminal.isJSON {
      try await terminal.printJSON(DocumentExportDocument(report, to: path))
    } else {
      terminal.note(text)
      let named = report.skippedNames.prefix(Self.namedFiles)
      for name in named { terminal.note("Skipped \(printable(name))") }
      if report.skipped > named.count {
        terminal.note("Skipped \((report.skipped - named.count).grouped) more")
      }
    }
    if let failures = Failures(report) { throw failures }
  }
}

/// An arrangement of files that another program expects.
enum DocumentLayout: String, ExpressibleByArgument, CaseIterable {
  /// Folders named for accounts, as beancount's option `documents` finds them.
  case beancount
}
