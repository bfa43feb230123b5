import NIOCore

/// Enters its connection in the book, and closes it at once where the server is being stopped.
final class ConnectionRegistrar: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny

  private let book: OpenConnections

  init(_ book: OpenConnections) {
    self.book = book
  }

  /// Enters the connection before it is active: one that never becomes so must be closed too.
  func handlerAdded(context: ChannelHandlerContext) {
    book.add(context.channel)
    closeIfStopping(context)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    book.remove(context.channel)
  }

  func channelActive(context: ChannelHandlerContext) {
    // Handlers behind this one must not take the connection over: nobody would finish it.
    if !closeIfStopping(context) { context.fireChannelActive() }
  }

  @discardableResult
  private func closeIfStopping(_ context: ChannelHandlerContext) -> Bool {
    guard book.isClosing else { return false }
    let channel = context.channel
    // Not from within: the pipeline is still being put together.
    channel.eventLoop.execute { channel.close(promise: nil) }
    return true
  }
}
