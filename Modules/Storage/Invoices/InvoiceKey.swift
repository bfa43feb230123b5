/// The key of a stored invoice, with which a list fetches what it shows.
///
/// It is valid in the database that returned it, until the records of its account are forgotten.
public struct InvoiceKey: Sendable, Hashable {
  let row: Int64
}
