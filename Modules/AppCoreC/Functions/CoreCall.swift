import CAppCore

/// The parts that functions of the same shape share.
enum CoreCall {
  /// The body of a request.
  typealias Body = @Sendable (CoreRequest) async throws -> Void

  /// Starts a request.
  ///
  /// - Parameter prepare: reads the arguments, and returns the body.
  static func start(
    _ core: OpaquePointer?, _ request: UnsafeMutablePointer<appcore_request>?, _ error: ErrorSlot?,
    _ prepare: (OpenCore) throws -> Body
  ) -> CInt {
    request?.pointee = 0
    return CError.outcome(error) {
      try CoreTable.core(core).call { core in
        let id = try core.start(try prepare(core))
        request?.pointee = id
      }
    }
  }

  /// Returns a document.
  static func text(
    _ core: OpaquePointer?, _ json: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
    _ error: ErrorSlot?, _ read: (OpenCore) throws -> String
  ) -> CInt {
    json?.pointee = nil
    return CError.outcome(error) {
      try CoreTable.core(core).call { core in
        guard let json else { throw Misuse.badArgument(message: "json is NULL") }
        json.pointee = CText.copy(try read(core))
      }
    }
  }

  /// Returns a number.
  static func count(
    _ core: OpaquePointer?, _ count: UnsafeMutablePointer<Int64>?, _ error: ErrorSlot?,
    _ read: (OpenCore) throws -> Int
  ) -> CInt {
    count?.pointee = 0
    return CError.outcome(error) {
      try CoreTable.core(core).call { core in
        guard let count else { throw Misuse.badArgument(message: "count is NULL") }
        count.pointee = Int64(try read(core))
      }
    }
  }
}
