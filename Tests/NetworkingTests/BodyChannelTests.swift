import TestSupport
import Testing

@testable import Networking

/// The hand-over of a body's pieces from the connection to its reader.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct BodyChannelTests {
  private struct Broken: Error {}

  private let channel = BodyChannel()

  @Test("pieces arrive in order, and the sender waits until each is taken")
  func order() async throws {
    let sent = Counter()
    let sender = Task { [channel] in
      for byte in UInt8(0)..<5 {
        await channel.send([byte])
        sent.increment()
      }
      channel.end()
    }
    for byte in UInt8(0)..<5 {
      #expect(try await channel.next() == [byte])
      // No piece beyond the next one can have been taken.
      #expect(sent.value <= Int(byte) + 1)
    }
    #expect(try await channel.next() == nil)
    #expect(try await channel.next() == nil)
    await sender.joined
    #expect(sent.value == 5)
  }

  @Test("an end releases a sender whose piece is not taken, and the first end counts")
  func end() async throws {
    let sender = Task { [channel] in await channel.send([1]) }
    channel.end(Broken())
    channel.end()
    await sender.joined
    await #expect(throws: Broken.self) { _ = try await channel.next() }
    // A sender after the end does not wait.
    await channel.send([2])
  }

  @Test("a reader that waits receives the end")
  func waitingReader() async throws {
    let (failing, complete) = (BodyChannel(), BodyChannel())
    let readers = [failing, complete].map { channel in Task { try await channel.next() } }
    failing.end(Broken())
    complete.end()
    await #expect(throws: Broken.self) { _ = try await readers[0].joined }
    #expect(try await readers[1].joined == nil)
  }

  @Test("a cancelled reader leaves, and the next one gets the piece")
  func cancelledReader() async throws {
    let reader = Task { [channel] in try await channel.next() }
    reader.cancel()
    await #expect(throws: CancellationError.self) { _ = try await reader.joined }
    let sender = Task { [channel] in await channel.send([1]) }
    #expect(try await channel.next() == [1])
    await sender.joined
  }

  @Test("a second reader ends the first one's wait, and every piece has one reader")
  func secondReader() async throws {
    let readers = (0..<2).map { _ in Task { [channel] in try await channel.next() } }
    let sender = Task { [channel] in
      await channel.send([1])
      await channel.send([2])
      channel.end()
    }
    var pieces: [[UInt8]] = []
    for reader in readers {
      switch await reader.result {
      case .success(let piece): pieces += piece.map { [$0] } ?? []
      case .failure(let error): #expect(error is CancellationError)
      }
    }
    while let piece = try await channel.next() { pieces.append(piece) }
    await sender.joined
    #expect(pieces.sorted { $0[0] < $1[0] } == [[1], [2]])
  }
}
