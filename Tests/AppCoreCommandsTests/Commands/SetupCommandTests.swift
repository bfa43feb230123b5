import AppCore
import ErrorCodes
import Foundation
import Models
import Providers
import Sync
import TestSupport
import Testing

@testable import AppCoreCommands

@Suite(.timeLimit(.minutes(10))) struct SetupCommandTests {
  private func empty() throws -> CommandFixture {
    let fixture = try CommandFixture()
    try FileManager.default.removeItem(atPath: path(fixture))
    return fixture
  }

  private func path(_ fixture: CommandFixture) -> String {
    fixture.home.file("config/appcore/config.yaml")
  }

  @Test("without a configuration, appcore says in a few lines how to begin")
  func firstRun() async throws {
    let fixture = try empty()
    let ending = await fixture.run()
    #expect(ending.status == .done && ending.errors.isEmpty)
    #expect(ending.output.split(separator: "\n").count == 5, "\(ending.output)")
    #expect(ending.output.contains("appcore setup"))
    let login = await fixture.run("login")
    #expect(login.status == .configuration)
    #expect(login.errors.contains("Run: appcore setup"), "\(login.errors)")
    #expect(try await CommandFixture().run().output.contains("SUBCOMMANDS"))
  }

  @Test("setup asks its questions, hides secrets, and writes a readable private file")
  func dialogue() async throws {
    let fixture = try empty()
    let ending = await fixture.run(
      "setup", "--no-browser", "--timeout", typed: ["quickbooks", "my-id", "my-secret"])
    #expect(ending.status == .usage, "an unknown option asks nothing")
    let refused = await fixture.run(
      "setup", "--account", "shop", "--device",
      typed: ["nosuch", "quickbooks"])
    #expect(refused.status == .usage && refused.errors.contains("Unknown provider 'nosuch'"))
    #expect(refused.errors.contains("Describe a provider of your own in the configuration"))
    let setup = await fixture.run(
      "setup", "--account", "shop", "--device", typed: ["2", "my-id", "my-secret"])
    #expect(
      setup.errors.contains(
        """
          2) QuickBooks: invoices, credit memos, bills, vendor credits, payments, contacts
             A sync reads what changed; everything if the last sync is over 29 days old.
             Sign-in: browser, with the address of its last page pasted; or access token.
          3) Stripe: invoices, credit notes, contacts
        """), "\(setup.errors)")
    #expect(setup.errors.contains("https://developer.intuit.com/app/developer/dashboard"))
    #expect(!setup.errors.contains("http://127.0.0.1"), "Intuit allows no IP address")
    #expect(setup.errors.contains("Client secret (not shown): [unseen]"))
    #expect(setup.errors.contains("QuickBooks has no device sign-in"), "\(setup.errors)")
    let text = try String(contentsOfFile: path(fixture), encoding: .utf8)
    #expect(text.contains("clientID: my-id") && !text.contains("my-secret"))
    let secret = fixture.home.file("config/appcore/shop.secret")
    #expect(try String(contentsOfFile: secret, encoding: .utf8) == "my-secret")
    for file in [path(fixture), secret] {
      let attributes = try FileManager.default.attributesOfItem(atPath: file)
      #expect(attributes[.posixPermissions] as? Int == 0o600, "\(file)")
    }
    let shown = await fixture.run("config", "show")
    #expect(shown.output.contains("accounts.shop.clientID: my-id  (\(path(fixture)):"))
  }

  @Test("setup offers a provider that is not built in, and says where to get what it takes")
  func ownProvider() async throws {
    var fixture = try empty()
    fixture.providers = [LedgerProvider()]
    let setup = await fixture.run(
      "setup", "--force", typed: ["nosuch", "ledger", "secret-pass"])
    let all = CoreConfiguration().allProviders
    let builtIn = all.filter { !$0.profile.isFromDocumentation }.map(\.name)
    let described = all.filter(\.profile.isFromDocumentation).map(\.name)
    for text in [
      """
        \(builtIn.count + 1)) Ledger & Sons: ledgers, receipts
           A sync reads the last page.
           Sign-in: entry pass.
      """,
      "Described, from the vendor's documentation:\n  \(builtIn.count + 2)) ",
      "available: \((builtIn + ["ledger"] + described).joined(separator: ", "))",
      "Get your entry pass at https://ledger.example/passes\nAsk the clerk.",
      "Entry pass (not shown): [unseen]",
      "No server runs there. Start it, or correct providers.ledger.baseURL.",
    ] { #expect(setup.errors.contains(text), "\(text) in \(setup.errors)") }
    let text = try String(contentsOfFile: path(fixture), encoding: .utf8)
    #expect(text.contains("provider: ledger\n"), "\(text)")
    let sync = await fixture.run("sync", "invoices")
    #expect(sync.errors.contains("appcore login --account default --token-stdin"))
    let first = try empty()
    #expect(await first.run().output.contains("connect Xero, "))
  }

  @Test("setup adds an account of a provider that the configuration describes")
  func describedProvider() async throws {
    let fixture = try empty()
    let yaml = """
      providers:
        acme:
          kind: rest
          baseURL: https://127.0.0.1:1/v1
          tokenName: acme key
          resources:
            contacts:
              path: /contacts
              fields: { id: id }
      """
    try Data(yaml.utf8).write(to: URL(fileURLWithPath: path(fixture)))
    let setup = await fixture.run(
      "setup", "--account", "shop", "--no-sync", typed: ["acme", "secret-key"])
    for text in [
      ") acme: contacts\n", "Acme key (not shown): [unseen]",
      "To sign in later: appcore login --account shop --token-stdin",
    ] { #expect(setup.errors.contains(text), "\(text) in \(setup.errors)") }
    let shown = await fixture.run("config", "show")
    #expect(shown.output.contains("accounts.shop.provider: acme"), "\(shown.output)")
  }

  @Test("setup leads to QuickBooks' real books: Production keys, and Intuit's page as redirect URI")
  func quickBooks() async throws {
    let fixture = try empty()
    let page = "https://developer.intuit.com/v2/OAuth2Playground/RedirectUrl"
    let setup = await fixture.run(
      "setup", "--no-browser",
      typed: ["quickbooks", "my-id", "http://127.0.0.1:14285/callback", "", "my-secret"])
    for text in [
      "Take the keys of Production: Development keys reach sandbox companies only.",
      "and enter this redirect URI there: \(page)\n", "Redirect URI (Enter for \(page)): ",
      "This cannot be used: expected an https address",
      "https://appcenter.intuit.com/connect/oauth2?", "redirect_uri=https%3A%2F%2Fdeveloper.intuit",
      "The browser ends on developer.intuit.com.",
      "the sign-in ends on another page, and nobody pasted its address",
    ] { #expect(setup.errors.contains(text), "\(text) in \(setup.errors)") }
    let text = try String(contentsOfFile: path(fixture), encoding: .utf8)
    #expect(text.contains("redirectURI: \"\(page)\"") && !text.contains("redirectPort"), "\(text)")
    let sandbox = try empty()
    _ = await sandbox.run(
      "setup", "--no-input", "--provider", "quickbooks", "--environment", "sandbox", "--client-id",
      "c", "--client-secret-file", fixture.home.file("config/appcore/default.secret"))
    let other = try String(contentsOfFile: path(sandbox), encoding: .utf8)
    #expect(other.contains("environment: sandbox\n") && other.contains("redirectHost: localhost\n"))
    #expect(other.contains("# The redirect URI to register: http://localhost:14285/callback\n"))
    let status = await sandbox.run("status")
    #expect(status.output.contains("  login      sandbox, signed-out"), "\(status.output)")
    #expect(status.output.contains("  invoices   sandbox, none; never synced"), "\(status.output)")
    let account = try #require(
      (try await sandbox.run("status", "--json").document()["accounts"] as? [[String: Any]])?.first)
    #expect(account["environment"] as? String == "sandbox")
  }

  @Test("setup signs in to Square with an Application ID and an own https page, or takes a token")
  func square() async throws {
    let fixture = try empty()
    let setup = await fixture.run(
      "setup", "--provider", "square", "--no-browser",
      typed: ["sq0idp-1", "", "https://me.example/done"])
    for text in [
      "Application ID (not shown; Enter for your access token instead): ", "Redirect URL: ",
      "https://connect.squareup.com/oauth2/authorize?", "code_challenge=",
      "The browser ends on me.example.",
    ] { #expect(setup.errors.contains(text), "\(text) in \(setup.errors)") }
    #expect(!setup.errors.contains("Client secret"), "\(setup.errors)")
    let text = try String(contentsOfFile: path(fixture), encoding: .utf8)
    #expect(text.contains("redirectURI: \"https://me.example/done\""), "\(text)")
    let token = await (try empty()).run("setup", "--provider", "square", typed: ["", ""])
    #expect(token.errors.contains("Access token (not shown): [unseen]"), "\(token.errors)")
    let none = await (try empty()).run(
      "setup", "--no-input", "--provider", "square", "--client-id", "c")
    #expect(none.status == .usage && none.errors.contains("--redirect-uri"), "\(none.errors)")
  }

  @Test("setup offers Moneybird's personal token, the simple way to one administration")
  func moneybird() async throws {
    let fixture = try empty()
    let setup = await fixture.run("setup", "--provider", "moneybird", typed: ["", ""])
    for text in [
      "Register an external OAuth application; it has a Client ID and a Client Secret.\n",
      "Or get your personal API token there instead of an app.\n"
        + "Create a personal API token with access to sales invoices and documents.",
      "Client ID (not shown; Enter for your personal API token instead): ",
      "Personal API token (not shown): [unseen]",
    ] { #expect(setup.errors.contains(text), "\(text) in \(setup.errors)") }
    let written = await (try empty()).run(
      "setup", "--no-input", "--provider", "moneybird", "--token-stdin", "--no-sync", input: "")
    #expect(written.status == .usage, "\(written.errors)")
  }

  @Test("--token-stdin prints the steps to a token, and none to an app")
  func tokenAdvice() async throws {
    for (provider, advice) in [
      (
        "moneybird",
        "Get your personal API token at https://moneybird.com/user/applications/new\n"
          + "Create a personal API token"
      ),
      (
        "square",
        "Get your access token at https://developer.squareup.com/apps\nOpen your application;"
      ),
      (
        "stripe",
        "Get your API key at https://dashboard.stripe.com/apikeys\nCreate a restricted key"
      ),
      ("quickbooks", nil), ("xero", nil),
    ] as [(String, String?)] {
      let setup = await (try empty()).run(
        "setup", "--provider", provider, "--token-stdin", typed: [""])
      if let advice { #expect(setup.errors.contains(advice), "\(setup.errors)") }
      for word in ["Register", "redirect", "Redirect URL", "Client ID", "type \"Mobile"] {
        #expect(!setup.errors.contains(word), "\(word) in \(setup.errors)")
      }
    }
  }

  @Test("a provider without a sandbox, and an address that is no https page, are refused")
  func refusedAnswers() async throws {
    let xero = await (try empty()).run(
      "setup", "--no-input", "--provider", "xero", "--environment", "sandbox", "--client-id", "c")
    #expect(xero.status == .usage && xero.errors.contains("Xero has no sandbox"), "\(xero.errors)")
    for address in ["http://me.example/", "https://", "https://a@me.example/", "me.example"] {
      let ending = await (try empty()).run("setup", "--redirect-uri", address)
      #expect(ending.status == .usage && ending.errors.contains("https address"), "\(address)")
    }
  }

  @Test("Xero's sign-in can use the host name that the app registered")
  func localhost() async throws {
    let fixture = try empty()
    let setup = await fixture.run(
      "setup", "--provider", "xero", "--redirect-host", "localhost", "--device", typed: ["my-id"])
    #expect(setup.errors.contains("http://localhost:14285/callback"), "\(setup.errors)")
    let shown = await fixture.run("config", "show")
    #expect(shown.output.contains("accounts.default.redirectHost: localhost"), "\(shown.output)")
  }

  @Test("setup uses the provider's own word for its token, and asks for no secret if there is none")
  func providerWords() async throws {
    let stripe = await (try empty()).run("setup", "--provider", "stripe", typed: ["", "", ""])
    #expect(stripe.errors.contains("Get your API key at https://dashboard.stripe.com/apikeys"))
    #expect(stripe.errors.contains("API key (not shown): [unseen]"), "\(stripe.errors)")
    let fixture = try empty()
    let xero = await fixture.run("setup", "--provider", "xero", "--device", typed: ["my-id"])
    #expect(xero.errors.contains("it has no client secret"), "\(xero.errors)")
    #expect(!xero.errors.contains("Client secret"), "\(xero.errors)")
    #expect(FileManager.default.fileExists(atPath: path(fixture)))
  }

  @Test(
    "--sandbox refuses the answers that it gives itself",
    arguments: [
      ["--provider", "stripe"], ["--client-id", "c"], ["--device"], ["--token-stdin"], ["--force"],
      ["--no-sync"], ["--account", "a"],
    ])
  func sandboxAnswers(options: [String]) async throws {
    let ending = await (try empty()).run(["setup", "--sandbox"] + options)
    #expect(ending.status == .usage)
    #expect(ending.errors.contains("so it excludes \(options[0])"), "\(ending.errors)")
  }

  @Test("a client secret is checked, and the command that signs in keeps the other answers")
  func keptAnswers() async throws {
    let fixture = try empty()
    let answers = ["setup", "--no-input", "--provider", "quickbooks", "--client-id", "c"]
    let absent = await fixture.run(answers + ["--client-secret-file", "none"])
    #expect(absent.status == .configuration && absent.errors.contains("none: cannot read the file"))
    #expect(!FileManager.default.fileExists(atPath: fixture.file("config/appcore/config.yaml")))
    _ = try fixture.home.write("s", to: "secret")
    chmod(fixture.file("secret"), 0o600)
    let ending = await fixture.run(
      answers + ["--client-secret-file", "secret", "--organisation", "A B", "--no-browser"])
    #expect(
      ending.errors.hasSuffix("appcore login --organisation 'A B' --no-browser\n"),
      "\(ending.errors)")
  }

  @Test("setup asks for the address and the organisation of a described provider that needs them")
  func described() async throws {
    let fixture = try empty()
    let setup = await fixture.run(
      ["setup", "--no-sync"],
      typed: ["chargebee", "ftp://acme", "https://acme.chargebee.com/api/v2", "secret-key"])
    for text in [
      "Chargebee: invoices, payments, contacts", "Set baseURL to https://SITE.chargebee.com/api/v2",
      "This cannot be used: expected an http or https URL.", "API key (not shown): ",
    ] { #expect(setup.errors.contains(text), "\(text) in \(setup.errors)") }
    #expect(!setup.errors.contains("secret-key"))
    let text = try String(contentsOfFile: path(fixture), encoding: .utf8)
    #expect(text.contains("baseURL: \"https://acme.chargebee.com/api/v2\""), "\(text)")
    let answers = ["setup", "--no-input", "--client-id", "c", "--provider"]
    let second = try empty()
    let named = await second.run(answers + ["fakturoid", "--organisation", "applecorp"])
    #expect(named.errors.hasSuffix("appcore login\n"), "\(named.errors)")
    let other = try String(contentsOfFile: path(second), encoding: .utf8)
    #expect(other.contains("tenantID: applecorp"), "\(other)")
    for (options, problem) in [
      (["fakturoid"], "pass it with --organisation"),
      (["moco", "--token-stdin"], "Pass it with --base-url."),
      (["moco", "--base-url", "http://moco.example"], "--base-url: expected https"),
    ] {
      let refused = await (try empty()).run(answers + options)
      #expect(refused.status == .usage && refused.errors.contains(problem), "\(refused.errors)")
    }
  }

  @Test("a wrong answer is asked for again")
  func wrongAnswer() async throws {
    let fixture = try empty()
    let ending = await fixture.run(
      ["setup", "--no-sync"], typed: ["99", "stripe", "", "sk_1"])
    #expect(ending.errors.contains("Unknown provider '99'; available: "), "\(ending.errors)")
    #expect(ending.errors.contains("config.yaml"), "\(ending.errors)")
    let ended = await (try empty()).run(["setup"], typed: ["99"])
    #expect(ended.status == .usage)
    #expect(ended.errors.contains("Setup got no answer; pass it with --provider."))
  }

  @Test("a folder, and a file that is no text, are named as such")
  func unreadableFiles() async throws {
    let fixture = try empty()
    let folder = await fixture.run("status", "--config", fixture.home.path)
    #expect(folder.errors.contains("this is a folder, not a file"), "\(folder.errors)")
    let file = fixture.home.file("bytes.yaml")
    try Data([0xFF, 0xFE, 0x41]).write(to: URL(filePath: file))
    let bytes = await fixture.run("status", "--config", file)
    #expect(bytes.errors.contains("the file is not text in UTF-8"), "\(bytes.errors)")
  }

  @Test("--force renames the earlier configuration")
  func replaced() async throws {
    let fixture = try CommandFixture()
    let before = try String(contentsOfFile: path(fixture), encoding: .utf8)
    for name in ["config.yaml.old", "config.yaml.old-2"] {
      let ending = await fixture.run(
        "setup", "--force", "--no-input", "--provider", "xero", "--client-id", "c")
      let kept = fixture.home.file("config/appcore/" + name)
      #expect(ending.errors.contains("The earlier configuration is now \(kept)."), "\(ending)")
    }
    #expect(try String(contentsOfFile: path(fixture) + ".old", encoding: .utf8) == before)
    #expect(try String(contentsOfFile: path(fixture), encoding: .utf8).contains("clientID: c"))
  }

  @Test("--force keeps the file with the client secret that the earlier configuration names")
  func keptSecret() async throws {
    let fixture = try empty()
    for secret in ["first", "second"] {
      _ = await fixture.run(
        "setup", "--force", "--provider", "quickbooks", "--device", typed: ["my-id", secret])
    }
    let files = try [path(fixture) + ".old", path(fixture)].map {
      try String(contentsOfFile: $0, encoding: .utf8)
    }
    let kept = fixture.home.file("config/appcore/default.secret")
    #expect(files[0].contains("clientSecretFile: \(kept)\n"))
    #expect(files[1].contains("clientSecretFile: \(kept)-2\n"))
    #expect(try String(contentsOfFile: kept, encoding: .utf8) == "first")
    #expect(try String(contentsOfFile: kept + "-2", encoding: .utf8) == "second")
  }

  @Test("with --no-input, setup writes the configuration and opens no browser")
  func writesAlone() async throws {
    let fixture = try empty()
    let file = fixture.home.file("my config.yaml")
    let arguments = ["setup", "--no-input", "--config", file, "--provider"]
    let ending = await fixture.run(arguments + ["xero", "--client-id", "c", "--account", "shop"])
    #expect(ending.status == .done)
    #expect(
      ending.errors
        == "Wrote \(file).\nNext, sign in: appcore --config '\(file)' login --account shop\n",
      "\(ending.errors)")
    let secret = await fixture.run(arguments + ["quickbooks", "--client-id", "c", "--force"])
    #expect(secret.status == .usage && secret.errors.contains("--client-secret-file"))
    #expect(!FileManager.default.fileExists(atPath: file + ".old"))
  }

  @Test(
    "without a keyring, setup writes nothing, or keeps the login in an encrypted file if asked to")
  func withoutKeyring() async throws {
    let fixture = try empty()
    let secret = fixture.home.file("secret")
    try ConfigurationDraft.writeSecret("s", to: secret)
    let answers = [
      "setup", "--provider", "quickbooks", "--client-id", "c", "--client-secret-file", secret,
      "--device",
    ]
    let refused = await fixture.run(answers + ["--no-input"], store: AbsentKeyring())
    #expect(refused.status == .configuration, "\(refused.errors)")
    #expect(refused.errors.contains("appcore setup --secret-store encrypted-file"))
    #expect(!FileManager.default.fileExists(atPath: path(fixture)))
    let key = fixture.home.file("config/appcore/key")
    let asked = await fixture.run(answers, typed: [""], answer: true, store: AbsentKeyring())
    #expect(asked.errors.contains("The keyring cannot be used: no D-Bus session.\n"))
    #expect(asked.errors.contains("QuickBooks has no device sign-in"), "\(asked.errors)")
    let first = try String(contentsOfFile: key, encoding: .utf8)
    #expect(try String(contentsOfFile: path(fixture), encoding: .utf8).contains("keyFile: "))
    let again = await fixture.run(
      answers + ["--force", "--no-input", "--secret-store", "encrypted-file"])
    #expect(again.errors.contains("Wrote \(path(fixture))"), "\(again.errors)")
    #expect(try String(contentsOfFile: key, encoding: .utf8) == first, "the key is kept")
    let attributes = try FileManager.default.attributesOfItem(atPath: key)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test("a setup with another store than that of the logins leaves the configuration alone")
  func otherStore() async throws {
    let fixture = try CommandFixture()
    let before = try String(contentsOfFile: path(fixture), encoding: .utf8)
    let memory = fixture.home.file("state/appcore/secret-store")
    try FileManager.default.createDirectory(
      atPath: fixture.home.file("state/appcore"), withIntermediateDirectories: true)
    try Data("keyring\n".utf8).write(to: URL(filePath: memory))
    let ending = await fixture.run(
      "setup", "--force", "--no-input", "--provider", "xero", "--client-id", "c",
      "--secret-store", "encrypted-file")
    #expect(
      ending.status == .configuration && ending.errors.contains("the logins are in the keyring"))
    // Nothing is left that looks like the key of some logins.
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: fixture.home.file("config/appcore"))
        == ["config.yaml"])
    #expect(try String(contentsOfFile: path(fixture), encoding: .utf8) == before)
  }

  @Test("without a terminal or with --no-input, the missing option is named")
  func noInput() async throws {
    let fixture = try empty()
    for options in [["--no-input"], ["--quiet"]] {
      let ending = await fixture.run("setup", options[0])
      #expect(ending.status == .usage && ending.errors.contains("--provider"))
    }
    let empty = await fixture.run("setup", "--no-input", "--provider", "stripe", "--token-stdin")
    #expect(empty.status == .usage && empty.errors.contains("Standard input holds no token."))
    let ending = await fixture.run("setup", "--no-input", "--provider", "xero")
    #expect(ending.status == .usage && ending.errors.contains("--client-id"))
    #expect(!FileManager.default.fileExists(atPath: path(fixture)))
  }

  @Test("each value is shown with its source, and no secret is shown")
  func show() async throws {
    let fixture = try CommandFixture(
      configuration: """
        defaultAccount: home
        accounts: { home: { provider: acme } }
        sessions: { invoices: { headers: { x-key: canary }, concurrency: 2 } }
        """)
    let file = path(fixture)
    let ending = await fixture.run(
      "config", "show", variables: ["APPCORE_CLIENT_ID": "from-environment"])
    #expect(ending.status == .done, "\(ending.errors)")
    for line in [
      "file: \(file)  (default)", "defaultAccount: home  (\(file):1)",
      "sessions.invoices.concurrency: 2  (\(file):3)",
      "sessions.auth.timeout.connect: 5s  (default)", "sessions.auth.redirects: none  (default)",
      "sessions.invoices.redirects: 5  (default)",
      "sessions.invoices.proxy: environment  (default)",
      "sessions.invoices.retry.baseDelay: 500ms  (default)",
      "sessions.invoices.minimumTLSVersion: 1.2  (default)",
      "accounts.home.clientID: from-environment  ($APPCORE_CLIENT_ID)",
      "sync.maximumDeletedPercent: 20  (default)",
    ] {
      #expect(ending.output.contains(line + "\n"), "\(line) in \(ending.output)")
    }
    #expect(!ending.output.contains("canary"))
    #expect(await fixture.run("config", "path").output == file + "\n")
    let json = try await fixture.run("config", "show", "--json").document()
    #expect(json["schemaVersion"] as? Int == 1 && json["exists"] as? Bool == true)
  }
}

/// A provider that is not built in; no server answers at its address.
private struct LedgerProvider: Provider {
  let name = "ledger"

  var profile: ProviderProfile {
    var profile = ProviderProfile(
      title: "Ledger & Sons", records: "ledgers, receipts", reads: "the last page",
      baseURL: "https://127.0.0.1:1", tokenName: "entry pass")
    profile.registrationURL = "https://ledger.example/passes"
    profile.steps = "Ask the clerk."
    return profile
  }

  func lists(in context: ProviderContext) -> [ProviderList] {
    [.invoices(XeroFeed(XeroInvoices.self, baseURL: context.baseURL))]
  }
}
