import NIOCore
import NIOTLS

/// Follows the script on one connection, on its event loop.
final class FaultConnection: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let script: FaultScript
  private let ledger: FaultLedger
  private var reader = RequestReader()
  private var steps: ArraySlice<FaultScript.Step>
  /// True while a step has begun and not ended.
  private var isBusy = false
  private var context: ChannelHandlerContext?

  init(_ script: FaultScript, _ ledger: FaultLedger) {
    self.script = script
    self.ledger = ledger
    steps = script.onConnect[...]
  }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }
  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }
  func channelActive(context: ChannelHandlerContext) { advance() }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    reader.append(unwrapInboundIn(data).readableBytesView)
    advance()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .handshakeCompleted = event as? TLSUserEvent { ledger.completedHandshake() }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    WireHandler.close(context.channel)
  }

  private func advance() {
    while !isBusy, let context, context.channel.isActive {
      if let step = steps.popFirst() {
        perform(step, context)
      } else if let request = reader.next() {
        ledger.requested(request.text)
        steps = answer(to: request)
      } else {
        return
      }
    }
  }

  private func answer(to request: RequestText) -> ArraySlice<FaultScript.Step> {
    if let answering = script.answering { return answering(request.text)[...] }
    if let steps = script.paths[request.path] { return steps[...] }
    guard !script.responses.isEmpty else { return [] }
    return script.responses[min(ledger.nextResponse(), script.responses.count - 1)][...]
  }

  private func perform(_ step: FaultScript.Step, _ context: ChannelHandlerContext) {
    switch step {
    case .send(let bytes): write(bytes.values[...], context) { self.finishStep() }
    case .sendBelowTLS(let bytes): WireHandler.send(bytes.values, on: context.channel)
    case .sendSlowly(let bytes, let pause): trickle(bytes.values[...], pause, context)
    case .repeat(let bytes, let times): pump(bytes.values, times, context)
    case .pause(let gate): wait(for: gate, context)
    case .open(let gate): gate.open()
    case .hang: isBusy = true
    case .halfClose: WireHandler.halfClose(context.channel)
    case .reset: WireHandler.reset(context.channel)
    case .close: context.close(promise: nil)
    }
  }

  private func finishStep() {
    isBusy = false
    advance()
  }

  /// Goes on when the bytes have left; where they cannot, the connection is at its end anyway.
  private func write(
    _ bytes: ArraySlice<UInt8>, _ context: ChannelHandlerContext, then next: @escaping () -> Void
  ) {
    isBusy = true
    let buffer = context.channel.allocator.buffer(bytes: bytes)
    context.writeAndFlush(NIOAny(buffer)).assumeIsolated().whenSuccess(next)
  }

  private func trickle(
    _ bytes: ArraySlice<UInt8>, _ pause: Duration, _ context: ChannelHandlerContext
  ) {
    guard !bytes.isEmpty else { return finishStep() }
    write(bytes.prefix(1), context) {
      context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(pause)) {
        guard let context = self.context, context.channel.isActive else { return }
        self.trickle(bytes.dropFirst(), pause, context)
      }
    }
  }

  /// Sends in batches of many, made once; what is left over at the end goes by itself.
  private func pump(_ bytes: [UInt8], _ times: Int?, _ context: ChannelHandlerContext) {
    let count = min(times ?? .max, max(1, 16_384 / max(1, bytes.count)))
    guard count > 0, !bytes.isEmpty else { return finishStep() }
    let batch = count == 1 ? bytes : Array(repeatElement(bytes, count: count).joined())
    pump(batch, batches: times.map { $0 / count }, context) {
      self.pump(bytes, times.map { $0 % count } ?? 0, context)
    }
  }

  private func pump(
    _ batch: [UInt8], batches: Int?, _ context: ChannelHandlerContext,
    then next: @escaping () -> Void
  ) {
    guard batches != 0 else { return next() }
    write(batch[...], context) {
      // In a later iteration of the loop: others have to be served, and the stack to end.
      context.eventLoop.assumeIsolated().execute {
        guard let context = self.context, context.channel.isActive else { return }
        self.pump(batch, batches: batches.map { $0 - 1 }, context, then: next)
      }
    }
  }

  private func wait(for gate: Gate, _ context: ChannelHandlerContext) {
    isBusy = true
    let loop = context.eventLoop
    let connection = NIOLoopBound(self, eventLoop: loop)
    Task {
      await gate.wait()
      loop.execute { connection.value.finishStep() }
    }
  }
}
