import NIOCore
import NIOPosix

/// A server on the loopback interface that answers immediately or never: a path that begins with
/// `/hang` gets half of an answer, and `/busy` the status 503.
struct SmallServer {
  private let listener: any Channel
  let port: Int

  init() async throws {
    listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.backlog, value: 512)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(SmallConnection())
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    port = listener.localAddress?.port ?? 0
  }

  func stop() async throws { try await listener.close() }
}

private final class SmallConnection: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private static let end = Array("\r\n\r\n".utf8)
  private static let hang = Array("GET /hang".utf8)
  private static let busy = Array("GET /busy".utf8)
  private static let good = ByteBuffer(
    string: "HTTP/1.1 200 OK\r\nContent-Length: 1024\r\n\r\n"
      + String(repeating: "x", count: 1_024))
  private static let half = ByteBuffer(
    string: "HTTP/1.1 200 OK\r\nContent-Length: 1024\r\n\r\nxxxx")
  private static let later = ByteBuffer(
    string: "HTTP/1.1 503 Busy\r\nRetry-After: 0\r\nContent-Length: 0\r\n\r\n")

  private var unread: [UInt8] = []
  private var isHanging = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    unread += unwrapInboundIn(data).readableBytesView
    // A client sends one request at a time, and none of these has a body.
    guard !isHanging, unread.suffix(4).elementsEqual(Self.end) else { return }
    isHanging = unread.starts(with: Self.hang)
    let answer = isHanging ? Self.half : unread.starts(with: Self.busy) ? Self.later : Self.good
    unread.removeAll(keepingCapacity: true)
    context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
