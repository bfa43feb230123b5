import HTTPTypes
import Hummingbird
import Models

/// The PDFs and e-invoices of sales, and the attachments of all invoices.
extension MoneybirdRoutes {
  func addDocuments(to router: Router<SandboxContext>) {
    let path = "/api/v2/:administration/sales_invoices/:id"
    router.get("\(path)/download_pdf") { request, context in
      file(request, context) { state.configuration.renders($0) ? .pdf($0) : nil }
    }
    router.get("\(path)/download_ubl") { request, context in
      file(request, context, isLinked: false) {
        state.configuration.renders($0) ? .ubl($0) : nil
      }
    }
    for list in MoneybirdInvoiceList.allCases {
      let path = "/api/v2/:administration/\(list.path)/:id"
      router.get("\(path)/attachments/:attachment/download") { request, context in
        file(request, context, of: list) { invoice in
          let id = context.parameters.get("attachment")
          return LedgerAttachment.of(invoice, state.configuration.documents)
            .first { MoneybirdIdentifier.of($0.id) == id }.map { .attachment($0) }
        }
      }
    }
  }

  /// Answers with a redirect to a file of an invoice, or with the file itself.
  private func file(
    _ request: Request, _ context: SandboxContext, of list: MoneybirdInvoiceList = .sales,
    isLinked: Bool = true,
    _ document: (LedgerInvoice) -> LedgerDocument?
  ) -> Response {
    respond(request, context, list) { invoices in
      let id = context.parameters.get("id")
      let invoice = invoices.first { MoneybirdIdentifier.of($0.id) == id }
      guard let invoice, invoice.status != .deleted, let document = document(invoice)
      else { return Self.problem(.notFound, "record not found") }
      guard isLinked else { return Response(document.content(state.configuration.documents)) }
      return Response(status: .found, headers: [.location: state.links.url(of: document)])
    }
  }
}

extension LedgerAttachment {
  /// Writes the attachment as a member of its invoice in Moneybird's form.
  func writeMoneybird(_ options: SandboxDocuments, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", MoneybirdIdentifier.of(id))
      writer.member("administration_id", 123)
      writer.member("attachable_id", MoneybirdIdentifier.of(invoice.id))
      writer.member("attachable_type", "Invoice")
      writer.member("filename", name)
      writer.member("content_type", mediaType)
      writer.member("size", content(options).size)
      writer.member("rotation", 0)
    }
  }
}
