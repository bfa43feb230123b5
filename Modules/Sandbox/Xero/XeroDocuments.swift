import Foundation
import HTTPTypes
import Hummingbird
import Models

/// Single invoices and credit notes, as JSON or as PDF, and their attachments.
extension XeroRoutes {
  private static let attachmentScopes = ["accounting.attachments", "accounting.attachments.read"]

  /// A row of one of the two lists whose rows have files.
  private enum Record {
    case invoice(LedgerInvoice)
    case note(LedgerSettlement)

    init?(_ list: String, _ id: String?, of tenant: Tenant) {
      if list == "Invoices" {
        guard let invoice = id.flatMap(tenant.ledger.invoice) else { return nil }
        self = .invoice(invoice)
      } else {
        let notes = LedgerSettlement.of(tenant.ledger.all, kinds: [.creditNote])
        guard let note = notes.first(where: { $0.id == id }) else { return nil }
        self = .note(note)
      }
    }

    func write(to writer: inout JSONWriter) {
      switch self {
      case .invoice(let invoice):
        invoice.write(to: &writer, unitDecimals: LedgerQuery().unitDecimals)
      case .note(let note): note.write(to: &writer)
      }
    }
  }

  func addDocuments(to router: Router<SandboxContext>) {
    for list in ["Invoices", "CreditNotes"] {
      router.get("/api.xro/2.0/\(list)/:id") { request, context in
        respond(request, types: ["application/json", "application/pdf"]) { tenant in
          guard let record = Record(list, context.parameters.get("id"), of: tenant) else {
            return nil
          }
          guard Self.accepts(["application/json"], request) else {
            return pdf(of: record).map { Response($0.content(state.configuration.documents)) }
          }
          return Response(json: Self.rows(list, [record]) { $0.write(to: &$1) })
        }
      }
      router.get("/api.xro/2.0/\(list)/:id/Attachments") { request, context in
        respond(request, types: ["application/json"], scopes: Self.attachmentScopes) { tenant in
          let id = context.parameters.get("id")
          return Record(list, id, of: tenant).map { record in
            Response(
              json: Self.rows("Attachments", attachments(of: record)) { attachment, writer in
                write(attachment, of: "\(list)/\(id ?? "")", to: &writer)
              })
          }
        }
      }
      router.get("/api.xro/2.0/\(list)/:id/Attachments/:attachment") { request, context in
        respond(request, types: [], scopes: Self.attachmentScopes) { tenant in
          let id = context.parameters.get("attachment")
          guard let record = Record(list, context.parameters.get("id"), of: tenant),
            let attachment = attachments(of: record).first(where: { $0.id == id })
          else { return nil }
          guard HTTPField.Name("contentType").flatMap({ request.headers[$0] }) != nil else {
            return Response(
              json: XeroEnvelope.queryError("The header contentType is missing"),
              status: .badRequest)
          }
          return Response(attachment.content(state.configuration.documents))
        }
      }
    }
  }

  private func pdf(of record: Record) -> LedgerDocument? {
    switch record {
    case .invoice(let invoice): state.configuration.renders(invoice) ? .pdf(invoice) : nil
    case .note(let note): .note(note)
    }
  }

  private func attachments(of record: Record) -> [LedgerAttachment] {
    guard case .invoice(let invoice) = record else { return [] }
    return LedgerAttachment.of(invoice, state.configuration.documents)
  }

  private func write(
    _ attachment: LedgerAttachment, of parent: String, to writer: inout JSONWriter
  ) {
    let name = attachment.name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    writer.object { writer in
      writer.member("AttachmentID", attachment.id)
      writer.member("FileName", attachment.name)
      writer.member("Url", "\(state.issuer)/api.xro/2.0/\(parent)/Attachments/\(name)")
      writer.member("MimeType", attachment.mediaType)
      writer.member("ContentLength", attachment.content(state.configuration.documents).size)
      writer.member("IncludeOnline", false)
    }
  }

  private static func rows<Row>(
    _ list: String, _ rows: [Row], write: (Row, inout JSONWriter) -> Void
  ) -> [UInt8] {
    XeroEnvelope.rows(list, rows, id: UUID().uuidString.lowercased(), at: now, write: write)
  }
}
