import AsyncHTTPClient
import Glibc
import NIOCore
import NIOPosix

/// The cause of a connection that could not be made, in the words of a message.
enum ConnectionCause: String {
  case unknownName = "name not found"
  case refused = "connection refused"
  case timedOut = "timed out"
  case noRoute = "no route to the server"
  case refusedByProxy = "refused by the proxy"

  /// Returns the cause of a transport error; `nil` if the error does not show it.
  init?(_ error: any Error) {
    switch error {
    case let error as NIOConnectionError:
      // Without an address there was no attempt to connect.
      guard let last = error.connectionErrors.last else {
        guard error.dnsAError != nil || error.dnsAAAAError != nil else { return nil }
        self = .unknownName
        return
      }
      self.init(last.error)
    case let error as IOError: self.init(errno: error.errnoCode)
    case ChannelError.connectTimeout: self = .timedOut
    case let error as HTTPClientError where error == .invalidProxyResponse:
      self = .refusedByProxy
    default: return nil
    }
  }

  private init?(errno code: CInt) {
    switch code {
    case ECONNREFUSED: self = .refused
    case ETIMEDOUT: self = .timedOut
    case ENETUNREACH, EHOSTUNREACH, EADDRNOTAVAIL: self = .noRoute
    default: return nil
    }
  }
}
