import ErrorCodes
import Models
import TestSupport
import Testing

@testable import AppCoreCommands

extension JSONSession {
  /// The sessions; together they print every document.
  static let all = [
    records, syncs, lists, files, accounts, organisations, configuration, errors, serverErrors,
  ]

  private static let records = JSONSession(
    name: "records",
    prepare: { fixture in
      var owls = SampleRecords.contact("c-1", "Żółw & Spółka", email: "owls@example.com")
      (owls.phone, owls.taxNumber, owls.isCustomer) = ("+48 1", "PL1", true)
      try await fixture.store(
        [
          try SampleRecords.complete("a-1", number: "2024-1"),
          try SampleRecords.invoice(
            "b-1", number: "2024-2", contact: Party(id: "c-1"), "7.50", status: .void),
          try SampleRecords.invoice(
            "c-1", contact: Party(id: "c-1"), "1200", "JPY", type: .bill, due: nil),
        ], contacts: [owls, SampleRecords.contact("c-2", nil)])
    },
    steps: [
      Step("invoices list --json"), Step("invoices list --json --all --sort total"),
      Step("invoices show 2024-1 --json"), Step("invoices export --json"),
      Step("invoices export --format jsonl"), Step("invoices summary --json"),
      Step("invoices summary --by quarter --json"), Step("invoices summary --by contact --json"),
      Step("invoices summary --by status --json"),
      Step("invoices summary --in CAD --json"),
      Step("invoices summary --by tax-rate --in CAD --json"),
      Step("invoices summary --by tax-rate --json"), Step("invoices summary --ageing --json"),
      Step("invoices summary --ageing --by contact --json"),
      Step("payments list --json"), Step("payments show p-1 --json"),
      Step("payments export --json"), Step("payments export --format jsonl"),
      Step("contacts list --json"), Step("contacts show c-1 --json"),
      Step("contacts export --json"), Step("contacts export --format jsonl"),
      Step("report --html report.html --json"), Step("report --each reports --json"),
    ])

  private static let syncs = JSONSession(
    name: "syncs", resources: contacts,
    steps: [
      Step("status --json"), Step("login --token-stdin --json", ok("[]")),
      Step("sync invoices --json", ok(rows("1", "2", "3"))),
      Step("sync contacts --json", ok(#"[{"id":"c","name":"Ada"}]"#)),
      Step("sync all --json", ok(rows("1", "2", "3")), ok(#"[{"id":"c","name":"Ada"}]"#)),
      Step("sync invoices --dry-run --full --json", ok(rows("1", "2", total: "9.99"))),
      Step("sync invoices --limit 1 --json", ok(rows("1", "2", "3"))),
      Step("sync invoices --progress json --quiet", ok(rows("1", "2", "3"))),
      Step("sync invoices --json", ok(rows("1", "2", total: "?"))),
      Step("status --runs 2 --json"),
      Step("doctor --json", ok(""), ok(rows("1"))),
      Step("doctor --provider acme --json", ok(rows("1")), ok(#"[{"id":"c","name":"Ada"}]"#)),
      Step("logout --forget-invoices --json"),
    ])

  private static let lists = JSONSession(
    name: "lists", resources: otherLists, prepare: { await $0.logIn() },
    steps: [
      Step("sync credit-notes --json", ok(rows("1"))),
      Step("sync external-invoices --json", ok("[]")), Step("sync bills --json", ok("[]")),
      Step(
        "sync payments --json",
        ok(#"[{"id":"p","day":"2024-05-02","amount":"1.50","paid":[{"id":"1","part":"1.50"}]}]"#)),
      Step("sync prepayments --json", ok("[]")), Step("sync overpayments --json", ok("[]")),
      Step("payments show p --json"),
    ])

  private static let files = JSONSession(
    name: "files",
    configuration: """
      accounts: { default: { provider: acme } }
      sessions: { documents: { concurrency: 1 } }
      """,
    resources: #"        document: { path: "/invoices/{id}/pdf", accept: application/pdf }"#,
    prepare: { await $0.logIn() },
    steps: [
      Step("sync invoices --json", ok(rows("1", "2"))),
      Step("documents sync --dry-run --json"),
      Step("documents sync --json", pdf, ok("<html>")), Step("documents list --json"),
      Step("documents sync --all-accounts --json", pdf),
      Step("documents save A-1 --json"), Step("documents export --dir files --json"),
      Step("documents verify --json"),
    ])

  private static let pdf = ok("%PDF-1.4\n%%EOF\n")

  private static let accounts = JSONSession(
    name: "accounts",
    configuration: """
      defaultAccount: one
      accounts: { one: { provider: acme }, two: { provider: acme } }
      """,
    steps: [
      Step("login --token-stdin --account one --json", ok("[]")),
      Step("login --token-stdin --account two --json", ok("[]")),
      Step("sync all --all-accounts --json", ok(rows("1")), ok(rows("1"))),
      Step("invoices summary --all-accounts --json"), Step("logout --all --json"),
      Step("sync all --all-accounts --json"),
    ])

  private static let organisations = JSONSession(
    name: "organisations",
    configuration: "accounts: { default: { provider: xero, clientID: c } }",
    resources: "  xero: { baseURL: \"{server}\" }",
    steps: [
      Step(
        "login --token-stdin --organisation Bolt --json", ok(connections), ok(connections)),
      Step("organisations list --json", ok(connections)),
      Step("organisations add Acme --json", ok(connections)),
      Step("organisations add --all --json", ok(connections)),
      Step("status --json"), Step("organisations rename acme acme-2 --json"),
      Step("organisations remove acme-2 --json"),
    ])

  private static let configuration = JSONSession(
    name: "configuration",
    steps: [
      Step("--version --json"), Step("config path --json"), Step("config show --json"),
      Step("describe SERVER/v1/invoices --json", ok(rows("1", "2"))),
    ])

  private static let errors = JSONSession(
    name: "errors",
    prepare: { fixture in
      try await fixture.store(
        ["a", "b"].map { try SampleRecords.invoice($0, number: "same") },
        contacts: [SampleRecords.contact("c-1", "Ada")])
    },
    steps: [
      Step("lst --json"), Step("invoices list --limit -1 --json"),
      Step("sync invoices --max-duration 0s --json"),
      Step("invoices show same --json"), Step("invoices show none --json"),
      Step("contacts show none --json"), Step("invoices list --account nobody --json"),
      Step("invoices list --config /nowhere.yaml --json"),
      Step("invoices export --output none/out.json --json"), Step("login --json"),
      Step("sync contacts --json"), Step("sync invoices --json"),
    ])

  private static let serverErrors = JSONSession(
    name: "server-errors", prepare: { await $0.logIn() },
    steps: [
      Step("sync invoices --json", ok("<html>")),
      Step("sync invoices --json", CommandFixture.reply("{}", status: "400 No")),
      Step("sync invoices --json", CommandFixture.reply("{}", status: "404 No")),
      Step(
        "sync invoices --json",
        "HTTP/1.1 429 No\r\nRetry-After: 3600\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
      Step("sync invoices --json", CommandFixture.reply("{}", status: "401 No")),
    ])

  private static let contacts = """
          contacts:
            path: /contacts
            rows: .
            fields: { id: id, name: name, status: { value: active } }
    """

  private static let otherLists =
    """
          credit-notes:
            path: /credits
            rows: .
            fields: { id: id, number: number, type: { value: credit-note },
                      status: { path: status }, currency: { value: EUR }, total: total }

    """
    + ["external-invoices", "bills"].map { name in
      """
            \(name):
              path: /\(name)
              rows: .
              fields: { id: id, type: { value: invoice }, status: { value: open },
                        currency: { value: EUR }, total: total }

      """
    }.joined()
    + ["payments", "prepayments", "overpayments"].map { name in
      """
            \(name):
              path: /\(name)
              rows: .
              fields:
                id: id
                type: { value: receipt }
                currency: { value: EUR }
                date: day
                amount: amount
                allocations: { path: paid, fields: { invoiceID: id, amount: part } }
      """
    }.joined(separator: "\n")

  private static let connections = """
    [{"tenantId":"11","tenantName":"Acme","tenantType":"ORGANISATION"},\
    {"tenantId":"22","tenantName":"Bolt","tenantType":"ORGANISATION"}]
    """

  private static func ok(_ body: String) -> String { CommandFixture.reply(body) }

  /// Invoices of the provider; a given total is that of the last.
  private static func rows(_ ids: String..., total: String = "1.50") -> String {
    let rows = ids.map { id in
      let total = id == ids.last ? total : "1.50"
      return #"{"id":"\#(id)","number":"A-\#(id)","status":"open","day":"2024-05-01","#
        + #""total":"\#(total)"}"#
    }
    return "[" + rows.joined(separator: ",") + "]"
  }
}
