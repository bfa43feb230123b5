/// Several queries in one request.
struct QuickBooksBatch: Decodable {
  struct Item: Decodable {
    let id: String
    let query: String

    enum CodingKeys: String, CodingKey {
      case id = "bId"
      case query = "Query"
    }
  }

  let items: [Item]

  enum CodingKeys: String, CodingKey { case items = "BatchItemRequest" }
}
