import AppCore
import ErrorCodes
import Models
import Presentation
import Sync

/// An examination of a provider, which fetches one page of each of its lists and shows how appcore
/// parses it.
struct ProviderExamination: Sendable {
  private let context: CommandContext

  init(_ context: CommandContext) {
    self.context = context
  }

  func run(_ provider: String) async throws {
    let account = try context.core.account(of: provider)
    var resources: [ProviderDocument.Sample] = []
    var samples: [ResourceSample] = []
    var first: (error: any Error, resource: Resource)?
    let title = context.core.configuration.title(ofProvider: provider)
    for resource in try context.core.resources(account: account) {
      do {
        let sample = try await context.waiting("Fetching \(resource) from \(title)…") { _ in
          try await context.core.sample(of: resource, account: account)
        }
        let warnings = [
          sample.warning(ofIdentifiersIn: samples), sample.warning(ofPaymentsIn: samples),
        ]
        resources.append(ProviderDocument.Sample(sample, warnings.compactMap(\.self)))
        samples.append(sample)
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        first = first ?? (error, resource)
        let failure = Failure(
          error, in: context.core.configuration, account: account, of: resource)
        resources.append(ProviderDocument.Sample(resource, failure))
      }
    }
    let document = ProviderDocument(provider: provider, account: account, resources: resources)
    try await context.terminal.print(document, text: document.text)
    if let first {
      throw Failures(
        first.error, in: context.core.configuration, account: account, of: first.resource)
    }
    if !document.works { throw CommandEnded(status: .unreadableData) }
  }
}

private struct ProviderDocument: Encodable {
  struct Sample: Encodable {
    let name: String
    let works: Bool
    let rows: Int
    /// Number of records in the whole list, if the page states it.
    let count: Nullable<Int>
    let hasMore: Bool
    /// Number of records that the provider lists as deleted within the last day, if it has such a
    /// list.
    let deletions: Nullable<Int>
    let fields: [Field]
    let unreadable: [RowFailureDocument]
    /// The provider's words for appcore's.
    let words: [Word]
    /// The words and paths that the rows and the description do not have in common.
    let warnings: [String]
    let error: Nullable<Problem>

    init(_ sample: ResourceSample, _ more: [String]) {
      name = sample.resource.rawValue
      rows = sample.rows
      count = Nullable(sample.count)
      hasMore = sample.hasMore
      deletions = Nullable(sample.deletions)
      fields = sample.fields.map(Field.init)
      unreadable = sample.failures.map(RowFailureDocument.init)
      words = sample.words.map(Word.init)
      warnings = sample.warnings + more
      error = Nullable(nil)
      works = sample.failures.isEmpty && sample.fields.allSatisfy { $0.problem == nil }
    }

    init(_ resource: Resource, _ failure: Failure) {
      name = resource.rawValue
      works = false
      rows = 0
      count = Nullable(nil)
      hasMore = false
      deletions = Nullable(nil)
      fields = []
      unreadable = []
      words = []
      warnings = []
      error = Nullable(
        Problem(
          code: failure.code.rawValue, message: failure.message, hint: Nullable(failure.hint),
          providerMessage: failure.providerMessage))
    }
  }

  struct Field: Encodable {
    let field: String
    let path: Nullable<String>
    let found: Nullable<String>
    let value: Nullable<String>
    let problem: Nullable<String>

    init(_ reading: FieldReading) {
      field = reading.field
      path = Nullable(reading.path)
      found = Nullable(reading.found)
      value = Nullable(reading.value)
      problem = Nullable(reading.problem)
    }
  }

  struct Word: Encodable {
    let field: String
    /// The provider's word; `null` for records without one.
    let word: Nullable<String>
    /// The word of appcore; `null` if it is not known.
    let meaning: Nullable<String>
    /// Number of records with the word.
    let count: Int

    init(_ reading: WordReading) {
      field = reading.field
      word = Nullable(reading.word)
      meaning = Nullable(reading.meaning)
      count = reading.count
    }
  }

  struct Problem: Encodable {
    let code: String
    let message: String
    let hint: Nullable<String>
    let providerMessage: String?
  }

  let schemaVersion = 1
  let provider: String
  let account: String
  let works: Bool
  let resources: [Sample]

  init(provider: String, account: String, resources: [Sample]) {
    self.provider = provider
    self.account = account
    self.resources = resources
    works = resources.allSatisfy(\.works)
  }

  var text: String {
    (["provider \(provider), account \(account)"] + resources.map(\.text)).joined(separator: "\n")
  }
}

extension ProviderDocument.Sample {
  fileprivate var text: String {
    if let error = error.value {
      return "FAIL \(name): \(printable(error.message))"
        + (error.providerMessage.map { "\n     The provider says: \(printable($0))" } ?? "")
    }
    let total = count.value.map { " of \($0)" } ?? ""
    let more = hasMore ? ", and a sync asks for a further page" : ""
    let deleted = deletions.value.map { "; \($0) deleted within a day" } ?? ""
    var lines = [
      "\(works ? "ok  " : "FAIL") \(name): \(rows)\(total) on the page, "
        + "\(unreadable.count) unreadable\(more)\(deleted)"
    ]
    lines += TableLayout.lines(fields.map(\.columns)).map { "     " + $0 }
    for (field, words) in Dictionary(grouping: words, by: \.field).sorted(by: { $0.key < $1.key }) {
      lines.append("     words of \(field): " + words.map(\.text).joined(separator: ", "))
    }
    lines += unreadable.map { row in
      "     unreadable: \(printable(row.id.value ?? "without a readable id")): "
        + printable("\(row.path): \(row.reason)")
    }
    lines += warnings.map { "WARN " + printable("\(name): \($0)") }
    return lines.joined(separator: "\n")
  }
}

extension ProviderDocument.Word {
  /// The word of the provider, its count and its meaning.
  fileprivate var text: String {
    "\(printable(word.value ?? "none")) \(count) (\(meaning.value ?? "unknown"))"
  }
}

extension ProviderDocument.Field {
  /// The field, its path, the raw value, and the parsed value or the problem.
  fileprivate var columns: [String] {
    [
      field, path.value ?? "-", found.value ?? "-",
      problem.value.map { "FAIL " + $0 } ?? value.value ?? "-",
    ]
  }
}
