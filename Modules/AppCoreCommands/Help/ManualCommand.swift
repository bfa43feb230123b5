import AppCore
import ArgumentParser
import ErrorCodes
import Foundation
import Models
import Presentation
import SystemSupport

/// `appcore generate-manual`, which the installation runs.
struct ManualCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate-manual", abstract: "Write the manual pages into a folder.",
    shouldDisplay: false)
  static let examples: [String] = []

  @Option(
    help: ArgumentHelp(
      "Write those of another program, which printed this with --experimental-dump-help.",
      valueName: "file"), completion: .file())
  var programHelp: String?

  @Argument(help: "An existing folder.", completion: .directory)
  var folder: String

  func run(in environment: CommandEnvironment) async throws {
    let current = URL(filePath: environment.currentDirectory, directoryHint: .isDirectory)
    let folder = URL(filePath: folder, directoryHint: .isDirectory, relativeTo: current)
    for page in try pages(in: current) {
      do {
        try Data(page.text.utf8).write(to: folder.appending(path: page.fileName))
      } catch {
        throw Failures(
          Failure(
            .output, "\(page.fileName) cannot be written",
            "Check the folder and the disk."))
      }
    }
  }

  private func pages(in current: URL) throws -> [ManualPage] {
    guard let programHelp else { return ManualPage.all }
    do {
      let dump = try Data(contentsOf: URL(filePath: programHelp, relativeTo: current))
      return ManualPage.all(of: try CommandDescription(dump: dump))
    } catch {
      throw Failures(
        Failure(
          .input, "\(programHelp) cannot be read as the help of a program",
          "Write it with: PROGRAM --experimental-dump-help"))
    }
  }
}

/// A manual page for `man`, written with the macros of man(7).
struct ManualPage {
  /// The width of a terminal without the indentation of man(7).
  private static let width = 72

  let fileName: String
  let text: String

  /// A page for each command that help shows, and one for each topic.
  static var all: [ManualPage] {
    pages(of: [.appcore]) { HelpPage($0) } + HelpTopic.allCases.map(ManualPage.init)
  }

  /// Returns a page for each command of another program, which has no topics or global options.
  static func all(of program: CommandDescription) -> [ManualPage] {
    pages(of: [program.withoutBuiltInHelp]) { HelpPage($0, globalOptions: []) }
  }

  private static func pages(
    of path: [CommandDescription], _ help: ([CommandDescription]) -> HelpPage
  ) -> [ManualPage] {
    [ManualPage(path, help(path))]
      + path[path.count - 1].shownSubcommands.flatMap { pages(of: path + [$0], help) }
  }

  private init(_ path: [CommandDescription], _ page: HelpPage) {
    let program = path[0].commandName
    let isAppcore = program == CommandDescription.appcore.commandName
    let command = page.command
    var lines = Self.head(path.map(\.commandName).joined(separator: "-"), 1, command.abstract)
    lines += [".SH SYNOPSIS", ".B \(Self.escaped(page.synopsis))"]
    lines += [".SH DESCRIPTION", Self.escaped(command.abstract ?? "")]
    if let discussion = command.discussion {
      lines += Self.preformatted(WrappedText(discussion, width: Self.width).text)
    }
    for section in page.sections + [("Global options", page.globalRows)]
    where !section.rows.isEmpty {
      lines.append(".SH \"\(section.title.uppercased())\"")
      for row in section.rows {
        lines += [".TP", ".B \(Self.escaped(row.label))", Self.escaped(row.explanation)]
      }
    }
    if !command.examples.isEmpty {
      let examples = command.examples.map { "\(program) \($0)" }
      lines += [".SH EXAMPLES"] + Self.preformatted(examples.joined(separator: "\n"))
    }
    if path.count == 1 {
      lines += Self.related(
        command.shownSubcommands.map { ("\(program)-\($0.commandName)", 1) }
          + (isAppcore
            ? HelpTopic.allCases.map { ("appcore-\($0.rawValue)", 7) } : [("appcore", 1)]))
    } else {
      lines += Self.related([(program, 1)])
    }
    fileName = path.map(\.commandName).joined(separator: "-") + ".1"
    text = lines.joined(separator: "\n") + "\n"
  }

  private init(_ topic: HelpTopic) {
    let lines =
      Self.head("appcore-" + topic.rawValue, 7, topic.abstract)
      + [".SH DESCRIPTION"] + Self.preformatted(topic.body(), isWide: true)
      + Self.related([("appcore", 1)])
    fileName = "appcore-\(topic.rawValue).7"
    text = lines.joined(separator: "\n") + "\n"
  }

  private static func head(_ name: String, _ section: Int, _ abstract: String?) -> [String] {
    // NAME is a phrase without a full stop; `whatis` and `apropos` read it.
    let phrase = (abstract ?? "").prefix { $0 != "." }
    return [
      ".TH \(name.uppercased()) \(section) \"\" \"appcore \(Version.number)\" \"appcore\"",
      ".SH NAME",
      "\(escaped(name)) \\- \(escaped(phrase.prefix(1).lowercased() + phrase.dropFirst()))",
    ]
  }

  /// - Parameter isWide: true for a text as wide as a terminal, which has no room beside it.
  private static func preformatted(_ text: String, isWide: Bool = false) -> [String] {
    [".PP", ".nf"] + (isWide ? [".in 0"] : [])
      + text.split(separator: "\n", omittingEmptySubsequences: false).map { escaped(String($0)) }
      + (isWide ? [".in"] : []) + [".fi"]
  }

  private static func related(_ pages: [(name: String, section: Int)]) -> [String] {
    let ending = pages.indices.map { $0 == pages.count - 1 ? "" : "," }
    return [".SH \"SEE ALSO\""]
      + zip(pages, ending).map { ".BR \(escaped($0.name)) (\($0.section))\($1)" }
  }

  /// Returns a text whose characters mean themselves to roff.
  private static func escaped(_ text: String) -> String {
    let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
      .replacing("'", with: "\\(aq").replacing("`", with: "\\(ga").replacing("~", with: "\\(ti")
      .replacing("^", with: "\\(ha").replacing("\"", with: "\\(dq")
    return plain.hasPrefix(".") ? "\\&" + plain : plain
  }
}
