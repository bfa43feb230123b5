import Foundation
import NIOCore
import NIOPosix

/// A client's connection to a proxy, and the one that leads on from it; both on one event loop.
final class ProxyConnection: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let behaviour: ProxyServer.Behaviour
  private let ledger: FaultLedger
  private let log: ProxyLog
  private var reader = RequestReader()
  private var context: ChannelHandlerContext?
  private var server: (authority: String, channel: any Channel)?
  private var isTunnel = false
  /// True while nothing more is read from the client.
  private var isBusy = false

  init(_ behaviour: ProxyServer.Behaviour, _ ledger: FaultLedger, _ log: ProxyLog) {
    self.behaviour = behaviour
    self.ledger = ledger
    self.log = log
  }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }
  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }
  func channelInactive(context: ChannelHandlerContext) { server?.channel.close(promise: nil) }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let buffer = unwrapInboundIn(data)
    if isTunnel, let server {
      server.channel.writeAndFlush(buffer, promise: nil)
    } else {
      reader.append(buffer.readableBytesView)
      advance()
    }
  }

  /// A client that does not take what the server sends lets the server wait.
  func channelWritabilityChanged(context: ChannelHandlerContext) {
    _ = server?.channel.setOption(.autoRead, value: context.channel.isWritable)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  private func advance() {
    while !isBusy, !isTunnel, let request = reader.next() { answer(request) }
  }

  private func answer(_ request: RequestText) {
    let isConnect = request.method == "CONNECT"
    let url = isConnect ? "http://\(request.target)" : String(request.target)
    guard let parts = URLComponents(string: url), let host = parts.host else {
      return reply("400 Bad Request")
    }
    let authority = host + ":\(parts.port ?? 80)"
    let credentials = request.field("proxy-authorization").map(Self.decoded)
    log.add(.init(authority: authority, isTunnel: isConnect, credentials: credentials))
    if let wanted = behaviour.credentials, credentials != wanted {
      return reply("407 Denied", "Proxy-Authenticate: Basic realm=\"test\"\r\n")
    }
    guard ["127.0.0.1", "localhost", "[::1]", "::1"].contains(host) else {
      return reply("403 Not this machine")
    }
    isBusy = isConnect && behaviour.hangsOnConnect
    guard !isBusy else { return }
    connect(host, parts.port ?? 80, authority) { [self] channel in
      if isConnect {
        isTunnel = true
        send("HTTP/1.1 200 Connected\r\n\r\n")
        channel.writeAndFlush(ByteBuffer(bytes: reader.takeRest()), promise: nil)
      } else {
        let target =
          (parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath)
          + (parts.percentEncodedQuery.map { "?" + $0 } ?? "")
        channel.writeAndFlush(Self.forwarded(request, to: target), promise: nil)
      }
    }
  }

  /// Leads on, over the connection that stands where it leads to the right server.
  private func connect(
    _ host: String, _ port: Int, _ authority: String, then next: @escaping (any Channel) -> Void
  ) {
    if let server, server.authority == authority, server.channel.isActive {
      return next(server.channel)
    }
    guard let context else { return }
    server?.channel.close(promise: nil)
    server = nil
    isBusy = true
    let loop = context.eventLoop
    let client = NIOLoopBound(self, eventLoop: loop)
    ClientBootstrap(group: loop)
      .channelInitializer { [ledger] channel in
        loop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          try pipeline.addHandler(WireHandler(ledger))
          try pipeline.addHandler(ProxiedServer(client.value))
        }
      }
      .connect(host: host.filter { $0 != "[" && $0 != "]" }, port: port)
      .assumeIsolated().whenComplete { [self] result in
        isBusy = false
        switch result {
        case .failure: reply("502 Nobody there")
        case .success(let channel):
          guard self.context != nil else { return channel.close(promise: nil) }
          server = (authority, channel)
          next(channel)
        }
        advance()
      }
  }

  fileprivate func send(_ buffer: ByteBuffer) {
    context?.writeAndFlush(NIOAny(buffer), promise: nil)
  }

  /// The server has ended its connection: so does the client's, when it has everything.
  fileprivate func ended(_ channel: any Channel) {
    guard let server, server.channel === channel, let context else { return }
    context.writeAndFlush(NIOAny(ByteBuffer())).assumeIsolated().whenComplete { _ in
      context.close(promise: nil)
    }
  }

  private func send(_ text: String) { send(ByteBuffer(string: text)) }

  private func reply(_ status: String, _ fields: String = "") {
    send("HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\(fields)\r\n")
  }

  private static func decoded(_ field: String) -> String {
    guard field.lowercased().hasPrefix("basic "),
      let data = Data(base64Encoded: String(field.dropFirst(6)))
    else { return field }
    return String(decoding: data, as: UTF8.self)
  }

  /// The request as the server is to see it: a path, and nothing that was for the proxy.
  private static func forwarded(_ request: RequestText, to target: String) -> ByteBuffer {
    var lines = request.head.components(separatedBy: "\r\n")
    lines[0] = "\(request.method) \(target) HTTP/1.1"
    lines.removeAll { $0.lowercased().hasPrefix("proxy-") }
    return ByteBuffer(bytes: Array(lines.joined(separator: "\r\n").utf8) + request.body)
  }
}

/// The connection that leads on from a proxy to a server.
private final class ProxiedServer: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let client: ProxyConnection

  init(_ client: ProxyConnection) {
    self.client = client
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    client.send(unwrapInboundIn(data))
  }

  func channelInactive(context: ChannelHandlerContext) { client.ended(context.channel) }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
