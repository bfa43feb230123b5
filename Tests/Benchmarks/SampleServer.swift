import Foundation
import TestSupport

/// A static server with the sample invoices, in pages of several sizes.
struct SampleServer {
  let invoices: SampleInvoices
  let totals: SampleInvoices.Totals
  private let server: NginxServer
  private let folder: TemporaryDirectory

  var url: String { server.url }

  /// Writes the organisation that a login reaches, and the names of its taxes and accounts.
  static func writeOrganisation(to folder: TemporaryDirectory) throws {
    _ = try folder.write(
      #"[{"tenantId":"t","tenantName":"Bench","tenantType":"ORGANISATION"}]"#,
      to: "connections.json")
    _ = try folder.write(
      #"{"TaxRates":[{"TaxType":"OUTPUT2","Name":"20% (VAT on Income)"}]}"#, to: "TaxRates--.json")
    _ = try folder.write(
      #"{"Accounts":[{"Code":"200","Name":"Sales"}]}"#, to: "Accounts--.json")
  }

  static func start(_ pages: [(SamplePages.Shape, size: Int)], invoices count: Int) async throws
    -> SampleServer
  {
    let folder = try TemporaryDirectory()
    let invoices = try SampleInvoices(count: count)
    try writeOrganisation(to: folder)
    for (shape, size) in pages {
      let bytes = try SamplePages(invoices: invoices, pageSize: size).write(
        shape, to: folder.path)
      print("\(shape.rawValue), pages of \(size): \(bytes / 1_000_000) MB")
    }
    var options = NginxServer.Options()
    options.root = folder.path
    return SampleServer(
      invoices: invoices, totals: invoices.totals(),
      server: try await NginxServer.start(options, files: [:]), folder: folder)
  }

  func pages(of size: Int) -> Int { SamplePages(invoices: invoices, pageSize: size).count }

  func stop() async { await server.stop() }
}
