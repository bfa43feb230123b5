import Glibc
import NIOCore

/// The end of the pipeline at the socket, below TLS: counts connections, and closes them in ways
/// that TLS would not.
final class WireHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let ledger: FaultLedger

  init(_ ledger: FaultLedger) {
    self.ledger = ledger
  }

  func channelActive(context: ChannelHandlerContext) {
    guard ledger.opened(context.channel) else {
      context.close(promise: nil)
      return
    }
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    ledger.closed(context.channel)
    context.fireChannelInactive()
  }

  /// Ends the sending direction of TCP.
  static func halfClose(_ channel: any Channel) {
    below(channel)?.close(mode: .output, promise: nil)
  }

  /// Sends bytes without encrypting them.
  static func send(_ bytes: [UInt8], on channel: any Channel) {
    let buffer = channel.allocator.buffer(bytes: bytes)
    below(channel)?.writeAndFlush(NIOAny(buffer), promise: nil)
  }

  /// Ends the connection with RST.
  static func reset(_ channel: any Channel) {
    let option = linger(l_onoff: 1, l_linger: 0)
    _ = (channel as? any SocketOptionProvider)?.setSoLinger(option)
    below(channel)?.close(promise: nil)
  }

  /// Ends the connection directly, from any thread.
  static func close(_ channel: any Channel) {
    channel.eventLoop.execute { below(channel)?.close(promise: nil) }
  }

  private static func below(_ channel: any Channel) -> ChannelHandlerContext? {
    try? channel.pipeline.syncOperations.context(handlerType: WireHandler.self)
  }
}
