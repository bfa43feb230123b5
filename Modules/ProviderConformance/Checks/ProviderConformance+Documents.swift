import Documents
import Models
import Providers
import Storage
import Sync

// The check of the files of invoices.
extension ProviderConformance {
  func documents(_ server: any ProviderServer) async throws -> [String] {
    try await onEmptyDatabase(server) { scene in
      let organisation = server.organisations.first
      let context = scene.context(of: organisation)
      guard let source = provider.documents(in: context) else { return [] }
      var options = DocumentSyncOptions()
      // The server's login need not have a scope that invoices do without.
      options.kinds = source.kinds.filter { source.scope(for: $0) == nil }
      guard options.kinds?.isEmpty == false else { return [] }
      for resource in provider.resources(in: context) where resource.kind == .invoices {
        _ = try await scene.run(SyncOptions(), organisation: organisation, of: resource)
      }
      var problems: [String] = []
      let rendered = try await scene.database.invoices(matching: InvoiceQuery()).count {
        source.kinds.contains(.pdf) && source.renders(.pdf, of: $0.invoice)
      }
      let files = scene.files(from: source)
      let first = try await files.run(options)
      problems.expect(
        first.isComplete && first.gone == 0,
        "the run leaves out \(first.failed + first.gone) files: "
          + (first.failures.first?.message ?? first.denial?.description ?? "they are gone"))
      problems.expect(
        first.stored + first.unsupported >= rendered,
        "\(first.stored) files are stored of \(rendered) invoices")
      let second = try await files.run(options)
      problems.expect(
        second.stored == 0 && second.unchanged == first.stored && second.requests == 0,
        "a second run stores \(second.stored) files with \(second.requests) requests")
      return problems
    }
  }
}

extension ConformanceScene {
  fileprivate func files(from source: any DocumentSource) -> DocumentSync {
    DocumentSync(
      account: Self.account, provider: provider.profile.title, source: source, session: session,
      database: database, store: ObjectStore(folder: folder + "/documents"))
  }
}
