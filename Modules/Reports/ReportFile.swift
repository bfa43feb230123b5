public import ErrorCodes
public import Foundation
import SystemSupport

/// A file that a report is written to.
public struct ReportFile: Sendable {
  /// The path, with links resolved.
  public let path: String
  /// The folder to create before the file is written.
  private var folder: String?

  /// Creates a file from its path.
  public init(path: String) {
    // Writing it reports a link that must not be followed.
    self.path = (try? FileReplacement.resolved(path)) ?? path
  }

  /// Creates the file of an account in a folder, such as `acme.html`.
  ///
  /// Writing it creates the folder.
  public init(account: String, in folder: String) {
    self.init(path: "\(folder)/\(Self.name(of: account))")
    self.folder = folder
  }

  private static func name(of account: String) -> String {
    let plain = CharacterSet(
      charactersIn: "-._0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
    return (account.addingPercentEncoding(withAllowedCharacters: plain) ?? "") + ".html"
  }

  /// Returns the report pages in a folder that are of other accounts than these, by name.
  ///
  /// A file without the mark of ``InvoiceReportPage`` is none of them.
  public static func pages(in folder: String, besides accounts: [String]) async -> [String] {
    let known = Set(accounts.map(name))
    return await BlockingWork.run {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return names.sorted().map { "\(folder)/\($0)" }.filter { path in
        guard path.hasSuffix(".html"), !known.contains((path as NSString).lastPathComponent),
          let file = FileHandle(forReadingAtPath: path)
        else { return false }
        defer { try? file.close() }
        let start = (try? file.read(upToCount: 1_024)) ?? Data()
        return start.range(of: Data(InvoiceReportPage.mark.utf8)) != nil
      }
    }
  }

  /// Writes the whole text beside the file, and renames it into place; a reader sees either the old
  /// file or the new one.
  ///
  /// Only the owner can read a new file; an existing one keeps its mode. A destination that is no
  /// file, such as `/dev/stdout` or a named pipe, is written directly.
  ///
  /// - Throws: ``ReportError``; an existing file is then unchanged.
  public func write(_ text: String) async throws {
    try await BlockingWork.run { [path, folder] in
      do {
        if let folder {
          // If there is no folder in the end, opening the file says why.
          try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        }
        let file = try FileReplacement(path, mode: 0o600)
        do {
          try file.write(text)
          try file.finish()
        } catch {
          file.discard()
          throw error
        }
      } catch let error as POSIXError where error.code == .ENOSPC || error.code == .EDQUOT {
        throw ReportError.full(path: path)
      } catch {
        throw ReportError.inaccessible(path: path, underlying: error)
      }
    }
  }
}

/// An error of writing a report.
public enum ReportError: Error, Sendable {
  /// No room is left on the disk.
  case full(path: String)
  /// The file or its folder cannot be written.
  case inaccessible(path: String, underlying: any Error)
}

extension ReportError: CodedError {
  /// The code of the cause.
  public var code: ErrorCode {
    switch self {
    case .full: .diskFull
    case .inaccessible: .report
    }
  }

  /// A sentence for the user.
  public var description: String {
    switch self {
    case .full(let path): "there is no room left for \(path)"
    case .inaccessible(let path, let underlying):
      "\(path) cannot be written"
        + ((underlying as? POSIXError).map { ": \(String(cString: strerror($0.code.rawValue)))" }
          ?? (underlying as? StrangersFile).map { ": \($0)" } ?? "")
    }
  }
}

extension ReportError: LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The step with which the user solves the problem.
  public var recoverySuggestion: String? {
    switch self {
    case .full: "Free some disk space and try again. An earlier report is unchanged."
    case .inaccessible: "Check the file, its folder and permissions, or choose another file."
    }
  }
}
