/// The page that asks the user for approval, and the one that reports an invalid request.
enum ApprovalPage {
  /// The name of the field that carries the handle of the request.
  static let handleField = "request"

  static func consent(clientID: String, scope: Scope, handle: String) -> String {
    page(
      title: "Allow access?",
      body: """
        <p><strong>\(escaped(clientID))</strong> asks for access to Sandbox Company:</p>
        <ul>\(scope.tokens.map { "<li>\(escaped($0))</li>" }.joined())</ul>
        <form method="post" action="/connect/authorize">
        <input type="hidden" name="\(handleField)" value="\(handle)">
        <button name="decision" value="approve">Approve</button>
        <button name="decision" value="deny">Deny</button>
        </form>
        """)
  }

  /// Returns the page that asks for the code that a device shows.
  static func deviceCode() -> String {
    page(
      title: "Enter the code",
      body: """
        <form method="get" action="\(OAuthRoutes.devicePath)">
        <input name="user_code" autofocus> <button>Continue</button>
        </form>
        """)
  }

  static func decided(isApproved: Bool) -> String {
    page(
      title: isApproved ? "The device is approved" : "The device is refused",
      body: "<p>You can close this window.</p>")
  }

  static func failure(_ reason: String) -> String {
    page(title: "This request cannot be answered", body: "<p>\(escaped(reason))</p>")
  }

  private static func page(title: String, body: String) -> String {
    """
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8"><title>\(title)</title></head>
    <body><h1>\(title)</h1>
    \(body)
    </body></html>
    """
  }

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.append(character)
      }
    }
  }
}
