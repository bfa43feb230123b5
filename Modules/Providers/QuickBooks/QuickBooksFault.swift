import Foundation
import HTTPTypes
import JSONReading
import Models
import Networking
import Sync

/// A fault, which can come with any status, even 200; its code defines its meaning.
///
/// It is written as `{"Fault":{"Error":[{"code":"3200"}],"type":"AUTHENTICATION"}}`. The keys are
/// lower case if the sign-in is at fault. It is XML if the request did not reach the service that
/// was asked for JSON.
struct QuickBooksFault {
  /// Number of the error, such as 3200, which can be written as `003200`.
  let code: Int?
  let type: String
  private let status: Int

  init?(_ response: Response) {
    let body = response.body
    status = response.head.status.code
    // A fault is at the start of its response, so a long page of invoices is not searched.
    let start = String(decoding: body.prefix(512), as: UTF8.self)
    guard start.contains("ault") else { return nil }
    if start.hasPrefix("<") {
      guard start.contains("<Fault") else { return nil }
      code = Self.attribute("code", of: "Error", in: start).flatMap { Int($0) }
      type = Self.attribute("type", of: "Fault", in: start) ?? ""
    } else {
      guard let fault = Self.read(body) else { return nil }
      (code, type) = fault
    }
  }

  /// Reads a fault inside a response, in place of the requested data; returns `nil` for `null`.
  init?(_ reader: inout JSONReader) throws {
    if try reader.readNull() { return nil }
    status = 200
    (code, type) = try Self.readContent(&reader)
  }

  var meaning: SyncError {
    switch (code, type.uppercased()) {
    // ThrottleExceeded, and too many concurrent requests.
    case (3001, _), (_, "THROTTLE"): .rateLimited(retryAt: nil)
    // AuthenticationFailed.
    case (3200, _), (_, "AUTHENTICATION"): .credentialsRejected()
    // AuthorizationFailed, ApplicationAuthorizationFailed, and a company without a subscription.
    case (120, _), (3100, _), (6190, _), (_, "AUTHORIZATION"):
      .accessDenied(status: status == 200 ? 403 : status)
    case (10_000, _), (_, "SYSTEMFAULT"), (_, "SERVICE"), (_, "SYSTEM"):
      .serverFailed(status: status == 200 ? 500 : status)
    case _ where status == 429: .rateLimited(retryAt: nil)
    case _ where status >= 500: .serverFailed(status: status)
    case (let code?, _):
      .unreadable(part: "Fault", reason: "the request was rejected with code \(code)")
    case (nil, _): .serverFailed(status: status == 200 ? 500 : status)
    }
  }

  private static func read(_ body: [UInt8]) -> (Int?, String)? {
    var fault: (Int?, String)?
    try? JSONReader.readPage(body) { reader, key in
      switch key {
      case "Fault", "fault":
        if try reader.readNull() { return }
        // It is a fault even if its content cannot be read.
        fault = (nil, "")
        fault = try readContent(&reader)
      default: try reader.skipValue()
      }
    }
    return fault
  }

  private static func readContent(_ reader: inout JSONReader) throws -> (Int?, String) {
    var code: Int?
    var type = ""
    try reader.readObject { reader, key in
      switch key {
      case "Error", "error":
        try reader.readList { reader in
          let found = try readCode(&reader)
          code = code ?? found
        }
      case "type": type = try reader.readOptionalString() ?? ""
      default: try reader.skipValue()
      }
    }
    return (code, type)
  }

  private static func readCode(_ reader: inout JSONReader) throws -> Int? {
    var code: Int?
    try reader.readMember("code") { reader in
      code = try reader.readOptionalString().flatMap { Int($0) }
    }
    return code
  }

  private static func attribute(_ name: String, of element: String, in text: String) -> String? {
    guard let start = text.range(of: "<\(element) "),
      let value = text[start.upperBound...].range(of: "\(name)=\"")
    else { return nil }
    return String(text[value.upperBound...].prefix { $0 != "\"" })
  }
}

extension JSONReader {
  /// Reads a response: what is under a key, and the server time.
  ///
  /// - Throws: the error that a fault in its place means.
  static func readQuickBooksResponse(
    _ body: [UInt8], _ name: String, _ read: (inout JSONReader) throws -> Void
  ) throws -> (isAnswer: Bool, time: Timestamp?) {
    var isAnswer = false
    var time: Timestamp?
    try readPage(body) { reader, key in
      switch key {
      case _ where key == name:
        isAnswer = true
        try read(&reader)
      case "Fault": try reader.readQuickBooksFault()
      case "time": time = try reader.readTimestamp()
      default: try reader.skipValue()
      }
    }
    return (isAnswer, time)
  }

  /// Reads a fault inside a response, which is then incomplete.
  ///
  /// - Throws: the error that the fault means, unless it is `null`.
  mutating func readQuickBooksFault() throws {
    if let fault = try QuickBooksFault(&self) { throw fault.meaning }
  }
}
