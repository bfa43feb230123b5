import CAppCore
import Storage
import Testing

@testable import AppCoreC

/// The choices of a caller, as queries.
@Suite(.timeLimit(.minutes(1))) struct QueryTests {
  /// Reads a query with two texts, which live as long as the call.
  private func query(
    _ first: WritableKeyPath<appcore_query, UnsafePointer<CChar>?>, _ low: String,
    _ second: WritableKeyPath<appcore_query, UnsafePointer<CChar>?>, _ high: String
  ) throws -> InvoiceQuery {
    try low.withCString { low in
      try high.withCString { high in
        var choice = appcore_query()
        choice[keyPath: first] = low
        choice[keyPath: second] = high
        return try InvoiceQuery(choice)
      }
    }
  }

  private func refusal(_ read: () throws -> InvoiceQuery) -> String? {
    do { _ = try read() } catch Misuse.badArgument(let message) { return message } catch {
      return "\(error)"
    }
    return nil
  }

  @Test("a range of days that ends before it begins is refused, as the program refuses it")
  func days() throws {
    let message = refusal { try query(\.from, "2024-03", \.to, "2024-02") }
    #expect(message == "from 2024-03-01 is after to 2024-02-29")
    let month = try query(\.from, "2024-03", \.to, "2024-03-01")
    #expect("\(month.issuedFrom.map { "\($0)" } ?? "")" == "2024-03-01")
    #expect(month.issuedFrom == month.issuedThrough)
  }

  @Test("a range of amounts that ends before it begins is refused, as the program refuses it")
  func amounts() throws {
    #expect(refusal { try query(\.min, "2", \.max, "1.99") } == "max is less than min")
    let same = try query(\.min, "2.0", \.max, "2")
    #expect(same.minimumTotal == same.maximumTotal)
  }
}
