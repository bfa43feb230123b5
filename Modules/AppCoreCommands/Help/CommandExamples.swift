/// The examples at the end of each command's help.
enum CommandExamples {
  /// Returns the examples of a command, which is named without `appcore`.
  static func of(_ command: String) -> [String] { all[command] ?? [] }

  /// The examples by command; each has to be a command line that works.
  static let all: [String: [String]] = [
    "": [
      "appcore setup                        # configure, sign in, sync",
      "appcore sync all                     # fetch invoices and contacts",
      "appcore invoices list --overdue      # what is past its due date",
      "appcore doctor                       # check the setup",
    ],
    "setup": [
      "appcore setup",
      "appcore setup --sandbox              # without an account",
      "appcore setup --provider xero --client-id ID --no-input",
    ],
    "login": [
      "appcore login",
      "appcore login --account firm --organisation 'Acme Ltd'",
      "appcore login --token-stdin < api-key.txt",
    ],
    "logout": [
      "appcore logout",
      "appcore logout --account old-shop --forget-invoices",
      "appcore logout --account acme-ltd --unused",
    ],
    "organisations": [
      "appcore organisations               # what each login reaches",
      "appcore organisations add --all",
    ],
    "organisations list": [
      "appcore organisations list",
      "appcore organisations list --json | jq -r '.organisations[].name'",
    ],
    "organisations add": [
      "appcore organisations add 'Acme Ltd'",
      "appcore organisations add 'Acme Ltd' --as acme --login firm",
      "appcore organisations add --all",
    ],
    "organisations remove": [
      "appcore organisations remove acme-ltd --forget-invoices"
    ],
    "status": [
      "appcore status",
      "appcore status --json | jq -r '.accounts[].name'",
      "appcore status --notify",
    ],
    "sync": [
      "appcore sync all",
      "appcore sync invoices --dry-run",
    ],
    "sync invoices": [
      "appcore sync invoices",
      "appcore sync invoices --since 2026-01-01 --max-duration 10m",
      "appcore sync invoices --full --dry-run",
      "appcore sync invoices --progress=json",
    ],
    "sync contacts": [
      "appcore sync contacts",
      "appcore sync contacts --full",
    ],
    "sync all": [
      "appcore sync all",
      "appcore sync all --all-accounts",
      "appcore sync all --all-accounts --quiet --no-input  # from cron or systemd",
    ],
    "invoices": [
      "appcore invoices list --search 'blue paint'",
      "appcore invoices show INV-100246",
    ],
    "invoices list": [
      "appcore invoices list --overdue --sort dueDate",
      "appcore invoices list --status open --contact 'acme lo'",
      "appcore invoices list --from 30d --min 1000 --currency EUR",
      "appcore invoices list --account acme,globex --overdue",
      "appcore invoices list --json | jq '.invoices | length'",
    ],
    "invoices show": [
      "appcore invoices show INV-100246",
      "appcore invoices show INV-100246 --json | jq '.invoice.lines'",
    ],
    "invoices summary": [
      "appcore invoices summary --from 2026-01-01",
      "appcore invoices summary --by quarter --type invoice",
      "appcore invoices summary --ageing --all-accounts",
    ],
    "invoices export": [
      "appcore invoices export --month 2024-03 -o march.csv",
      "appcore invoices export --format jsonl | jq -r .number",
    ],
    "contacts": [
      "appcore contacts list",
      "appcore contacts show 'acme lo'",
    ],
    "contacts list": [
      "appcore contacts list --search 'acme lo'",
      "appcore contacts list --json | jq '.contacts | length'",
    ],
    "contacts show": [
      "appcore contacts show 'Acme Ltd'"
    ],
    "contacts export": [
      "appcore contacts export -o contacts.csv",
      "appcore contacts export --format jsonl | jq -r .email",
    ],
    "report": [
      "appcore report --html report.html",
      "appcore report --html - --from 2026-01-01 > report.html",
    ],
    "config": [
      "appcore config show",
      "appcore config path",
    ],
    "config show": [
      "appcore config show",
      "appcore config show --config other.yaml",
    ],
    "config path": [
      "appcore config path"
    ],
    "doctor": [
      "appcore doctor",
      "appcore doctor --provider xero",
    ],
    "help": [
      "appcore help sync invoices",
      "appcore help exit-codes",
    ],
  ]
}
