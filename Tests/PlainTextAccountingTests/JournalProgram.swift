import Foundation
import Models
import Storage
import TestSupport
import Testing

@testable import PlainTextAccounting

/// A program that reads journals.
enum JournalProgram: String, CaseIterable, CustomTestStringConvertible {
  case hledger, ledger, beancount2, beancount3

  /// A posting as a program has read it.
  struct ReadPosting: Hashable {
    let day: String
    let mark: String
    let account: String
    let amount: ExactDecimal
    let currency: String
  }

  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path(percentEncoded: false)

  var testDescription: String { rawValue }

  var format: Journal.Format {
    switch self {
    case .hledger: .hledger
    case .ledger: .ledger
    case .beancount2, .beancount3: .beancount
    }
  }

  private func inEnvironment(_ name: String) -> String {
    "\(Self.root).build/\(rawValue)/bin/\(name)"
  }

  private var program: String? {
    switch self {
    case .hledger, .ledger: ChildProcess.find(rawValue)
    case .beancount2, .beancount3:
      FileManager.default.isExecutableFile(atPath: inEnvironment("bean-check"))
        ? inEnvironment("bean-check") : nil
    }
  }

  /// Skips the test of this program, with a word, unless it is installed.
  func require() throws {
    guard program == nil else { return }
    try Test.cancel("\(self) is not there; Config/scripts/setup test installs it")
  }

  /// The files that a run of the program writes, and its language.
  private static let environment = [
    "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin", "HOME": "/nonexistent",
    "BEANCOUNT_DISABLE_LOAD_CACHE": "1",
  ]

  private func run(_ arguments: [String], _ other: String? = nil) async throws -> String {
    let ending = try await ChildProcess(
      try #require(other ?? program), arguments, environment: Self.environment
    ).ending()
    #expect(ending.status == 0 && ending.errors == "", "\(self): \(ending.errors.prefix(2_000))")
    return ending.output
  }

  /// Requires that the program finds nothing to complain of, as strictly as it can.
  func check(_ file: String) async throws {
    switch self {
    case .hledger:
      let checks = ["check", "--strict", "ordereddates", "payees"]
      #expect(try await run(["-f", file] + checks) == "")
    case .ledger:
      let strict = ["--strict", "--pedantic", "--explicit", "--check-payees"]
      _ = try await run(["--args-only", "-f", file] + strict + ["balance"])
    case .beancount2, .beancount3: #expect(try await run([file]) == "")
    }
  }

  /// Returns the postings that the program reads.
  func postings(_ file: String) async throws -> [ReadPosting] {
    switch self {
    case .hledger:
      let rows = try await run(["-f", file, "print", "-O", "csv"]).split(separator: "\n")
        .dropFirst()
      return try rows.map { row in
        let fields = DelimitedText.fields(row)
        return try posting([fields[1], fields[3], fields[7], fields[8], fields[9]])
      }
    case .ledger:
      let format = [
        "%(format_date(date, \"%Y-%m-%d\"))", "%(cleared ? \"*\" : \"!\")", "%(account)",
        "%(quantity(amount))", "%(commodity(amount))",
      ].joined(separator: "\\t")
      return try await run([
        "--args-only", "-f", file, "register", "--empty", "--format", format + "\\n",
      ])
      .split(separator: "\n").map { try posting($0.components(separatedBy: "\t")) }
    case .beancount2, .beancount3:
      let script = Self.root + "Tests/Beancount/postings.py"
      return try await run([script, file], inEnvironment("python3")).split(separator: "\n")
        .map { try posting($0.components(separatedBy: "\t")) }
    }
  }

  private func posting(_ fields: [String]) throws -> ReadPosting {
    ReadPosting(
      day: fields[0], mark: fields[1], account: fields[2],
      amount: try #require(ExactDecimal(fields[3]), "\(fields)"), currency: fields[4])
  }
}

extension Books {
  /// Requires that a program reads from a journal just what the model has: no text has changed a
  /// day, a mark, an account or an amount; and that the balances are those of the summary.
  func expect(_ program: JournalProgram, sees transactions: [(StoredInvoice, [Transaction])])
    async throws
  {
    let file = try await file(Journal(program.format))
    try await program.check(file)
    let found = try await program.postings(file)
    var names = AccountNames(JournalAccounts(), program.format)
    var counts: [JournalProgram.ReadPosting: Int] = [:]
    for (stored, transactions) in transactions {
      for transaction in transactions {
        // ledger shows no amounts of zero.
        for posting in transaction.postings where !posting.amount.isZero {
          let read = JournalProgram.ReadPosting(
            day: "\(transaction.day)", mark: transaction.isDoubtful ? "!" : "*",
            account: names.name(of: posting.place, for: stored),
            amount: try #require(posting.amount.exact), currency: stored.invoice.currency.code)
          counts[read, default: 0] += 1
        }
      }
    }
    for posting in found where !posting.amount.isZero { counts[posting, default: 0] -= 1 }
    let different = counts.filter { $0.value != 0 }
    #expect(different.isEmpty, "\(program): \(different.prefix(5))")

    var balances: [Balance: DecimalSum] = [:]
    var totals: [String: DecimalSum] = [:]
    for posting in found {
      let key = Balance(account: posting.account, currency: posting.currency)
      balances[key, default: .zero].add(posting.amount)
      totals[posting.currency, default: .zero].add(posting.amount)
    }
    #expect(totals.filter { !$0.value.isZero }.isEmpty)
    let prefixes = ["assets:receivable:", "liabilities:payable:"]
    let control = balances.filter { balance in
      prefixes.contains { balance.key.account.lowercased().hasPrefix($0) } && !balance.value.isZero
    }
    #expect(control == (try await summary(program.format)), "\(program)")
  }
}
