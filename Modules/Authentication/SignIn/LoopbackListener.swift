import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import Networking
import SecureStore
import SystemSupport

/// Waits on the loopback interface for the browser to come back (RFC 8252 section 7.3).
///
/// It binds the literal 127.0.0.1, not `localhost`, which another program may answer for; takes one
/// answer, and is closed afterwards.
final class LoopbackListener: Sendable {
  static let path = "/callback"

  private let channel: any Channel
  private let answers: CallbackReceiver
  /// The redirect URI that leads here.
  let redirectURI: String

  /// Opens a port; 0 takes a free one.
  static func start(port: Int, state: Secret) async throws -> LoopbackListener {
    let answers = CallbackReceiver(path: path, state: state)
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.configureHTTPServerPipeline()
          try channel.pipeline.syncOperations.addHandler(LoopbackHandler(answers: answers))
        }
      }
      .bind(host: "127.0.0.1", port: port).get()
    return LoopbackListener(channel: channel, answers: answers)
  }

  private init(channel: any Channel, answers: CallbackReceiver) {
    self.channel = channel
    self.answers = answers
    redirectURI = Self.redirectURI(port: channel.localAddress?.port ?? 0)
  }

  /// The redirect URI that leads to a port.
  static func redirectURI(port: Int) -> String { "http://127.0.0.1:\(port)\(path)" }

  /// Waits for the answer with the right `state`; others are turned away and change nothing.
  func callback() async throws -> AuthorizationCallback {
    try await answers.outcome.value()
  }

  /// Closes the port.
  func stop() async {
    try? await channel.close().get()
  }
}

/// Turns requests into pages, over one connection.
private final class LoopbackHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let answers: CallbackReceiver
  private var head: HTTPRequestHead?

  init(answers: CallbackReceiver) {
    self.answers = answers
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
    let reply = answers.receive(method: head.method.rawValue, target: head.uri)
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
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
      channel.close(promise: nil)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
