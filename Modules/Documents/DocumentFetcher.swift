import Foundation
import HTTPTypes
import Models
import Networking
import Storage
import Synchronization
import SystemSupport

/// Fetches a file from the place that the source names, and puts it into the store.
struct DocumentFetcher: Sendable {
  let source: any DocumentSource
  let session: Session
  let store: ObjectStore
  /// The time of day.
  let now: @Sendable () -> Date

  /// A file that is in the store.
  struct Fetched {
    let sha256: String
    let size: Int
  }

  /// Fetches a file to the place of its arrival, and returns the path of that.
  ///
  /// - Parameters:
  ///   - renews: true to fetch it although an interrupted run has received this version whole.
  ///   - progress: called with the number of bytes that were received so far.
  /// - Throws: ``DocumentError``, `SessionError`, `DownloadError`.
  func fetch(
    _ document: StoredDocument, of invoice: Invoice, renews: Bool,
    progress: @escaping @Sendable (Int) -> Void
  ) async throws -> String {
    let place = try place(of: document, invoice)
    let (arrival, hasArrived) = try await BlockingWork.run { [store] in
      let path = try store.arrival(of: document.versionKey, account: document.account)
      return (path, access(path, F_OK) == 0)
    }
    if !hasArrived || renews {
      try await receive(from: place, document.kind, at: arrival, progress)
    }
    return arrival
  }

  /// Checks a file that has arrived, and puts it into the store.
  ///
  /// - Parameter record: stores the row of the file, which is in its place.
  /// - Throws: ``DocumentError``; what `record` throws.
  func store(
    _ document: StoredDocument, from arrival: String, record: (Fetched) async throws -> Void
  ) async throws {
    var check = DocumentCheck(kind: document.kind)
    if document.kind == .attachment {
      (check.size, check.md5) = (document.size, document.providerHash)
      (check.mediaType, check.name) = (document.mediaType, document.name)
    }
    let file = try await BlockingWork.run { [check] in
      do {
        return try DocumentError.translating(arrival) {
          let facts = try FileFacts(path: arrival, withMD5: check.md5 != nil)
          try check.require(facts)
          return Fetched(sha256: facts.sha256, size: facts.size)
        }
      } catch {
        unlink(arrival)
        throw error
      }
    }
    try await store.adopt(arrival, as: file.sha256) { try await record(file) }
  }

  /// Sends a request that is not for a file, and returns the response if it is one of success.
  ///
  /// - Throws: ``DocumentError``, `SessionError`.
  func ask(_ request: Request, for kind: DocumentKind) async throws -> Response {
    let response = try await session.send(request)
    guard response.head.status.code == 200 else {
      throw error(status: response.head.status.code, kind, response.head)
    }
    return response
  }

  /// Reads a response that is not a file.
  ///
  /// - Throws: ``DocumentError/notTheFile(reason:)`` if it is not what the provider documents.
  func read<Value>(_ response: Response, _ body: (Response) throws -> Value) throws -> Value {
    do { return try body(response) } catch let error as DocumentError {
      throw error
    } catch let error as CancellationError {
      throw error
    } catch {
      throw DocumentError.notTheFile(reason: "\(error)")
    }
  }

  private func place(of document: StoredDocument, _ invoice: Invoice) throws -> DocumentPlace {
    guard document.kind == .attachment else {
      return try source.place(of: document.kind, of: invoice)
    }
    let attachment = Attachment(
      id: document.id, name: document.name, mediaType: document.mediaType, size: document.size,
      md5: document.providerHash)
    return try source.place(of: attachment, of: invoice)
  }

  /// The answer of a link in the file's place.
  private struct DeadLink: Error {
    let status: Int
  }

  private func receive(
    from place: DocumentPlace, _ kind: DocumentKind, at arrival: String,
    _ progress: @escaping @Sendable (Int) -> Void
  ) async throws {
    // A link may die between its answer and its use; it is then asked for once more.
    do { try await take(place, kind, to: arrival, progress) } catch is DeadLink {
      do { try await take(place, kind, to: arrival, progress) } catch let link as DeadLink {
        throw DocumentError.serverFailed(status: link.status)
      }
    }
  }

  private func take(
    _ place: DocumentPlace, _ kind: DocumentKind, to arrival: String,
    _ progress: @escaping @Sendable (Int) -> Void
  ) async throws {
    switch place {
    case .file(var request):
      request.leadsToLink = true
      do { try await download(request, to: arrival, progress) } catch DownloadError.refused(
        let status)
      {
        throw error(status: status, kind)
      }
    case .link(let request, let read):
      guard let url = try self.read(try await ask(request, for: kind), read) else {
        throw DocumentError.absent
      }
      var link = try Request(url: url)
      (link.authorization, link.isLink) = (.none, true)
      do { try await download(link, to: arrival, progress) } catch DownloadError.refused(
        let status)
      {
        throw DeadLink(status: status)
      }
    }
  }

  private func download(
    _ request: Request, to arrival: String, _ progress: @escaping @Sendable (Int) -> Void
  ) async throws {
    let received = Atomic(0)
    do {
      _ = try await session.download(request, to: arrival) { piece in
        received.store(piece.received, ordering: .relaxed)
        progress(piece.received)
      }
    } catch DownloadError.linkRefused(let status) {
      throw DeadLink(status: status)
    } catch SessionError.connectionLost where received.load(ordering: .relaxed) > 0 {
      throw DocumentError.notTheFile(reason: "it ends before its announced length")
    }
  }

  private func error(
    status: Int, _ kind: DocumentKind, _ head: HTTPResponse? = nil
  ) -> DocumentError {
    switch status {
    case 401, 403: .accessDenied(scope: source.scope(for: kind))
    case 404, 410: .gone
    case 202, 204: .notReady
    case 406: .absent
    case 429:
      .rateLimited(
        retryAt: head.flatMap { RetryAfter.seconds(in: $0, now: now()) }.map { wait in
          now().addingTimeInterval(wait)
        })
    default: .serverFailed(status: status)
    }
  }
}

extension StoredDocument {
  /// The identity of the file in its account.
  var key: String { [invoiceID, kind.rawValue, id].joined(separator: "\n") }

  /// The identity of the file, of this version of its invoice.
  fileprivate var versionKey: String { "\(key)\n\(fingerprint ?? 0)" }
}
