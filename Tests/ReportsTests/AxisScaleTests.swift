import Testing

@testable import Reports

/// The ticks of a chart are round numbers around its values.
@Suite(.timeLimit(.minutes(1))) struct AxisScaleTests {
  @Test(
    "ticks are round, hold every value and contain zero",
    arguments: [
      ([0, 930], [0, 250, 500, 750, 1000]), ([0.004, 0.0071], [0, 0.002, 0.004, 0.006, 0.008]),
      ([-120, 300], [-200, 0, 200, 400]), ([], [0, 1]), ([0], [0, 1]), ([-5], [-6, -4, -2, 0]),
      ([1e15], [0, 2.5e14, 5e14, 7.5e14, 1e15]), ([.infinity, 4], [0, 1, 2, 3, 4]),
    ] as [([Double], [Double])])
  func ticks(values: [Double], ticks: [Double]) {
    let scale = AxisScale(values)
    #expect(scale.ticks.count == ticks.count)
    for (tick, wanted) in zip(scale.ticks, ticks) {
      #expect(abs(tick - wanted) < 1e-6 * abs(wanted) + 1e-12)
    }
  }

  @Test("ticks are shortened by one unit for the whole axis")
  func texts() {
    func texts(_ values: Double...) -> [String] {
      let scale = AxisScale(values)
      return scale.ticks.map(scale.text)
    }
    #expect(texts(9_300) == ["0", "2.5k", "5k", "7.5k", "10k"])
    #expect(texts(-1_900_000, 900_000) == ["\u{2212}2M", "\u{2212}1M", "0", "1M"])
    #expect(texts(80) == ["0", "20", "40", "60", "80"])
  }

  @Test("the lowest value is at the bottom, the highest at the top")
  func positions() {
    let scale = AxisScale([-10, 30])
    #expect(scale.position(scale.high) == 0 && scale.position(scale.low) == 1)
    #expect(scale.position(1e9) == 0)
  }
}
