import Foundation
import Testing

@testable import Sandbox

@Suite(.timeLimit(.minutes(10))) struct FaultPlanTests {
  @Test("a fault lets some requests pass, takes some, and is used up")
  func window() {
    let plan = FaultPlan([Fault(path: "/a", kind: .reset, skip: 2, times: 2)])
    let met = (0..<6).map { _ in plan.next(for: "/a") != nil }
    #expect(met == [false, false, true, true, false, false])
  }

  @Test("several faults of one path apply one after another")
  func queue() {
    let plan = FaultPlan([
      Fault(path: "/a", kind: .reset), Fault(path: "/a", kind: .html, skip: 1),
    ])
    let kinds = (0..<4).map { _ in plan.next(for: "/a")?.kind }
    #expect(kinds == [.reset, nil, .html, nil])
  }

  @Test("a path is matched exactly, or by its beginning if it ends in a star")
  func paths() {
    let plan = FaultPlan([
      Fault(path: "/a", kind: .reset, times: 9), Fault(path: "/b*", kind: .html, times: 9),
    ])
    #expect(plan.next(for: "/a/1") == nil)
    #expect(plan.next(for: "/b/1")?.kind == .html)
    #expect(plan.next(for: "/c") == nil)
    plan.clear()
    #expect(plan.next(for: "/a") == nil)
  }

  @Test("a fault is read from JSON, alone or in an array, and written as it is read")
  func json() throws {
    let text = """
      [{"path":"/a","kind":"commit-then-drop"},
       {"path":"/b","skip":1,"times":2,"kind":"status","status":503,"headers":{"Retry-After":"1"},
        "body":"x","delayMilliseconds":5}]
      """
    let faults = try FaultDocument.read(Data(text.utf8))
    #expect(faults.map(\.kind) == [.commitThenDrop, .status])
    #expect(faults[0] == Fault(path: "/a", kind: .commitThenDrop))
    #expect(faults[1].status == 503)
    #expect(faults[1].headers == ["Retry-After": "1"])
    #expect(try FaultDocument.read(try JSONEncoder().encode(faults)) == faults)
    #expect(try FaultDocument.read(Data(" {\"path\":\"/a\",\"kind\":\"html\"}".utf8)).count == 1)
  }

  @Test(
    "an unknown or impossible fault is refused with the reason",
    arguments: [
      (#"{"path":"/a"}"#, "kind is missing"), (#"[{"kind":"html"}]"#, "fault 1: path is missing"),
      (#"{"path":"/a","kind":"smoke"}"#, "kind: unknown kind 'smoke'; available: status, html,"),
      (#"[{"path":"/a","kind":"html","times":"x"}]"#, "fault 1, times: expected a whole number"),
      (#"{"path":"/a","kind":"html","time":1}"#, "time"),
      (#"{"path":"/a","kind":"html","times":0}"#, "times"),
      (#"{"path":"/a","kind":"status","status":99}"#, "status"),
      (#"{"path":"/a","kind":"html","headers":{"a b":"c"}}"#, "header"), ("[", ""),
    ])
  func refused(text: String, word: String) {
    let error = #expect(throws: (any Error).self) { try FaultDocument.read(Data(text.utf8)) }
    let reason = error.map(FaultDocument.reason) ?? ""
    #expect(word.isEmpty || reason.contains(word), "\(reason)")
  }
}
