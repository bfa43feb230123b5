import CAppCore
import ErrorCodes
import Glibc
import Presentation

enum CText {
  /// Returns the text that a caller passed; `nil` for `NULL`.
  static func optional(_ text: CString?, _ parameter: String) throws -> String? {
    guard let text else { return nil }
    guard let valid = String(validatingCString: text) else {
      throw Misuse.badText(parameter: parameter)
    }
    return valid
  }

  static func required(_ text: CString?, _ parameter: String) throws -> String {
    guard let text = try optional(text, parameter) else {
      throw Misuse.badText(parameter: parameter)
    }
    return text
  }

  /// Returns a copy that ``free(_:)`` releases; `nil` if there is no memory left.
  static func copy(_ text: String) -> UnsafeMutablePointer<CChar>? {
    var text = text
    return text.withUTF8 { bytes in
      guard let memory = malloc(bytes.count + 1) else { return nil }
      if let start = bytes.baseAddress { memcpy(memory, start, bytes.count) }
      // A text from a server may contain a zero byte, which would end it early.
      var position = 0
      while let zero = memchr(memory + position, 0, bytes.count - position) {
        zero.storeBytes(of: UInt8(ascii: " "), as: UInt8.self)
        position = memory.distance(to: zero) + 1
      }
      let copy = memory.bindMemory(to: CChar.self, capacity: bytes.count + 1)
      copy[bytes.count] = 0
      return copy
    }
  }

  static func copy(_ text: String?) -> CString? {
    text.flatMap { CString(copy($0)) }
  }

  static func free(_ text: CString?) {
    Glibc.free(UnsafeMutablePointer(mutating: text))
  }
}

enum CError {
  static func make(_ failure: Failure) -> UnsafeMutablePointer<appcore_error>? {
    allocate(
      appcore_error(
        kind: failure.status.rawValue, retryable: failure.isRetryable ? 1 : 0,
        code: CText.copy(.some(failure.code.rawValue)), message: CText.copy(.some(failure.message)),
        hint: CText.copy(failure.hint), provider_message: CText.copy(failure.providerMessage)))
  }

  static func free(_ error: UnsafeMutablePointer<appcore_error>?) {
    guard let error else { return }
    CText.free(error.pointee.code)
    CText.free(error.pointee.message)
    CText.free(error.pointee.hint)
    CText.free(error.pointee.provider_message)
    Glibc.free(error)
  }

  static func outcome(_ slot: ErrorSlot?, _ body: () throws -> Void) -> CInt {
    slot?.pointee = nil
    do {
      try body()
      return CInt(APPCORE_OK)
    } catch {
      let failure = (error as? Failures)?.first ?? Failure(error)
      slot?.pointee = make(failure)
      return failure.status.rawValue
    }
  }
}

enum CEvent {
  static func make(_ event: CoreEvent) -> UnsafeMutablePointer<appcore_event>? {
    allocate(
      appcore_event(
        type: CInt(event.type), request: event.request, json: CText.copy(event.json),
        error: event.failure.flatMap { UnsafePointer(CError.make($0)) }))
  }

  static func free(_ event: UnsafeMutablePointer<appcore_event>?) {
    guard let event else { return }
    CText.free(event.pointee.json)
    CError.free(UnsafeMutablePointer(mutating: event.pointee.error))
    Glibc.free(event)
  }
}

/// Returns a copy in memory of its own; `nil` if there is none left.
private func allocate<Value>(_ value: Value) -> UnsafeMutablePointer<Value>? {
  guard let memory = malloc(MemoryLayout<Value>.size) else { return nil }
  let copy = memory.bindMemory(to: Value.self, capacity: 1)
  copy.initialize(to: value)
  return copy
}
