import Authentication
import TestSupport
import Testing

@testable import AppCoreC

/// The addresses that a program passes to a sign-in.
@Suite(.timeLimit(.minutes(1))) struct PastedRedirectsTests {
  private let redirects = PastedRedirects()

  private func read() async {
    await redirects.read { $0 == "right" ? .accepted : .notRedirect }
  }

  @Test("an address that no sign-in expects gets no reply")
  func unexpected() async {
    #expect(await redirects.paste("right") == nil)
    await read()
    #expect(await redirects.paste("right") == nil)
  }

  @Test("a sign-in reads what was pasted before it, until an address is accepted")
  func early() async {
    redirects.expect()
    async let first = redirects.paste("wrong")
    async let reading: Void = read()
    #expect(await first == .notRedirect)
    #expect(await redirects.paste("right") == .accepted)
    await reading
    #expect(await redirects.paste("right") == nil)
  }

  @Test("a cancelled sign-in and an ended request leave no paste without a reply")
  func ending() async {
    for ends in [true, false] {
      redirects.expect()
      let reading = Task { await read() }
      #expect(await redirects.paste("wrong") == .notRedirect)
      if ends { redirects.close() } else { reading.cancel() }
      await reading.joined
      #expect(await redirects.paste("right") == nil)
    }
    redirects.expect()
    async let paste = redirects.paste("right")
    async let close: Void = redirects.close()
    let reply = await paste
    await close
    #expect(reply == nil)
  }

  @Test("many threads that paste get one acceptance")
  func concurrency() async {
    redirects.expect()
    let reading = Task { await read() }
    let replies = await withTaskGroup(of: PastedRedirect?.self) { group in
      for number in 0..<200 {
        group.addTask { await redirects.paste(number % 10 == 0 ? "right" : "wrong") }
      }
      return await group.reduce(into: [PastedRedirect?]()) { $0.append($1) }
    }
    await reading.joined
    #expect(replies.count == 200 && replies.count { $0 == .accepted } == 1)
  }
}
