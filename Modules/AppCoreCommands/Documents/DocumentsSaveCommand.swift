import AppCore
import ArgumentParser
import Documents
import ErrorCodes
import Foundation
import Models
import Presentation
import Storage
import SystemSupport

struct DocumentsSaveCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "save", abstract: "Write the file of one invoice; fetch it if it is not there.")
  static let examples = [
    "documents save INV-0042", "documents save INV-0042 -o - | lp",
    "documents save INV-0042 --kind attachment -o receipts/",
  ]

  @OptionGroup var global: GlobalOptions
  @OptionGroup var accountOption: AccountOption

  @Argument(
    help: ArgumentHelp(
      "The invoice's number or id, in any case, or the first 8 letters of its id.", valueName: "id"),
    completion: ConfiguredValues.invoiceNumbers)
  var id: String

  @Option(
    help: ArgumentHelp("Take this kind: pdf, attachment or ubl.", valueName: "kind"),
    completion: ListCompletion.of(DocumentKind.allCases.map(\.rawValue)),
    transform: { try DocumentKindOption.word($0, DocumentKind.self) })
  var kind = DocumentKind.pdf

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write to this file, into this folder, or - for standard output. Default: a file named for "
        + "the invoice, in the current folder.",
      valueName: "file"),
    completion: .file())
  var output: String?

  @Flag(help: "Replace a file that exists.")
  var clobber = false

  func run(in environment: CommandEnvironment) async throws {
    try await CommandContext.run(global, account: accountOption.account, in: environment) {
      context in
      let (invoice, files) = try await files(in: context)
      guard output != "-" else { return try await write(files, in: context) }
      let folder = folder(in: environment)
      guard folder != nil || files.count == 1 else {
        throw Failures(
          Failure(
            .ambiguous, "there are \(files.count) files, and -o names one",
            "Name a folder: its name ends with /."))
      }
      var names = DocumentNames()
      let pattern = try DocumentNamePattern("{date} {number} {contact}{ext}")
      var documents: [FileDocument] = []
      for file in files {
        let name = names.choose(pattern.name(of: file, of: invoice.stored))
        let place = URL(filePath: folder.map { $0 + name } ?? environment.path(output ?? name))
        let path = context.core.documentStore.path(of: file.sha256 ?? "")
        let target = DocumentFolder(
          path: place.deletingLastPathComponent().path(percentEncoded: false),
          existing: clobber ? .replace : .refuse, copies: true)
        _ = try await BlockingWork.run {
          try target.place(object: path, as: place.lastPathComponent)
        }
        let written = place.path(percentEncoded: false)
        documents.append(FileDocument(file, of: invoice.stored, path: written))
        if !context.terminal.isJSON { context.terminal.note("Wrote \(printable(written))") }
      }
      if context.terminal.isJSON {
        try await context.terminal.printJSON(FilesDocument(documents))
      }
    }
  }

  /// Returns the invoice and its files of the kind, each of which is in the store.
  private func files(
    in context: CommandContext
  ) async throws -> (DocumentedInvoice, [StoredDocument]) {
    let account = context.account
    func found() async throws -> DocumentedInvoice {
      let found =
        try await context.database()?.documentedInvoices(named: id, account: account) ?? []
      guard let only = found.first, found.count == 1 else {
        throw Failures(Failure(invoicesNamed: id, found.map(\.stored)))
      }
      return only
    }
    var invoice = try await found()
    func stored() -> [StoredDocument] {
      invoice.documents.filter { file in
        file.kind == kind && file.state == .stored && !file.isStale
          && context.core.documentStore.holds(file.sha256 ?? "", size: file.size)
      }
    }
    var files = stored()
    if files.isEmpty {
      var options = DocumentSyncOptions()
      (options.kinds, options.maximumWait) = ([kind], .seconds(60))
      options.keys = [invoice.key]
      let isLost = invoice.documents.contains { file in
        file.kind == kind && file.state == .stored
          && !context.core.documentStore.holds(file.sha256 ?? "", size: file.size)
      }
      if isLost { options.refresh = .all }
      let report = try await context.fetchDocuments(account, options)
      if let failures = Failures(report.failures(in: context)) { throw failures }
      invoice = try await found()
      files = stored()
    }
    guard !files.isEmpty else {
      throw Failures(
        Failure(.notFound, "'\(printable(id))' has no file of the kind \(kind.rawValue)"))
    }
    return (invoice, files)
  }

  private func write(_ files: [StoredDocument], in context: CommandContext) async throws {
    guard let file = files.first, files.count == 1 else {
      throw Failures(
        Failure(
          .ambiguous, "there are \(files.count) files; standard output takes one",
          "Name a folder with -o."))
    }
    guard !context.terminal.output.isTerminal else {
      throw UsageError("A terminal cannot show the file; write it to a file or a pipe.")
    }
    let path = context.core.documentStore.path(of: file.sha256 ?? "")
    try await context.terminal.write(contentsOf: path)
  }

  /// Returns the folder to write into, with a slash at its end; `nil` if the user names a file.
  private func folder(in environment: CommandEnvironment) -> String? {
    guard let output else { return environment.currentDirectory + "/" }
    let path = environment.path(output)
    if path.hasSuffix("/") { return path }
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    return exists && isFolder.boolValue ? path + "/" : nil
  }
}
