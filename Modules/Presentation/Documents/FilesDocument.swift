package import Documents
import ErrorCodes
import Foundation
import Models
package import Storage

/// A file of an invoice as JSON; absent values are `null`.
package struct FileDocument: Encodable {
  let account: String
  let invoiceID: String
  let invoiceNumber: Nullable<String>
  let kind: String
  let id: Nullable<String>
  let name: Nullable<String>
  let mediaType: Nullable<String>
  let size: Nullable<Int>
  let sha256: Nullable<String>
  let state: String
  let isStale: Bool
  let errorCode: Nullable<String>
  let fetchedAt: Nullable<Timestamp>
  let path: Nullable<String>

  /// - Parameter path: the path of the stored object; `nil` if it is not there.
  package init(_ document: StoredDocument, of invoice: StoredInvoice, path: String?) {
    account = document.account
    invoiceID = document.invoiceID
    invoiceNumber = Nullable(invoice.invoice.number)
    kind = document.kind.rawValue
    id = Nullable(document.id.isEmpty ? nil : document.id)
    name = Nullable(document.name)
    mediaType = Nullable(document.mediaType)
    size = Nullable(document.size)
    sha256 = Nullable(document.sha256)
    state = document.state.rawValue
    isStale = document.isStale
    errorCode = Nullable(document.errorCode)
    fetchedAt = Nullable(document.fetchedAt)
    self.path = Nullable(path)
  }

  /// Appends the JSON of a file as one line.
  package static func append(_ document: FileDocument, to text: inout [UInt8]) {
    text += JSONText.encode(document).utf8
  }
}

/// Files of an invoice as JSON.
package struct FilesDocument: Encodable {
  let schemaVersion = 1
  let documents: [FileDocument]

  package init(_ documents: [FileDocument]) { self.documents = documents }
}

/// The report of a run that fetched files, as JSON.
package struct DocumentReportDocument: Encodable {
  let schemaVersion = 1
  let account: String
  let provider: String
  let result: String
  let ending: Nullable<String>
  let stored: Int
  let unchanged: Int
  let gone: Int
  let unsupported: Int
  let failed: Int
  let failures: [Failed]
  let denied: [Denied]
  let listErrorCode: Nullable<String>
  let bytes: Int
  let requests: Int
  let retryAt: Nullable<Timestamp>
  let durationSeconds: Double

  /// A kind of file that the login may not read.
  struct Denied: Encodable {
    let kind: String
    let scope: Nullable<String>
  }

  /// A file that could not be fetched.
  struct Failed: Encodable {
    let invoiceID: String
    let invoiceNumber: Nullable<String>
    let kind: String
    let name: Nullable<String>
    let errorCode: String
    let message: String
  }

  package init(_ report: DocumentReport) {
    account = report.account
    provider = report.provider
    result = report.isDryRun ? "dry-run" : report.isComplete ? "complete" : "partial"
    ending = Nullable(report.ending?.rawValue)
    stored = report.stored
    unchanged = report.unchanged
    gone = report.gone
    unsupported = report.unsupported
    failed = report.failed
    failures = report.failures.map {
      Failed(
        invoiceID: $0.invoiceID, invoiceNumber: Nullable($0.number), kind: $0.kind.rawValue,
        name: Nullable($0.name), errorCode: $0.code.rawValue, message: $0.message)
    }
    denied = report.denied.map {
      Denied(kind: $0.kind.rawValue, scope: Nullable($0.scope))
    }
    listErrorCode = Nullable(report.listFailure?.code.rawValue)
    bytes = report.bytes
    requests = report.requests
    retryAt = Nullable(report.retryAt)
    durationSeconds = report.duration.inSeconds
  }
}

/// The reports of several accounts, as JSON.
package struct DocumentReportsDocument: Encodable {
  let schemaVersion = 1
  let reports: [DocumentReportDocument]

  package init(_ reports: [DocumentReport]) {
    self.reports = reports.map(DocumentReportDocument.init)
  }
}

/// The result of an export of files, as JSON.
package struct DocumentExportDocument: Encodable {
  let schemaVersion = 1
  let to: String
  let files: Int
  let bytes: Int
  let invoices: Int
  let invoicesWithoutFile: Int
  let unchanged: Int
  let replaced: Int
  let skipped: Int
  let failed: Int

  package init(_ report: DocumentExportReport, to path: String) {
    to = path
    files = report.progress.files
    bytes = report.progress.bytes
    invoices = report.invoices
    invoicesWithoutFile = report.invoicesWithoutFile
    unchanged = report.unchanged
    replaced = report.replaced
    skipped = report.skipped
    failed = report.failures.count
  }
}

/// The result of reading every stored file again, as JSON.
package struct DocumentVerificationDocument: Encodable {
  let schemaVersion = 1
  let objects: Int
  let damaged: [String]
  let repaired: Int

  package init(objects: Int, damaged: [String], repaired: Int) {
    (self.objects, self.damaged, self.repaired) = (objects, damaged, repaired)
  }
}
