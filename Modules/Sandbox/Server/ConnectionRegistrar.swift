import NIOCore

/// Registers its connection, and closes it immediately if the server is being stopped.
final class ConnectionRegistrar: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny

  private let connections: OpenConnections

  init(_ connections: OpenConnections) {
    self.connections = connections
  }

  /// Enters the connection before it is active: one that never becomes so must be closed too.
  func handlerAdded(context: ChannelHandlerContext) {
    connections.add(context.channel)
    closeIfStopping(context)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    connections.remove(context.channel)
  }

  func channelActive(context: ChannelHandlerContext) {
    // Handlers behind this one must not take the connection over: nobody would finish it.
    if !closeIfStopping(context) { context.fireChannelActive() }
  }

  @discardableResult
  private func closeIfStopping(_ context: ChannelHandlerContext) -> Bool {
    guard connections.isClosing else { return false }
    let channel = context.channel
    // Not from within: the pipeline is still being put together.
    channel.eventLoop.execute { channel.close(promise: nil) }
    return true
  }
}
