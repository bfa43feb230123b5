package import AppCore
package import Documents
import ErrorCodes
package import Models
package import Storage

extension DocumentReport {
  /// Returns the reasons why files are missing; empty if the run is complete.
  package func failures(in configuration: CoreConfiguration?) -> [Failure] {
    var found: [Failure] = []
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
      let option = HintAccount(account, in: configuration).option
      found.append(
        Failure(
          .budgetSpent, "stopped after the \(allowed) that was allowed; there may be more files",
          Hint("Go on with", .init(["documents", "sync"] + option))))
    }
    if outage == nil {
      if let listFailure {
        found.append(Failure(listFailure, in: configuration, account: account))
      }
      found += failures.prefix(20).map { failure in
        let name = [failure.number ?? failure.invoiceID, failure.kind.rawValue, failure.name]
          .compactMap(\.self).joined(separator: " ")
        return Failure(
          failure.code, "\(name): \(failure.message)",
          Hint("See them all with", .init(["documents", "list", "--failed"])))
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
          failure.error.recoverySuggestion.map { Hint(Sentence($0)) })
      })
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
