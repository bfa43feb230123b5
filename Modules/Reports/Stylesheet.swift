/// The style of a page, which is part of it.
enum Stylesheet {
  /// The rules, in which no character is markup.
  static let css: HTML = """

    \(colours)
    \(text)
    \(tables)
    \(charts)
    \(media)
    """

  /// Light colours, and dark ones on a screen that asks for them; paper is always light.
  private static let colours: HTML = """
    :root { color-scheme: light; --page: #f6f7f9; --panel: #fff; --text: #1a2230; --soft: #5a6675;
      --line: #e3e7ec; --zero: #9aa5b1; --track: #eef1f4; --invoiced: #3b6fb6; --paid: #2f9e7d;
      --late: #b3261e; --age0: #7f93a8; --age1: #e0a526; --age2: #dd7f1d; --age3: #cf5a2a;
      --age4: #b3261e; --age5: #a8b0b9; }
    @media screen and (prefers-color-scheme: dark) {
      :root { color-scheme: dark; --page: #10151c; --panel: #181f29; --text: #e8ecf1;
        --soft: #9ba8b6; --line: #2a3442; --zero: #5d6b7a; --track: #222c38; --invoiced: #6f9fe0;
        --paid: #4cc19c; --late: #ff8a80; --age0: #71859b; --age1: #e6b84f; --age2: #ea9a4b;
        --age3: #ef7d55; --age4: #f26d63; --age5: #66727f; } }
    """

  private static let text: HTML = """
    * { box-sizing: border-box; }
    html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
    body { margin: 0 auto; padding: 40px 24px 56px; max-width: 1120px; background: var(--page);
      color: var(--text); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, Cantarell,
      "Noto Sans", "DejaVu Sans", sans-serif; overflow-wrap: anywhere; }
    h1, h2, h3, h4, p, figure, dl, dd { margin: 0; }
    h1 { font-size: 30px; line-height: 1.2; letter-spacing: -0.02em; font-weight: 650; }
    header p, .note, footer { color: var(--soft); }
    header p { margin-top: 6px; }
    nav ul { display: flex; flex-wrap: wrap; gap: 8px; list-style: none; padding: 0;
      margin: 18px 0 0; }
    nav a { display: block; padding: 4px 14px; border: 1px solid var(--line); border-radius: 99px;
      background: var(--panel); color: inherit; text-decoration: none; font-weight: 600;
      font-size: 13px; letter-spacing: 0.04em; }
    nav a:hover, nav a:focus-visible { border-color: var(--invoiced); }
    h2 { margin: 48px 0 0; padding-bottom: 8px; border-bottom: 2px solid var(--text);
      font-size: 22px; letter-spacing: 0.02em; }
    h3 { margin: 28px 0 14px; font-size: 18px; }
    h4 { font-size: 14px; font-weight: 650; }
    .note { font-size: 13px; }
    .id { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 12px;
      color: var(--soft); font-weight: 400; }
    .empty { margin-top: 48px; font-size: 17px; }
    code { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 0.93em;
      padding: 2px 6px; border-radius: 4px; background: var(--track); }
    footer { margin-top: 48px; padding-top: 16px; border-top: 1px solid var(--line);
      font-size: 13px; max-width: 78ch; }
    """

  private static let tables: HTML = """
    table { width: 100%; border-collapse: collapse; font-size: 14px; }
    th, td { padding: 7px 10px; text-align: left; font-weight: 400; vertical-align: baseline; }
    th:first-child, td:first-child { padding-left: 0; }
    th:last-child, td:last-child { padding-right: 0; }
    thead th { color: var(--soft); font-size: 12px; font-weight: 600; white-space: nowrap; }
    tbody tr { border-top: 1px solid var(--line); }
    tfoot tr { border-top: 2px solid var(--zero); }
    tfoot th, tfoot td { font-weight: 650; }
    .n { text-align: right; white-space: nowrap; overflow-wrap: normal;
      font-variant-numeric: tabular-nums lining-nums; }
    .tag { margin-left: 4px; padding: 1px 7px; border-radius: 99px; background: var(--track);
      color: var(--soft); font-size: 11px; }
    details { margin-top: 10px; font-size: 13px; }
    summary { color: var(--soft); cursor: pointer; width: fit-content; }
    details table { margin-top: 8px; font-size: 13px; }
    details th, details td { padding-top: 4px; padding-bottom: 4px; }
    """

  private static let charts: HTML = """
    .panel { margin-top: 16px; padding: 18px 20px 20px; background: var(--panel);
      border: 1px solid var(--line); border-radius: 10px; min-width: 0; }
    .pair { display: grid; grid-template-columns: 1fr 1fr; gap: 0 16px; }
    .pair > :only-child { grid-column: 1 / -1; }
    figcaption { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 2px 16px;
      margin-bottom: 10px; }
    .figures { display: grid; grid-template-columns: repeat(4, 1fr); gap: 16px; }
    .figures > div { padding: 14px 20px 16px; background: var(--panel);
      border: 1px solid var(--line); border-radius: 10px; min-width: 0; }
    .figures dt { color: var(--soft); font-size: 13px; }
    .figures dd:not(.note) { font-size: 22px; line-height: 1.3; font-weight: 650;
      letter-spacing: -0.01em; font-variant-numeric: tabular-nums lining-nums; }
    .figures .unit { font-size: 12px; font-weight: 500; color: var(--soft); letter-spacing: 0; }
    .figures .late dd:not(.note) { color: var(--late); }
    .legend { display: flex; gap: 16px; font-size: 13px; color: var(--soft); }
    .key::before { content: ""; display: inline-block; width: 10px; height: 10px;
      margin-right: 6px; border-radius: 2px; background: currentColor; }
    .key.invoiced::before { background: var(--invoiced); }
    .key.paid::before { background: var(--paid); }
    .plot { display: flex; }
    .plot .axis { flex: none; }
    .plot .bars { flex: 1; min-width: 0; overflow: visible; }
    svg { display: block; }
    svg text { fill: var(--soft); font-size: 12px; font-variant-numeric: tabular-nums; }
    svg text.year { fill: var(--text); font-weight: 600; }
    .grid { stroke: var(--line); } .zero { stroke: var(--zero); }
    .hit { fill: transparent; } g:hover > .hit { fill: var(--track); }
    .track { fill: var(--track); }
    rect.invoiced { fill: var(--invoiced); } rect.paid { fill: var(--paid); }
    .age0 { fill: var(--age0); } .age1 { fill: var(--age1); } .age2 { fill: var(--age2); }
    .age3 { fill: var(--age3); } .age4 { fill: var(--age4); } .age5 { fill: var(--age5); }
    table.bars tbody tr { border-top: 0; } table.bars thead th { padding-bottom: 2px; }
    table.bars th, table.bars td { padding-top: 6px; padding-bottom: 0; }
    table.bars tr.bar td { padding: 4px 0 6px; }
    table.bars .wide, .share { color: var(--soft); }
    .share { width: 52px; }
    .list tbody th { font-weight: 500; } .accounts a { color: inherit; }
    .list tbody th bdi:not(.id) { display: inline-block; width: max-content; max-width: 16ch; }
    .list tbody th .tag { white-space: nowrap; }
    """

  /// Narrow screens, and paper.
  private static let media: HTML = """
    @media screen and (max-width: 960px) { .list .wide { display: none; } }
    @media screen and (max-width: 860px) { .pair { grid-template-columns: 1fr; }
      .figures { grid-template-columns: 1fr 1fr; gap: 10px; } svg text.minor { display: none; } }
    @media screen and (max-width: 560px) { body { padding: 24px 14px 40px; font-size: 14px; }
      h1 { font-size: 24px; } .panel { padding: 14px 14px 16px; } .wide { display: none; }
      .figures > div { padding: 10px 14px 12px; } .figures dd:not(.note) { font-size: 17px; }
      .figures .unit { display: block; }
      th, td { padding-left: 4px; padding-right: 4px; } table { font-size: 13px; }
      thead th { white-space: normal; vertical-align: bottom; } .list .id { max-width: 9ch; }
      .id { display: inline-block; max-width: 14ch; overflow: hidden; text-overflow: ellipsis;
        white-space: nowrap; vertical-align: bottom; }
      .list tbody th bdi:not(.id) { max-width: 12ch; } }
    @media screen and (max-width: 400px) { body { padding: 20px 8px 32px; }
      .panel { padding: 14px 8px 16px; } .list table { font-size: 12px; }
      .list tbody th bdi:not(.id) { max-width: 9ch; } .list time { white-space: normal; }
      .list td bdi { display: inline-block; min-width: 9ch; } .accounts .invoiced { display: none; }
      .list tbody th, .list tbody td, .list bdi { vertical-align: top; } }
    @media print { @page { size: A4; margin: 14mm 13mm; }
      :root { --page: #fff; }
      * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
      body { max-width: none; padding: 0; font-size: 10pt; }
      nav, details { display: none; }
      h2 { margin-top: 18px; } h3 { margin: 18px 0 8px; }
      .panel { margin-top: 10px; padding: 10px 14px 12px; border-radius: 4px; }
      .figures { gap: 10px; } .figures > div { padding: 8px 12px 10px; border-radius: 4px; }
      .figures dd:not(.note) { font-size: 12pt; } .figures .unit { font-size: 7pt; }
      .pair { gap: 0 10px; } table { font-size: 8pt; } svg text { font-size: 10px; }
      th, td { padding: 4px 6px; } .id { font-size: 7pt; } .bars .id { display: inline-block;
        max-width: 14ch; overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
        vertical-align: bottom; }
      h4 { font-size: 9.5pt; } .note, .legend { font-size: 8pt; } figcaption { margin-bottom: 4px; }
      table.bars th, table.bars td { padding-top: 3px; } table.bars tr.bar td { padding: 2px 0 3px; }
      h2, h3, h4, figcaption, .figures { break-after: avoid; }
      .currency + .currency { break-before: page; }
      .figures, .plot, tr { break-inside: avoid; }
      .panel:not(.list, .accounts) { break-inside: avoid; }
      .list { border: 0; padding: 12px 0; }
      thead { display: table-header-group; } tfoot { display: table-row-group; } }
    """
}
