package import AppCore
package import Documents
import ErrorCodes
package import Models
package import Storage

extension DocumentReport {
  /// Returns the reasons why files are missing; empty if the run is complete.
  ///
  /// - Parameter options: the options of the command that goes on, besides the account.
  package func failures(
    in configuration: CoreConfiguration?, repeating options: [String] = []
  ) -> [Failure] {
    var found: [Failure] = []
    let option = HintAccount(account, in: configuration).option
    if let denial { found.append(Failure(denial, in: configuration, account: account)) }
    if let outage { found.append(Failure(outage, in: configuration, account: account)) }
    if ending == .rateLimit {
      let sentence: Sentence =
        if let retryAt { "rate limit reached; retry after \(retryAt)" } else {
          "rate limit reached"
        }
      found.append(
        Failure(.rateLimited, sentence, "What was fetched is stored. Run it again after that time.")
      )
    }
    if ending == .duration || ending == .limit {
      let allowed = ending == .limit ? "number of files" : "time"
      found.append(
        Failure(
          .budgetSpent, "stopped after the \(allowed) that was allowed; there may be more files",
          Hint("Go on with", .init(["documents", "sync"] + option + options))))
    }
    if outage == nil {
      if let listFailure {
        let failure = Failure(listFailure, in: configuration, account: account)
        var named = Failure(
          failure.code, "the list of attachments: \(failure.message)", failure.advice)
        named.providerMessage = failure.providerMessage
        found.append(named)
      }
      found += failures.prefix(20).map { failure in
        let name = [failure.number ?? failure.invoiceID, failure.kind.rawValue, failure.name]
          .compactMap(\.self).joined(separator: " ")
        return Failure(
          failure.code, "\(name): \(failure.message)",
          Hint("See them all with", .init(["documents", "list", "--failed"] + option)))
      }
    }
    if let folderFailure {
      found.append(Failure(folderFailure, in: configuration, account: account))
    }
    return found
  }
}

extension Failures {
  /// Creates the failures of the first files that an export did not write; `nil` if it wrote all.
  package init?(_ report: DocumentExportReport) {
    self.init(
      report.failures.prefix(20).map { failure in
        Failure(
          failure.error.code, "\(failure.number ?? failure.invoiceID): \(failure.error)",
          failure.error.hint ?? failure.error.recoverySuggestion.map { Hint(Sentence($0)) })
      })
  }
}

extension DocumentError {
  /// The hint for a file that a command does not replace by itself; `nil` for other errors.
  var hint: Hint? {
    switch self {
    case .exists, .noArchive: "Move it, choose another name, or replace it with --clobber."
    default: nil
    }
  }
}

extension DocumentedInvoice {
  /// Returns the invoice with the files of these kinds; `nil` keeps all.
  package func keeping(_ kinds: Set<DocumentKind>?) -> DocumentedInvoice {
    guard let kinds else { return self }
    var kept = self
    kept.documents = documents.filter { kinds.contains($0.kind) }
    return kept
  }
}
