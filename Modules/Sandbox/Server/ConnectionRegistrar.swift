import NIOCore

/// Enters its connection in the book, and closes it at once where the server is being stopped.
final class ConnectionRegistrar: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny

  private let book: ConnectionBook

  init(_ book: ConnectionBook) {
    self.book = book
  }

  func channelActive(context: ChannelHandlerContext) {
    book.add(context.channel)
    guard !book.isClosing else {
      // Handlers behind this one must not take the connection over: nobody would finish it.
      context.close(promise: nil)
      return
    }
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    book.remove(context.channel)
    context.fireChannelInactive()
  }
}
