import Testing

@testable import SystemSupport

/// Floating-point numbers become integers without ending the program.
@Suite(.timeLimit(.minutes(1))) struct ClampedIntegerTests {
  @Test("a number that does not fit becomes the nearest integer that does, and none becomes 0")
  func limits() {
    #expect(Int(clamping: 1e24) == .max && Int(clamping: -1e24) == .min)
    #expect(Int(clamping: Double.infinity) == .max && Int(clamping: -Double.infinity) == .min)
    #expect(Int(clamping: Double.nan) == 0 && UInt64(clamping: -1.0) == 0)
    #expect(Int(clamping: 9_223_372_036_854_775_808.0) == .max)
    #expect(Int32(clamping: 3e9) == .max)
  }

  @Test("a number is rounded by its rule")
  func rounding() {
    #expect(Int(clamping: 2.5) == 3 && Int(clamping: -2.5) == -3)
    #expect(Int(clamping: 2.1, rounding: .up) == 3 && Int(clamping: -2.1, rounding: .down) == -3)
  }
}
