import JSONReading
import Models
import Providers

/// The form in which sampled values can be read.
struct ProposedForm {
  /// The kind of a field's value.
  enum Kind { case text, currency, money, day, instant, number, rate }

  /// The word for `form` in a description; `nil` for the default.
  var word: String?
  /// The kind of the values, for a comment.
  var comment: String

  private init(_ word: String? = nil, _ comment: String) {
    (self.word, self.comment) = (word, comment)
  }

  /// Creates the form of a member's values; `nil` if no form reads all of them.
  init?(of member: SampledMember, as kind: Kind) {
    guard !member.values.isEmpty else { return nil }
    switch kind {
    case .text: self.init(texts: member.values)
    case .currency: self.init(currencies: member.values)
    case .money: self.init(amountsOf: member)
    case .day: self.init(dates: member.values, isDay: true)
    case .instant: self.init(dates: member.values, isDay: false)
    case .number:
      guard member.values.allSatisfy({ $0.decimal != nil }) else { return nil }
      self.init("numbers")
    case .rate:
      guard member.values.allSatisfy({ $0.decimal != nil }) else { return nil }
      let words = member.values.compactMap { $0.decimal?.normalized.description }
      let isFraction = words.allSatisfy { $0 == "0" || $0.hasPrefix("0.") }
      let isZero = words.allSatisfy { $0 == "0" }
      self =
        isFraction && !isZero
        ? ProposedForm(RESTRateForm.fraction.rawValue, "fractions of 1") : ProposedForm("percent")
    }
  }

  private init(_ comment: String) { self.init(nil, comment) }

  private init?(texts: [JSONValue]) {
    let isText = texts.allSatisfy { if case .text = $0 { true } else { false } }
    let isNumber = texts.allSatisfy { if case .number = $0 { true } else { false } }
    guard isText || isNumber else { return nil }
    self.init(isText ? "texts" : "numbers")
  }

  private init?(currencies: [JSONValue]) {
    let areCodes = currencies.allSatisfy { $0.word.flatMap { Currency(code: $0) } != nil }
    guard areCodes else { return nil }
    self.init("codes of three letters")
  }

  private init?(amountsOf member: SampledMember) {
    guard !member.areInstants else { return nil }
    let values = member.values
    let areNumbers = values.allSatisfy { if case .number = $0 { true } else { false } }
    let areWhole = values.allSatisfy { $0.word?.allSatisfy { $0.isNumber || $0 == "-" } ?? false }
    if member.isMinor, areWhole {
      self.init(RESTMoneyForm.minorUnits.rawValue, "whole numbers, and the name says cents")
    } else if values.allSatisfy({ $0.decimal != nil }) {
      let areTexts = values.allSatisfy { if case .text = $0 { true } else { false } }
      if areTexts {
        self.init(RESTMoneyForm.text.rawValue, "decimal texts")
      } else {
        let doubt = areNumbers && areWhole ? "; if these are cents, set form: minor-units" : ""
        self.init("numbers" + doubt)
      }
    } else {
      let forms = [RESTMoneyForm.commaThousands, .commaDecimal]
      let form = forms.first { form in values.allSatisfy { form.amount($0, in: nil) != nil } }
      guard let form else { return nil }
      self.init(form.rawValue, "texts with separators")
    }
  }

  private init?(dates values: [JSONValue], isDay: Bool) {
    let usual = isDay ? RESTDateForm.dayOfInstant : .instant
    let dates = values.filter { !usual.isNoDate($0) }
    guard !dates.isEmpty else { return nil }
    let forms: [RESTDateForm] = [
      usual, .withoutZone, .day, .dayMonthYear, .monthDayYear, .dottedDay, .digits, .object,
      .dotNet, .http, .seconds, .milliseconds,
    ]
    let form = forms.first { form in
      dates.allSatisfy { value in
        guard form == .seconds || form == .milliseconds else {
          return isDay ? form.day(value) != nil : form.instant(value) != nil
        }
        // A number of seconds or of milliseconds since 1970 in this century.
        let digits = form == .seconds ? 9...10 : 12...13
        let word = value.word ?? ""
        return digits.contains(word.count) && word.allSatisfy(\.isNumber)
      }
    }
    guard let form else { return nil }
    let isAmbiguous =
      form == .dayMonthYear && dates.allSatisfy { RESTDateForm.monthDayYear.day($0) != nil }
    let comment = isDay ? "days" : "instants"
    self.init(
      form == usual ? nil : form.rawValue,
      comment + (isAmbiguous ? "; it could also be mm/dd/yyyy" : ""))
  }
}

/// A line of a proposed description: a key with its value, or a heading, and a comment.
struct ProposedLine {
  let indent: Int
  let text: String
  let comment: String?

  init(_ indent: Int, _ text: String, _ comment: String? = nil) {
    (self.indent, self.text, self.comment) = (indent, text, comment)
  }

  var yaml: String {
    String(repeating: " ", count: indent) + text + (comment.map { "  # " + $0 } ?? "")
  }
}

extension SampledMember {
  /// Returns the comment of a line that is guessed from this member.
  func comment(_ kind: String) -> String { "guessed from \"\(path.prefix(60))\": \(kind)" }

  /// True if no value can be the name of somebody: each is one word with a digit.
  fileprivate var areIdentifiers: Bool {
    values.compactMap(\.word).allSatisfy { word in
      word.contains(where: \.isNumber) && !word.contains(where: \.isWhitespace)
    }
  }
}

/// The fields that the members of sampled objects suggest, as lines of a description.
struct ProposedFields {
  let members: [SampledMember]
  let names: [String: [String]]
  /// The form of amounts that the resource sets, and that no field repeats.
  var money: String?
  /// The paths of the members that are dates, and so no amounts.
  var dates: Set<String> = []
  /// The amounts that arithmetic finds; names decide of the others.
  var amounts: ProposedAmounts?

  /// Returns the member and the form of a field; `nil` if no member suggests it.
  func find(_ field: String, as kind: ProposedForm.Kind) -> (SampledMember, ProposedForm)? {
    if let member = amounts?.members[field], let form = ProposedForm(of: member, as: kind) {
      return (member, form)
    }
    return find(names[field] ?? [], as: kind)
  }

  func find(_ names: [String], as kind: ProposedForm.Kind) -> (SampledMember, ProposedForm)? {
    for name in names {
      for member in members where member.name == name {
        if case .money = kind {
          let isTaken = amounts?.members.values.contains { $0.path == member.path } ?? false
          guard !isTaken, !dates.contains(member.path) else { continue }
        }
        if let form = ProposedForm(of: member, as: kind) { return (member, form) }
      }
    }
    return nil
  }

  /// Returns the line of a field; `nil` if no member suggests it.
  func line(_ field: String, as kind: ProposedForm.Kind, indent: Int) -> ProposedLine? {
    find(field, as: kind).map { line(field, $0, $1, as: kind, indent: indent) }
  }

  func line(
    _ field: String, _ member: SampledMember, _ form: ProposedForm, as kind: ProposedForm.Kind,
    indent: Int
  ) -> ProposedLine {
    let path = ConfigurationDraft.quoted(member.path)
    var word = form.word
    if case .money = kind {
      let own = money.flatMap(RESTMoneyForm.init(rawValue:)) ?? .decimal
      // A sample without separators can be read in another form than the list's.
      let isOwn =
        word == money
        || ![word, money].contains { $0 == RESTMoneyForm.minorUnits.rawValue }
          && member.values.allSatisfy { own.amount($0, in: nil) != nil }
      word = isOwn ? nil : word ?? RESTMoneyForm.decimal.rawValue
    }
    return ProposedLine(
      indent, "\(field): " + (word.map { "{ path: \(path), form: \($0) }" } ?? path),
      member.comment(form.comment + (amounts?.reasons[field] ?? "")))
  }

  /// Returns the lines of the other party; empty if no member suggests one.
  func party(indent: Int) -> [ProposedLine] {
    let lines = party.map { line($0.field, $0.member, $0.form, as: .text, indent: indent + 2) }
    return lines.isEmpty ? [] : [ProposedLine(indent, "contact:")] + lines
  }

  /// The fields of the other party; empty if no member suggests one.
  var party: [(field: String, member: SampledMember, form: ProposedForm)] {
    for party in ProposedNames.parties {
      let isIdentifier = find([party], as: .text)?.0.areIdentifiers ?? false
      let names = ["name", "displayname", "fullname", "company", "companyname"]
      let parts = [
        ("id", ["id", "uuid", "number"] + (isIdentifier ? [""] : [])),
        ("name", names + (isIdentifier ? [] : [""])),
        ("email", ["email", "emailaddress"]),
      ]
      let found = parts.compactMap { field, endings in
        find(endings.map { party + $0 }, as: .text).map {
          (field: field, member: $0.0, form: $0.1)
        }
      }
      if !found.isEmpty { return found }
    }
    return []
  }

  /// Returns the lines of the list of an invoice's lines; empty if no member suggests one.
  func list(indent: Int) -> [ProposedLine] {
    for name in ProposedNames.lists {
      for member in members where member.name == name {
        let elements = member.values.flatMap { $0.objects ?? [] }
        guard !elements.isEmpty else { continue }
        let fields = ProposedFields(
          members: SampledMember.all(of: elements), names: ProposedNames.line, money: money)
        let kinds: [(String, ProposedForm.Kind)] = [
          ("description", .text), ("quantity", .number), ("unitAmount", .money),
          ("lineAmount", .money), ("taxRate", .rate),
        ]
        let lines = kinds.compactMap { fields.line($0, as: $1, indent: indent + 4) }
        guard !lines.isEmpty else { continue }
        let path = ConfigurationDraft.quoted(member.path)
        return [
          ProposedLine(indent, "lines:"),
          ProposedLine(indent + 2, "path: \(path)", member.comment("a list of objects")),
          ProposedLine(indent + 2, "fields:"),
        ] + lines
      }
    }
    return []
  }

  /// Returns the lines of a field whose words are translated; empty if no member suggests it.
  ///
  /// - Parameters:
  ///   - known: appcore's own words.
  ///   - words: appcore's word for the usual words of providers.
  ///   - example: the word to suggest for an unknown one.
  func words(
    _ field: String, known: [String], _ words: [String: String], example: String, indent: Int
  ) -> [ProposedLine] {
    guard let (member, _) = find(field, as: .text) else { return [] }
    var seen: Set<String> = []
    let texts = member.values.compactMap(\.word).filter { seen.insert($0).inserted }.sorted()
    let path = ConfigurationDraft.quoted(member.path)
    let comment = member.comment("words")
    let others = texts.filter { !known.contains($0) }
    guard !others.isEmpty else { return [ProposedLine(indent, "\(field): \(path)", comment)] }
    var lines: [ProposedLine] = []
    var isEmpty = true
    for text in others {
      // A longer text is no status, and may be a person's.
      guard text.count <= 20, SampledMember.path("", text) != nil else { continue }
      let word = ConfigurationDraft.quoted(text)
      if let meaning = words[SampledMember.plain(text)] {
        lines.append(ProposedLine(indent + 4, "\(word): \(meaning)"))
        isEmpty = false
      } else {
        lines.append(
          ProposedLine(indent + 4, "# \(word): \(example)", "unknown; name appcore's word for it"))
      }
    }
    let map = ProposedLine(indent + 2, isEmpty ? "# map:" : "map:")
    return [
      ProposedLine(indent, "\(field):"), ProposedLine(indent + 2, "path: \(path)", comment), map,
    ] + lines
  }
}
