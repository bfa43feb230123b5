import Foundation
import HTTPTypes
import InMemoryTracing
import Metrics
import MetricsTestKit
import Networking
import TestSupport
import Testing
import Tracing

/// The metrics and spans that a session gives to swift-metrics and swift-distributed-tracing.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct TelemetryTests {
  @Test("requests are counted and timed by session, method and outcome; repeats by session")
  func metrics() async throws {
    let server = try ScriptedServer([
      ObservedSession.reply("503 Busy"), .reset, ObservedSession.ok, ObservedSession.ok,
    ])
    let metrics = TestMetrics()
    try await withMetricsFactory(metrics) {
      let observed = ObservedSession("invoices", attempts: 3)
      try await observed.get(server)
      try await observed.get(server)
    }
    for (outcome, count) in [("2xx", Int64(2)), ("5xx", 1), ("failed", 1)] {
      let dimensions = [("session", "invoices"), ("method", "GET"), ("outcome", outcome)]
      let counter = try metrics.expectCounter("appcore_http_requests_total", dimensions)
      #expect(counter.totalValue == count, "\(outcome)")
      let timer = try metrics.expectTimer("appcore_http_request_duration", dimensions)
      #expect(timer.values.count == Int(count) && timer.values.allSatisfy { $0 > 0 })
    }
    let resends = try metrics.expectCounter(
      "appcore_http_resends_total", [("session", "invoices")])
    #expect(resends.totalValue == 2)
  }

  @Test("each request on the wire has a span in its caller's trace, and carries it to the server")
  func spans() async throws {
    let server = try ScriptedServer([ObservedSession.reply("503 Busy"), ObservedSession.ok])
    let tracer = InMemoryTracer()
    try await withTracer(tracer) {
      let observed = ObservedSession("invoices", attempts: 2)
      try await withSpan("caller") { _ in
        _ = try await observed.get(server, "/x?page=1&token=canary")
      }
    }
    let spans = tracer.finishedSpans.filter { $0.operationName == "GET" }
    let caller = try #require(tracer.finishedSpans.first { $0.operationName == "caller" })
    #expect(spans.count == 2 && tracer.activeSpans.isEmpty)
    for (index, span) in spans.enumerated() {
      #expect(span.kind == .client && span.parentSpanID == caller.spanID)
      let expected = [
        "http.request.method": "GET", "server.address": "127.0.0.1",
        "server.port": "\(server.port)", "url.full": server.url + "/x?page=1&token=…",
        "appcore.session": "invoices", "http.response.status_code": index == 0 ? "503" : "200",
        "http.request.resend_count": index == 0 ? nil : "1",
      ].compactMapValues { $0 }
      for (name, value) in expected { #expect(span.text(name) == value) }
      #expect(span.attributes.count == expected.count)
      #expect(server.requests[index].contains("in-memory-span-id: \(span.spanID)\r\n"))
      #expect(server.requests[index].contains("in-memory-trace-id: \(caller.traceID)\r\n"))
    }
    #expect(spans.map(\.status?.code) == [.error, nil])
  }

  @Test("the span of a failure names the cause")
  func failedSpan() async throws {
    let server = try ScriptedServer([.reset])
    let tracer = InMemoryTracer()
    await withTracer(tracer) {
      let observed = ObservedSession()
      _ = try? await observed.get(server, "/x?token=canary")
    }
    let span = try #require(tracer.finishedSpans.first)
    #expect(span.text("error.type") == "SessionError" && span.status?.code == .error)
    #expect(span.status?.message == "lost the connection to \(server.url)")
  }

  @Test("a session made before there is a tracer or a metrics backend costs and sends nothing")
  func nobodyLooks() async throws {
    let server = try ScriptedServer([ObservedSession.ok])
    let tracer = InMemoryTracer()
    let metrics = TestMetrics()
    let observed = ObservedSession()
    try await withTracer(tracer) {
      try await withMetricsFactory(metrics) { _ = try await observed.get(server) }
    }
    #expect(tracer.finishedSpans.isEmpty && metrics.counters.isEmpty && metrics.timers.isEmpty)
    #expect(server.requests.first?.contains("in-memory") == false)
  }
}

extension FinishedInMemorySpan {
  /// An attribute, as text.
  fileprivate func text(_ name: String) -> String? {
    switch attributes.get(name) {
    case .int64(let number): "\(number)"
    case .string(let string): string
    case let other: other.map { "\($0)" }
    }
  }
}
