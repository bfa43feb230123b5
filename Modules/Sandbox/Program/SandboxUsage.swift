/// The help text of the program.
enum SandboxUsage {
  static let text = """
    A loopback authorization server and invoice API that speaks a real provider's wire shape.

    USAGE
      appcore-sandbox serve [options]
      appcore-sandbox approve URL

    serve prints one JSON line with url, clientID, machineClientID and machineClientSecret when it
    is ready, and stops on SIGINT, SIGTERM, or the end of standard input where that is a pipe.

      --port N               port on 127.0.0.1; 0 takes any free one (default 0)
      --provider NAME        whose wire shape to speak: xero, quickbooks, stripe, square or
                             moneybird (default xero)
      --invoices N           how many invoices to make up (default 250)
      --seed S               what to make them up from (default 1)
      --data DIR             serve the tables xero_invoice_data.csv and
                             xero_invoice_line_item_data.csv instead
      --page-size N          invoices a page where the request does not say (default 100)
      --tenants N            how many tenants there are (default 1)
      --client-id ID         the public client's identifier (default sandbox-client)
      --token-lifetime TIME  how long an access token is valid (default 1800s)
      --reuse-grace TIME     how long a spent refresh token is accepted (default 0ms)
      --latency TIME         what every request waits (default 0ms)
      --token-latency TIME   what the token endpoint waits after the exchange (default 0ms)
      --device-interval TIME how often a device may ask for its approval (default 5s)
      --auto-approve         redirect at once instead of showing the page
      --no-issuer            neither announce nor send the iss parameter
      --faults FILE          arm the faults of a JSON array
      --tls-certificate FILE, --tls-key FILE
                             serve HTTPS with this PEM certificate and key
      --ignore-stdin         do not stop when standard input ends
      -h, --help             print this

    A TIME is a number with ms, s, m or h.

    The bearer token sk_live_1 is always valid and reaches the first tenant alone, sk_live_2 the
    second; sk_test_1 is a test key in Stripe's shape.

    approve plays the person's browser: it opens an authorization URL on this machine, presses
    Approve where there is a page, and follows the redirect. It exits 0 when the callback answered
    2xx.

    CONTROLS
      GET    /_sandbox/stats                            what was seen so far
      GET    /_sandbox/invoices                         every invoice
      POST   /_sandbox/invoices/change?count=3&seed=7   also void, delete, restore and add
      POST   /_sandbox/tokens/expire                    end every access token
      POST   /_sandbox/faults                           arm a fault or an array of them
      DELETE /_sandbox/faults                           disarm all

    EXIT CODES
      0 done · 1 not approved · 64 usage · 65 a file cannot be read · 69 cannot listen or connect

    """
}
