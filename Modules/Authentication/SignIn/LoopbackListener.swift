import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import Networking
import SecureStore
import SystemSupport

/// The HTTP listener on the loopback interface that receives the browser's redirect (RFC 8252
/// section 7.3).
///
/// It binds the literal 127.0.0.1; for a redirect URI with the name `localhost` also ::1, which
/// browsers try first and on which another program may otherwise listen. It accepts one response
/// and is closed afterwards.
final class LoopbackListener: Sendable {
  static let path = "/callback"

  private let channels: [any Channel]
  let receiver: CallbackReceiver
  let redirectURI: String

  /// Opens a port; 0 means any free one.
  static func start(
    host: OAuthClient.LoopbackHost = .address, port: Int, state: Secret
  ) async throws -> LoopbackListener {
    let receiver = CallbackReceiver(path: path, state: state)
    let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.configureHTTPServerPipeline()
          try channel.pipeline.syncOperations.addHandler(LoopbackHandler(receiver: receiver))
        }
      }
    let channel = try await bootstrap.bind(host: "127.0.0.1", port: port).get()
    let bound = channel.localAddress?.port ?? port
    var channels: [any Channel] = [channel]
    if host == .localhost {
      do {
        channels.append(try await bootstrap.bind(host: "::1", port: bound).get())
      } catch let error as IOError where error.errnoCode == EADDRINUSE {
        // The browser would send its answer to the program that listens there.
        try? await channel.close().get()
        throw error
      } catch {
        // This machine has no IPv6.
      }
    }
    return LoopbackListener(
      channels, receiver, redirectURI: redirectURI(host: host, port: bound))
  }

  private init(_ channels: [any Channel], _ receiver: CallbackReceiver, redirectURI: String) {
    self.channels = channels
    self.receiver = receiver
    self.redirectURI = redirectURI
  }

  static func redirectURI(host: OAuthClient.LoopbackHost, port: Int) -> String {
    "http://\(host.rawValue):\(port)\(path)"
  }

  func stop() async {
    for channel in channels { try? await channel.close().get() }
  }
}

private final class LoopbackHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let receiver: CallbackReceiver
  private var head: HTTPRequestHead?

  init(receiver: CallbackReceiver) {
    self.receiver = receiver
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): self.head = head
    case .body: break
    case .end:
      guard let head else { return }
      respond(to: head, context: context)
    }
  }

  private func respond(to head: HTTPRequestHead, context: ChannelHandlerContext) {
    let reply = receiver.receive(method: head.method.rawValue, target: head.uri)
    let body = context.channel.allocator.buffer(string: reply.html)
    var headers = HTTPHeaders()
    headers.add(name: "Content-Type", value: "text/html; charset=utf-8")
    headers.add(name: "Content-Length", value: "\(body.readableBytes)")
    headers.add(name: "Cache-Control", value: "no-store")
    headers.add(name: "Referrer-Policy", value: "no-referrer")
    headers.add(name: "Connection", value: "close")
    let status = HTTPResponseStatus(statusCode: reply.status)
    context.write(
      wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers))),
      promise: nil)
    context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
    let channel = context.channel
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { [receiver] _ in
      receiver.finish(reply)
      channel.close(promise: nil)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
