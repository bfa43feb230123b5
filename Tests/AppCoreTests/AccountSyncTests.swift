import Authentication
import Foundation
import Models
import Networking
import Providers
import Sandbox
import SecureStore
import Storage
import Sync
import SystemSupport
import TestSupport
import Testing

@testable import AppCore
@testable import Documents

/// Syncs of many organisations that one login reaches, in this process.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct AccountSyncTests {
  /// A server of several organisations, and a core with an account for each.
  private struct Scene {
    let server: SandboxServer
    let core: ApplicationCore
    let folder: TemporaryDirectory
    let names: [String]

    init(organisations: Int, _ adjust: (inout SandboxConfiguration) -> Void = { _ in }) async throws
    {
      var sandbox = SandboxConfiguration()
      sandbox.source = .generated(invoices: 30, seed: 5)
      sandbox.tenants = organisations
      sandbox.limits = SandboxLimits()
      adjust(&sandbox)
      server = try await SandboxServer.untilEnd(sandbox)
      folder = try TemporaryDirectory()
      let secret = try folder.write(server.machineClientSecret, to: "secret")
      let books = server.tenantIDs.enumerated().map {
        "  book\($0): { login: firm, tenantID: \"\($1)\" }"
      }
      let file = try folder.write(
        """
        database: \(folder.file("data.sqlite"))
        providers: { xero: { baseURL: "\(server.url)", tokenURL: "\(server.url)/connect/token" } }
        accounts:
          firm: { clientID: \(server.machineClientID), clientSecretFile: \(secret) }
        \(books.joined(separator: "\n"))
        """, to: "config.yaml")
      names = (0..<organisations).map { "book\($0)" }
      core = try ApplicationCore(
        ConfigurationLoader(environment: [:]).load(path: file), in: folder)
    }

    func signIn(_ account: String = "firm") async throws {
      _ = try await core.signIn(account, with: .clientCredentials)
    }

    func stored(_ account: String) async throws -> [String] {
      var query = InvoiceQuery()
      (query.account, query.includesVoidAndDeleted) = (account, true)
      // The credit notes are of another list.
      query.types = [.invoice, .bill]
      return try await core.database().invoices(matching: query).map(\.invoice.id).sorted()
    }

    func served(_ index: Int) -> [String] {
      server.invoices(of: server.tenantIDs[index]).map(\.id).sorted()
    }
  }

  @Test("each account holds exactly its own records, with one sign-in for all")
  func together() async throws {
    let scene = try await Scene(organisations: 12)
    try await scene.signIn("book3")
    let results = await scene.core.sync(accounts: scene.names).results
    #expect(results.map(\.account) == scene.names)
    #expect(results.allSatisfy { $0.isComplete && $0.reports.count == 6 })
    for (index, name) in scene.names.enumerated() {
      #expect(try await scene.stored(name) == scene.served(index))
    }
    let statistics = await scene.server.statistics()
    #expect(statistics.tokenRequests["client_credentials"] == 1)
    #expect(statistics.organisations.values.allSatisfy { $0.refused == 0 })
  }

  @Test("one account's failure stops no other")
  func oneFails() async throws {
    let scene = try await Scene(organisations: 6)
    try await scene.signIn()
    scene.server.armFault(
      Fault(
        path: "/api.xro*", kind: .status, organisation: scene.server.tenantIDs[2], times: 99,
        status: 403, body: #"{"Title":"Forbidden","Detail":"AuthorizationUnsuccessful"}"#))
    let results = await scene.core.sync([.invoices], accounts: scene.names).results
    #expect(results.filter { !$0.isComplete }.map(\.account) == ["book2"])
    guard case .failure(let error) = try #require(results[2].outcomes.first).result else {
      Issue.record("book2 did not fail")
      return
    }
    if case SyncError.accessDenied(status: 403, _) = error {} else { Issue.record("\(error)") }
    #expect((error as? SyncError)?.providerMessage?.text == "AuthorizationUnsuccessful")
    let run = try await scene.core.state(ofAccount: "book2").syncs.first?.runs.first
    #expect(run?.record.cause?.hasSuffix("; the provider says: AuthorizationUnsuccessful") == true)
    for index in [0, 1, 3, 4, 5] {
      #expect(try await scene.stored(scene.names[index]) == scene.served(index))
    }
    #expect(try await scene.stored("book2").isEmpty)
  }

  @Test("a list that the login may not read fails alone")
  func oneListFails() async throws {
    let scene = try await Scene(organisations: 1)
    try await scene.signIn()
    scene.server.armFault(
      Fault(
        path: "/api.xro/2.0/Contacts", kind: .status, times: 99, status: 403,
        body: #"{"Title":"Forbidden","Detail":"AuthorizationUnsuccessful"}"#))
    let outcomes = try await #require(
      scene.core.sync(accounts: scene.names).results.first
    ).outcomes
    #expect(outcomes.last?.resource == .contacts)
    #expect(try outcomes[0].result.get().result == .complete)
    #expect(try await scene.stored("book0") == scene.served(0))
    #expect(outcomes.dropLast().allSatisfy { (try? $0.result.get())?.result == .complete })
    guard case .failure(SyncError.accessDenied(status: 403, _))? = outcomes.last?.result else {
      Issue.record("\(outcomes)")
      return
    }
  }

  @Test("events begin and end each account, never more than the wanted number concurrently")
  func events() async throws {
    let scene = try await Scene(organisations: 7)
    try await scene.signIn()
    let running = scene.core.sync([.contacts], accounts: scene.names, concurrency: 3)
    var (open, most, ended) = (Set<String>(), 0, [String]())
    for await event in running.events {
      switch event {
      case .began(let account): #expect(open.insert(account).inserted)
      case .progress(let account, let resource, _):
        #expect(open.contains(account) && resource == .contacts)
      case .finished(let result):
        #expect(open.remove(result.account) != nil)
        ended.append(result.account)
      }
      most = max(most, open.count)
    }
    #expect(ended.sorted() == scene.names && open.isEmpty)
    #expect(most > 0 && most <= 3)
    _ = await running.results
  }

  @Test("a cancellation ends every sync, and stored records stay")
  func cancelled() async throws {
    let scene = try await Scene(organisations: 6)
    try await scene.signIn()
    // No page is answered before the test ends.
    scene.server.armFault(
      Fault(path: "/api.xro*", kind: .delay, times: 99, delayMilliseconds: 3_600_000))
    let running = scene.core.sync(accounts: scene.names, concurrency: 2)
    var events = running.events.makeAsyncIterator()
    while let event = await events.next() { if case .progress = event { break } }
    running.cancel()
    let results = await running.results
    #expect(results.map(\.account) == scene.names)
    #expect(results.allSatisfy { $0.isInterrupted && $0.outcomes.count == 1 })
    // The sequence ends as well.
    while await events.next() != nil {}
  }

  @Test("a slow reader misses progress only")
  func slowReader() async {
    let queue = AccountSyncEvents.Queue()
    let events = AccountSyncEvents(queue: queue)
    queue.add(.began(account: "a"))
    for _ in 0..<5_000 {
      queue.add(.progress(account: "a", resource: .invoices, .indexing))
    }
    queue.add(.finished(AccountSyncResult(account: "a", outcomes: [])))
    queue.finish()
    var kinds: [String] = []
    for await event in events {
      switch event {
      case .began: kinds.append("began")
      case .progress: kinds.append("progress")
      case .finished: kinds.append("finished")
      }
    }
    #expect(kinds.first == "began" && kinds.last == "finished")
    #expect(kinds.count <= 1_001)
  }

  @Test("a new sign-in to a shared login counts for each of its accounts")
  func newSignIn() async throws {
    let scene = try await Scene(organisations: 2)
    try await scene.signIn()
    _ = await scene.core.sync([.invoices], accounts: scene.names).results
    let database = try await scene.core.database()
    let before = try await database.owner(account: "book0")
    #expect(try await database.owner(account: "book1")?.login == before?.login)
    try await scene.signIn("book1")
    // Each proves again that the login reaches its organisation.
    let connections = await scene.server.statistics().requests["GET /connections"] ?? [:]
    let results = await scene.core.sync([.invoices], accounts: scene.names).results
    #expect(results.allSatisfy { $0.isComplete })
    let after = await scene.server.statistics().requests["GET /connections"] ?? [:]
    #expect((after["200"] ?? 0) - (connections["200"] ?? 0) == 2)
    let login = try await database.owner(account: "book0")?.login
    #expect(login != before?.login)
    #expect(try await database.owner(account: "book1")?.login == login)
  }

  @Test("a sign-out of one account ends the login of all, and forgetting deletes one's records")
  func signOut() async throws {
    let scene = try await Scene(organisations: 2)
    try await scene.signIn()
    _ = await scene.core.sync([.invoices], accounts: scene.names).results
    #expect(try await scene.core.signOut("book0").wasSignedIn)
    // Not while its files are fetched.
    let fetching = try await scene.core.documentStore.lock(account: "book0", timeout: .zero)
    await #expect(throws: DocumentError.self) {
      try await scene.core.forgetRecords(account: "book0", patience: .zero)
    }
    #expect(try await !scene.stored("book0").isEmpty)
    fetching.release()
    try await scene.core.forgetRecords(account: "book0")
    #expect(try await scene.stored("book0").isEmpty)
    #expect(try await scene.stored("book1") == scene.served(1))
    for name in ["firm", "book0", "book1"] {
      #expect(try await scene.core.authenticator.status(of: name).state == .signedOut)
    }
    let results = await scene.core.sync([.invoices], accounts: scene.names).results
    for result in results {
      guard
        case .failure(AuthenticationError.signInRequired(let account, _, _)) = try #require(
          result.outcomes.first
        ).result
      else {
        Issue.record("\(result)")
        continue
      }
      #expect(account == "firm")
    }
  }

  // Edge case 76
  @Test("forgetting an account keeps a file that another account's run has stored just now")
  func sharedFile() async throws {
    let scene = try await Scene(organisations: 2)
    try await scene.signIn()
    _ = await scene.core.sync([.invoices], accounts: scene.names).results
    var options = DocumentSyncOptions()
    (options.kinds, options.limit) = ([.pdf], 1)
    #expect(try await scene.core.fetchDocuments(account: "book0", options: options).stored == 1)
    let (core, store) = (scene.core, scene.core.documentStore)
    let database = try await core.database()
    let sha256 = try #require(try await database.storedObjects(accounts: ["book0"]).first)
    // The other account has the same file.
    let arrival = try store.arrival(of: "file", account: "book1")
    try FileManager.default.copyItem(atPath: store.path(of: sha256), toPath: arrival)
    var document = StoredDocument(account: "book1", invoiceID: "1", kind: .pdf)
    (document.state, document.sha256) = (.stored, sha256)
    let (came, go) = (Gate(), Gate())
    let coming = Task { [document] in
      try await store.adopt(arrival, as: sha256) {
        came.open()
        await go.wait()
        try await database.record([document], at: Timestamp(Date()))
      }
    }
    await came.wait()
    await #expect(throws: DocumentError.self) {
      try await core.forgetRecords(account: "book0", patience: .zero)
    }
    #expect(try await !scene.stored("book0").isEmpty)
    go.open()
    try await coming.joined
    try await core.forgetRecords(account: "book0")
    #expect(try await scene.stored("book0").isEmpty)
    #expect(try await store.isWhole(sha256))
    try await core.forgetRecords(account: "book1")
    #expect(!store.holds(sha256, size: nil))
  }

  @Test("organisations are added as accounts in files of their own, each once")
  func added() async throws {
    let scene = try await Scene(organisations: 4)
    try await scene.signIn()
    // The first two have an account.
    let reached = try await scene.core.reachedOrganisations(account: "book1")
    #expect(reached.map(\.account) == ["book0", "book1", "book2", "book3"])
    let unknown = reached.map {
      ReachedOrganisation(
        organisation: Organisation(id: "new-" + $0.organisation.id, name: "Évil\n# \u{202E}name"),
        login: $0.login, provider: $0.provider, account: nil)
    }
    async let first = scene.core.addAccounts(for: unknown)
    async let second = scene.core.addAccounts(for: unknown)
    let outcomes = try await [first, second]
    let files = outcomes.flatMap(\.added).map(\.file)
    #expect(files.count == 4 && Set(files).count == 4)
    #expect(outcomes.flatMap(\.existing).map(\.organisation.id).count == 4)
    let once = try await scene.core.addAccounts(for: unknown + unknown)
    #expect(once.added.isEmpty && once.existing.count == 4)
    let text = try String(contentsOfFile: files[0], encoding: .utf8)
    #expect(text.split(separator: "\n").filter { !$0.hasPrefix("#") }.count == 2, "\(text)")
    let attributes = try FileManager.default.attributesOfItem(atPath: files[0])
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(try await scene.core.addAccounts(for: reached).added.isEmpty)
    let other = ReachedOrganisation(
      organisation: Organisation(id: "other", name: nil), login: "firm", provider: "xero",
      account: nil)
    await #expect(throws: ConfigurationError.self) {
      try await scene.core.addAccounts(for: [other], named: "book0")
    }
    await #expect(throws: ConfigurationError.self) {
      try await scene.core.removeAddedAccount("book0")
    }
    let name = try #require(
      files.first.map { URL(filePath: $0).deletingPathExtension().lastPathComponent })
    #expect(name.hasPrefix("evil-name"))
    try await scene.core.removeAddedAccount(name)
    #expect(!FileManager.default.fileExists(atPath: files[0]))
  }

  @Test("an account that is only the login of others is not synced")
  func loginOnly() async throws {
    let scene = try await Scene(organisations: 2)
    #expect(await scene.core.syncedAccounts() == ["book0", "book1"])
    try await scene.signIn()
    #expect(await scene.core.syncedAccounts() == ["book0", "book1"])
    let organisation = Organisation(id: scene.server.tenantIDs[0], name: nil)
    await #expect(throws: ConfigurationError.self) {
      try await scene.core.chooseOrganisation(organisation, account: "book0")
    }
    try await scene.core.chooseOrganisation(organisation, account: "firm")
    #expect(await scene.core.syncedAccounts() == ["book0", "book1", "firm"])
  }
}
