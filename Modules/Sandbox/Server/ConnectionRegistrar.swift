import NIOCore

/// Registers its connection, and closes it immediately if the server is stopping.
final class ConnectionRegistrar: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny

  private let connections: OpenConnections

  init(_ connections: OpenConnections) {
    self.connections = connections
  }

  /// Registers the connection before it is active: one that never becomes active must be closed
  /// too.
  func handlerAdded(context: ChannelHandlerContext) {
    connections.add(context.channel)
    closeIfStopping(context)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    connections.remove(context.channel)
  }

  func channelActive(context: ChannelHandlerContext) {
    // Later handlers must not take over the connection, because nothing would close it.
    if !closeIfStopping(context) { context.fireChannelActive() }
  }

  @discardableResult
  private func closeIfStopping(_ context: ChannelHandlerContext) -> Bool {
    guard connections.isClosing else { return false }
    let channel = context.channel
    // Not synchronously, because the pipeline is still being set up.
    channel.eventLoop.execute { channel.close(promise: nil) }
    return true
  }
}
