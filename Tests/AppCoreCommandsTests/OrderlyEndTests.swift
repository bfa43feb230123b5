import AppCore
import Foundation
import Glibc
import Testing

@testable import AppCoreCommands
@testable import Presentation

@Suite(.timeLimit(.minutes(10))) struct OrderlyEndTests {
  /// A recorder that takes its time to answer a question about itself.
  private final class SlowRecorder: TextSink {
    let recorder = TextRecorder()
    let columns: Int? = nil
    var isTerminal: Bool {
      for _ in 0..<1_000 { sched_yield() }
      return false
    }

    func write(_ text: [UInt8]) -> StandardStream.Outcome { recorder.write(text) }
  }

  @Test("an interrupted command names the work that it waits for, and the effect of another signal")
  func text() {
    #expect(OrderlyEnd.text([], isHurried: false).contains("waiting for the command to stop."))
    let sessions = [PendingWork.requests(session: "invoices"), .requests(session: "contacts")]
    #expect(OrderlyEnd.text(sessions, isHurried: false).contains("'invoices', the requests of"))
    let renewal = OrderlyEnd.text([.renewal(account: "shop")], isHurried: true)
    #expect(renewal.contains("waiting only for the renewed login of account 'shop'"))
    #expect(renewal.contains("Interrupt once more to quit immediately."))
    #expect(OrderlyEnd.text([.database], isHurried: true).contains("no longer waiting"))
  }

  // Edge case 17
  @Test("of two reports of failures after a signal, the second one ends once the first is queued")
  func reports() async {
    for _ in 0..<20 {
      let errors = SlowRecorder()
      let terminal = Terminal(output: TextRecorder(), error: errors, thread: OutputThread())
      let end = OrderlyEnd(terminal)
      end.asked(1, exitCode: 130)
      await withTaskGroup { group in
        for _ in 0..<2 {
          group.addTask {
            end.report(Failures(CancellationError()), on: terminal, asJSON: true)
            // What the program does before it exits.
            await terminal.flush()
            #expect(errors.recorder.text.contains(#"{"error""#))
          }
        }
      }
      #expect(errors.recorder.text.components(separatedBy: #"{"error""#).count == 2)
    }
  }
}
