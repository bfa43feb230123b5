import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// The sandbox's own endpoints, with which a test in another process reads and changes its state.
struct ControlRoutes: Sendable {
  static let prefix = "/_sandbox/"

  let state: SandboxState

  func add(to router: Router<SandboxContext>) {
    router.get("/_sandbox/stats") { _, _ in
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return Response(json: Array(try encoder.encode(state.statistics)))
    }
    router.get("/_sandbox/invoices") { _, _ in allInvoices() }
    addChange("change", to: router) { count, seed in state.books.change(count: count, seed: seed) }
    addChange("void", to: router) { count, _ in state.books.void(count: count) }
    addChange("delete", to: router) { count, _ in state.books.delete(count: count) }
    addChange("restore", to: router) { count, _ in state.books.restore(count: count) }
    addChange("add", to: router) { count, _ in state.books.add(count: count) }
    router.post("/_sandbox/tokens/expire") { _, _ in
      state.oauth.expireAccessTokens()
      return Response(json: Array("{}".utf8))
    }
    router.post("/_sandbox/faults") { request, _ in await armFaults(request) }
    router.delete("/_sandbox/faults") { _, _ in
      state.faults.clear()
      return Response(json: Array("{}".utf8))
    }
  }

  /// Adds `POST /_sandbox/invoices/NAME?count=N&seed=S`, which returns the changed identifiers.
  private func addChange(
    _ name: String, to router: Router<SandboxContext>,
    _ change: @escaping @Sendable (Int, UInt64) -> [String]
  ) {
    router.post("/_sandbox/invoices/\(name)") { request, _ in
      guard let query = try? request.queryParameters(),
        query.names.isSubset(of: ["count", "seed"]),
        let count = Int(query["count"] ?? "1"), (0...1_000_000).contains(count),
        let seed = UInt64(query["seed"] ?? "0")
      else {
        return Response(
          text: "count or seed is not a number, or more was given\n", status: .badRequest)
      }
      var writer = JSONWriter()
      writer.object { writer in
        writer.key("invoiceIDs")
        writer.array { writer in
          for id in change(count, seed) { writer.string(id) }
        }
      }
      return Response(json: writer.bytes)
    }
  }

  /// Arms one fault or an array of them.
  private func armFaults(_ request: Request) async -> Response {
    do {
      let faults = try FaultDocument.read(Data(try await request.bodyText().utf8))
      state.faults.arm(faults)
      return Response(json: Array("{\"armed\":\(faults.count)}".utf8))
    } catch {
      return Response(text: FaultDocument.reason(error) + "\n", status: .badRequest)
    }
  }

  /// Returns all invoices in the form of the API, written in pieces, since there may be many.
  private func allInvoices() -> Response {
    let invoices = state.books.all
    let body = ResponseBody { writer in
      try await writer.write(ByteBuffer(string: "{\"Invoices\":["))
      for start in stride(from: 0, to: invoices.count, by: 500) {
        var json = JSONWriter()
        json.array { json in
          for invoice in invoices[start..<min(start + 500, invoices.count)] {
            invoice.write(to: &json)
          }
        }
        let separator: [UInt8] = start == 0 ? [] : [UInt8(ascii: ",")]
        // All pieces together form one array, so each loses its own brackets.
        try await writer.write(ByteBuffer(bytes: separator + json.bytes.dropFirst().dropLast()))
      }
      try await writer.write(ByteBuffer(string: "]}"))
      try await writer.finish(nil)
    }
    return Response(status: .ok, headers: [.contentType: "application/json"], body: body)
  }
}
