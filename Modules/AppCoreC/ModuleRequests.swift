import AppCore
import CAppCore
import Foundation
import HTTPTypes
import Models
import Networking
import Presentation
import Synchronization

/// A request of a feature module, as a program states it.
struct ModuleRequest: Sendable {
  let account: String
  let module: String
  private let address: String
  private let method: HTTPRequest.Method
  private let fields: [String: String]
  private let body: [UInt8]?
  /// The file to download to; `nil` for a response in the event.
  private let path: String?
  private let timeout: Duration?
  private let maximumWait: Duration?
  private let maximumSize: Int?
  private let isSafeToRetry: Bool?

  init(
    _ choices: inout Choices, to address: String, account: String, module: String
  ) throws {
    (self.address, self.account, self.module) = (address, account, module)
    path = try choices.path("to")
    let name = try choices.text("method") ?? "GET"
    guard let method = HTTPRequest.Method(name) else {
      throw Misuse.badArgument(message: "method is no method of HTTP")
    }
    self.method = method
    fields = try choices.texts("headers")
    let text = try choices.text("body")
    let encoded = try choices.text("bodyBase64")
    guard text == nil || encoded == nil else {
      throw Misuse.badArgument(message: "body cannot be combined with bodyBase64")
    }
    if let encoded {
      guard let data = Data(base64Encoded: encoded) else {
        throw Misuse.badArgument(message: "bodyBase64 is no Base64")
      }
      body = [UInt8](data)
    } else {
      body = text.map { [UInt8]($0.utf8) }
    }
    timeout = try choices.seconds("timeoutSeconds")
    maximumWait = try choices.seconds("maxWaitSeconds")
    maximumSize = try choices.count("maximumSize", atLeast: 1)
    isSafeToRetry = try choices.optionalFlag("safeToRetry")
    guard path == nil || method == .get && body == nil else {
      throw Misuse.badArgument(message: "a download is a GET without a body")
    }
  }

  fileprivate func request(of core: ApplicationCore) async throws -> Request {
    var request = try await core.request(method, to: address, account: account)
    for (name, value) in fields { try request.setField(name, to: value) }
    if let body { request.body = .bytes(body) }
    request.timeout = timeout
    request.maximumWait = maximumWait
    request.maximumResponseSize = maximumSize
    if let isSafeToRetry { request.isSafeToRetry = isSafeToRetry }
    return request
  }

  fileprivate func send(
    over session: Session, _ request: Request, _ transfer: Throttle<DownloadProgress>
  )
    async throws -> ResponseDocument
  {
    guard let path else { return ResponseDocument(try await session.send(request), account) }
    let file = try await session.download(request, to: path) { transfer.note($0) }
    return ResponseDocument(file, account)
  }
}

extension CoreRequest {
  /// Sends a request over the session of its module.
  ///
  /// - Parameter defaults: the module's own session values; `nil` if it has set none.
  func send(_ wanted: ModuleRequest, _ defaults: SessionConfiguration?) async throws {
    let (account, module) = (wanted.account, wanted.module)
    let session = try core.session(for: module, account: account, defaults: defaults)
    let request = try await wanted.request(of: core)
    let transfer = Throttle<DownloadProgress> {
      post(APPCORE_EVENT_TRANSFER, TransferDocument($0, account: account, session: module))
    }
    post(APPCORE_EVENT_RESPONSE, try await wanted.send(over: session, request, transfer))
  }
}

/// Progress that is reported ten times a second at most: pieces arrive far more often.
final class Throttle<Progress: Sendable>: Sendable {
  private let next = Mutex(ContinuousClock.now)
  private let report: @Sendable (Progress) -> Void

  init(_ report: @escaping @Sendable (Progress) -> Void) {
    self.report = report
  }

  func note(_ progress: Progress) {
    let now = ContinuousClock.now
    let isDue = next.withLock { next in
      guard now >= next else { return false }
      next = now + .milliseconds(100)
      return true
    }
    if isDue { report(progress) }
  }
}

/// The document of `APPCORE_EVENT_TRANSFER`.
struct TransferDocument: Encodable {
  let schemaVersion = 1
  let account: String
  let session: String
  /// The number of bytes in the file so far, including those of an earlier request.
  let received: Int
  /// The size of the whole file, if the server states it.
  let expected: Nullable<Int>

  init(_ progress: DownloadProgress, account: String, session: String) {
    (self.account, self.session) = (account, session)
    received = progress.received
    expected = Nullable(progress.expected)
  }
}

/// The document of `APPCORE_EVENT_RESPONSE`.
struct ResponseDocument: Encodable {
  let schemaVersion = 1
  let account: String
  let status: Int
  /// The address of the response, after redirects; `nil` for a file.
  let url: Nullable<String>
  /// The header fields by their names in lower case.
  let headers: [String: String]
  /// The body, if it is text in UTF-8.
  private(set) var body = Nullable<String>(nil)
  /// A body that is no text.
  private(set) var bodyBase64 = Nullable<String>(nil)
  /// The file that was downloaded.
  private(set) var file = Nullable<String>(nil)
  let size: Int
  /// The number of bytes that an earlier request had downloaded.
  private(set) var resumedFrom = Nullable<Int>(nil)
  /// The words with which the server refused, if it did.
  private(set) var providerMessage = Nullable<String>(nil)

  init(_ response: Response, _ account: String) {
    self.account = account
    status = response.head.status.code
    url = Nullable(response.url.absoluteString)
    headers = response.head.headerFields.reduce(into: [:]) { headers, field in
      let earlier = headers[field.name.canonicalName].map { $0 + ", " } ?? ""
      headers[field.name.canonicalName] = earlier + field.value
    }
    size = response.body.count
    if let text = String(validating: response.body, as: UTF8.self), !text.utf8.contains(0) {
      body = Nullable(text)
    } else {
      bodyBase64 = Nullable(Data(response.body).base64EncodedString())
    }
    if status >= 400 { providerMessage = Nullable(response.providerMessage?.description) }
  }

  init(_ download: Download, _ account: String) {
    self.account = account
    status = 200
    url = Nullable(nil)
    headers = [:]
    file = Nullable(download.path)
    size = download.size
    resumedFrom = Nullable(download.resumedFrom)
  }
}

/// The name of a feature module, which is that of its session.
enum ModuleName {
  /// The modules of the core, whose requests a program cannot touch.
  private static let own: Set<String> = Set(["auth"] + Resource.Kind.allCases.map(\.rawValue))

  static func required(_ text: CString?) throws -> String {
    let name = try CText.required(text, "module")
    guard name.wholeMatch(of: #/[A-Za-z0-9][A-Za-z0-9._-]{0,63}/#) != nil else {
      throw Misuse.badArgument(
        message: "the name of a session is 1 to 64 ASCII letters, digits, '.', '_' or '-', "
          + "a letter or digit first")
    }
    guard !own.contains(name) else {
      throw Misuse.badArgument(message: "the session '\(name)' is the library's own")
    }
    return name
  }

  /// Reads the values of a session, which have the keys and forms of the configuration file.
  static func values(_ options: CString?, of module: String) throws -> SessionConfiguration {
    let text = try CText.optional(options, "options") ?? "{}"
    _ = try Choices.members(of: text, "options")
    do { return try CoreConfiguration.session(module, json: text) } catch {
      guard let error = error as? ConfigurationError else { throw error }
      throw Misuse.badArgument(
        message: [error.key, error.problem].compactMap(\.self).joined(separator: ": "))
    }
  }
}
