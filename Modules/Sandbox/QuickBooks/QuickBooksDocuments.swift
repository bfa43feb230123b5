import Hummingbird
import Models

/// The PDFs of sales, and the links to attachments.
extension QuickBooksRoutes {
  func addDocuments(to router: Router<SandboxContext>) {
    for (path, kind) in [("invoice", "Invoice"), ("creditmemo", "CreditMemo")] {
      router.get("/v3/company/:realm/\(path)/:id/pdf") { request, context in
        respond(request, context) { tenant, _ in
          guard request.headers[values: .accept].contains("application/pdf") else {
            return Response(status: .notAcceptable)
          }
          let invoice = context.parameters.get("id").flatMap(tenant.ledger.invoice)
          guard let invoice, invoice.quickBooksKind == kind, state.configuration.renders(invoice)
          else { throw QuickBooksQuery.Refused(code: 610, message: "Object Not Found") }
          return Response(LedgerDocument.pdf(invoice).content(state.configuration.documents))
        }
      }
    }
    router.get("/v3/company/:realm/download/:id") { request, context in
      respond(request, context) { tenant, _ in
        let id = context.parameters.get("id")
        let attachments = QuickBooksAttachable.all(in: tenant.ledger.all, state.links)
        guard let found = attachments.first(where: { $0.attachment.id == id }) else {
          throw QuickBooksQuery.Refused(code: 610, message: "Object Not Found")
        }
        return Response(text: found.link, status: .ok)
      }
    }
  }
}

/// A row of the list of attachments.
struct QuickBooksAttachable {
  let attachment: LedgerAttachment
  private let links: DocumentLinks

  /// Returns the attachments of all documents that are not deleted, ordered by identifier.
  static func all(in rows: [LedgerInvoice], _ links: DocumentLinks) -> [QuickBooksAttachable] {
    rows.filter { $0.status != .deleted }.flatMap { LedgerAttachment.of($0, links.options) }
      .sorted { $0.id < $1.id }
      .map { QuickBooksAttachable(attachment: $0, links: links) }
  }

  /// A new link to the file.
  var link: String { links.url(of: .attachment(attachment)) }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("FileName", attachment.name)
      writer.member("FileAccessUri", "/v3/company/download/\(attachment.id)")
      writer.member("TempDownloadUri", link)
      writer.member("Size", attachment.content(links.options).size)
      writer.member("ContentType", attachment.mediaType)
      writer.array("AttachableRef") { writer in
        writer.object { writer in
          writer.object("EntityRef") { writer in
            writer.member("value", attachment.invoice.id)
            writer.member("type", attachment.invoice.quickBooksKind)
          }
          writer.member("IncludeOnSend", false)
        }
      }
      writer.member("domain", "QBO")
      writer.member("sparse", false)
      writer.member("Id", attachment.id)
      writer.member("SyncToken", "0")
      writer.quickBooksUpdate(attachment.invoice.updatedAt)
    }
  }
}
