import { functionGroup } from './function-doc.ts';

export const parsingDocs = functionGroup(
  'Parse and write formats',
  `
parseJson: Parses JSON into fields. ⇒ parseJson() | select([user.name, items[0], items[1]])
writeJson: Writes fields as a JSON object. ⇒ json := writeJson([user, http]) | select(json)
json:prettyPrint: Formats JSON with newlines and indentation. ⇒ json:prettyPrint() | select(@rawstring)
kvParse: Extracts \`key=value\` pairs into fields. ⇒ kvParse() | select([user, ms, note])
parseCsv: Parses a line of comma-separated values into fields. ⇒ parseCsv(columns=[user, action, ms]) | select([user, action, ms])
parseFixedWidth: Parses fixed-width columns into fields. ⇒ parseFixedWidth(columns=[user, action, ms], widths=[6, 8, 4]) | select([user, action, ms])
parseXml: Parses XML into fields. ⇒ parseXml() | select([order.id, order.item[0], order.item[1]])
xml:prettyPrint: Formats XML with newlines and indentation. ⇒ xml:prettyPrint(width=20) | select(@rawstring)
parseUrl: Splits a URL into its scheme, host, port, path and other parts. ⇒ parseUrl(url) | select([url.host, url.port, url.path, url.query])
parseUri: Splits a URI into its parts, resolving it against a base if it has no scheme. ⇒ parseUri(link, defaultBase="https://") | select([link.host, link.path])
parseCEF: Parses a message in the Common Event Format (CEF) into fields. ⇒ parseCEF() | select([cef.device.vendor, cef.name, cef.severity, cef.ext.src])
parseLEEF: Parses a message in the Log Event Extended Format (LEEF) into fields. ⇒ parseLEEF() | drop(@rawstring)
`,
);
