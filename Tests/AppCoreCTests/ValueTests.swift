import CAppCore
import ErrorCodes
import Presentation
import Testing

@testable import AppCoreC

/// Values that cross the interface: texts and errors.
@Suite(.timeLimit(.minutes(1))) struct ValueTests {
  @Test("a zero byte in a text does not end it early")
  func zeroByte() throws {
    let copy = try #require(CText.copy("a\0ü"))
    #expect(String(cString: copy) == "a ü")
    CText.free(copy)
  }

  @Test("an error has the kind, the code and the texts of its failure")
  func errors() throws {
    let failure = Failure(.rateLimited, "too many requests")
    let error = try #require(CError.make(failure))
    #expect(error.pointee.kind == 75 && error.pointee.retryable == 1)
    #expect(error.pointee.code.map { String(cString: $0) } == "rate-limited")
    #expect(error.pointee.message.map { String(cString: $0) } == "too many requests")
    #expect(error.pointee.hint == nil)
    CError.free(error)
  }

  @Test("the kinds of the header are the exit codes")
  func kinds() {
    let kinds = [
      APPCORE_OK, APPCORE_FAILED, APPCORE_MISUSE, APPCORE_UNREADABLE_DATA, APPCORE_UNAVAILABLE,
      APPCORE_BUG, APPCORE_INPUT_OUTPUT, APPCORE_TRY_AGAIN, APPCORE_SIGN_IN_REQUIRED,
      APPCORE_CONFIGURATION, APPCORE_CANCELLED,
    ]
    #expect(kinds.map { Int32($0) } == ExitStatus.allCases.map(\.rawValue))
  }
}
