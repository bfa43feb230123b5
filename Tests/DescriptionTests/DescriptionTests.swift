import Documents
import Foundation
import Models
import Networking
import ProviderConformance
import ProviderDescriptions
import Providers
import Sync
import Testing

@testable import AppCore

/// The descriptions that ship: each is read, held against written examples of the vendor's answers,
/// and synced from a server that plays it.
@Suite(.timeLimit(.minutes(20))) struct DescriptionTests {
  static let names = ProviderDescriptions.texts.keys.sorted()

  private static var root: URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
  }

  private static func names(in folder: URL, _ type: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == type }.map { $0.deletingPathExtension().lastPathComponent }
      .sorted()
  }

  @Test("every file of the folder ships, with an example of the vendor's answers")
  func complete() throws {
    let files = try Self.names(in: Self.root.appending(path: "Config/providers"), "yaml")
    #expect(files == Self.names)
    #expect(try Self.names(in: WrittenExample.folder, "json") == Self.names)
    for (name, text) in ProviderDescriptions.texts {
      let file = Self.root.appending(path: "Config/providers/\(name).yaml")
      #expect(try Array(Data(contentsOf: file)) == text, "\(name)")
    }
  }

  @Test(
    "a description says what a person needs to sign in, and cites its sources", arguments: names)
  func words(name: String) throws {
    let profile = try CoreConfiguration().provider(name).profile
    #expect(profile.isFromDocumentation)
    #expect(profile.title != name && profile.title.contains(where: \.isUppercase))
    #expect(profile.registrationURL?.hasPrefix("https://") == true)
    #expect(profile.steps?.isEmpty == false)
    let text = String(decoding: try #require(ProviderDescriptions.texts[name]), as: UTF8.self)
    #expect(text.contains("# Sources:") && text.contains("https://"))
  }

  @Test("these descriptions say where the PDF of an invoice is")
  func documents() throws {
    let company = "companies%2842%29"
    func content(_ list: String) -> String {
      "/v2.0/production/api/v2.0/\(company)/\(list)%28i%29/pdfDocument/pdfDocumentContent"
    }
    let expected: [String: [InvoiceType: String]] = [
      "business-central": [
        .invoice: content("salesInvoices"), .creditNote: content("salesCreditMemos"),
        .bill: content("purchaseInvoices"),
      ],
      "fakturoid": [
        .invoice: "/api/v3/accounts/42/invoices/i/download.pdf",
        .creditNote: "/api/v3/accounts/42/invoices/i/download.pdf",
      ],
      "moco": [.invoice: "/api/v1/invoices/i.pdf"],
      "recurly": [.invoice: "/invoices/i.pdf", .creditNote: "/invoices/i.pdf"],
      "tripletex": [.invoice: "/v2/invoice/i/pdf", .creditNote: "/v2/invoice/i/pdf"],
      "zoho-books": [.invoice: "/books/v3/invoices/i?organization_id=42"],
    ]
    var found: [String: [InvoiceType: String]] = [:]
    for name in Self.names {
      let baseURL = try Self.description(name).baseURL
      let context = ProviderContext(account: "default", baseURL: baseURL, tenantID: "42")
      guard let source = try CoreConfiguration().provider(name).documents(in: context)
      else { continue }
      for type in InvoiceType.allCases {
        let invoice = Invoice(
          id: "i", type: type, status: .open, rawStatus: "",
          currency: try #require(Currency(code: "EUR")), total: .zero)
        guard source.renders(.pdf, of: invoice),
          case .file(let request) = try source.place(of: .pdf, of: invoice)
        else { continue }
        let query = request.url.query().map { "?" + $0 } ?? ""
        found[name, default: [:]][type] = request.url.path() + query
      }
    }
    #expect(found == expected)
  }

  @Test("a description reads the vendor's answers as they are", arguments: names)
  func examples(name: String) async throws {
    let description = try Self.description(name)
    let example = try WrittenExample(name)
    let described = Dictionary(uniqueKeysWithValues: description.resources.map { ($0.kind, $0) })
    #expect(
      Set(example.lists.map(\.name)) == Set(description.resources.map { Self.listName($0.kind) }))
    for list in example.lists {
      guard let resource = described.first(where: { Self.listName($0.key) == list.name })?.value
      else { continue }
      let differences =
        switch resource.kind.kind {
        case .invoices: try await list.differences(Invoice.self, resource, of: description)
        case .payments: try await list.differences(Payment.self, resource, of: description)
        case .contacts: try await list.differences(Contact.self, resource, of: description)
        }
      #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
    }
  }

  @Test(
    "a described provider meets the requirements of every provider",
    arguments: try names.flatMap { name in try checks(of: name).map { (name, $0) } })
  func conformance(name: String, check: ConformanceCheck) async throws {
    // The sandbox's tokens are bearer tokens; how a request carries one is tried elsewhere.
    let own = try Self.description(name)
    let description = try RESTDescription(
      baseURL: own.baseURL, headers: own.headers, identity: own.identity, resources: own.resources)
    let suite = ProviderConformance(RESTProvider(name: name, description: description)) {
      try await PlayedDescription(description)
    }
    let findings = try await suite.findings(of: check)
    #expect(findings.isEmpty, "\(findings)")
  }

  /// The checks that apply: a list of a single page cannot be interrupted, nor can its rows move.
  private static func checks(of name: String) throws -> [ConformanceCheck] {
    let isOnePage = try description(name).resources.first?.paging.style == RESTPaging.Style.none
    return ConformanceCheck.allCases.filter { check in
      (isComplete || !general.contains(check))
        && (!isOnePage || ![.interruption, .movingRows].contains(check))
    }
  }

  /// The checks in which no description differs from others with its paging and its reports of
  /// changes: `ProviderConformanceTests` make them with every kind of list, and the proof
  /// `descriptions` with every description.
  private static let general: Set<ConformanceCheck> = [
    .rateLimit, .serverErrors, .credentials, .expiredCursor, .brokenAnswers, .cancellation,
    .deepNests, .massDeletion, .movingRows,
  ]

  private static let isComplete =
    ProcessInfo.processInfo.environment["APPCORE_DESCRIPTIONS"] == "all"

  private static func description(_ name: String) throws -> RESTDescription {
    try #require(try ShippedDescriptions.provider(name)).provider.description
  }

  /// The list's name in an example: `invoices`, and `invoices-2` for the second of a kind.
  private static func listName(_ kind: Resource) -> String { kind.rawValue }
}
