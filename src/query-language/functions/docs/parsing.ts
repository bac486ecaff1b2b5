import type { FunctionGroup } from './function-doc.ts';

export const parsingDocs: FunctionGroup = {
  title: 'Parse and write formats',
  functions: {
    parseJson: {
      sentence: 'Parses JSON into fields.',
      example: 'parseJson() | select([user.name, items[0], items[1]])',
      events: [{ '@rawstring': '{"user":{"name":"ann"},"items":["A1","B2"]}' }],
    },
    writeJson: {
      sentence: 'Writes fields as a JSON object.',
      example: 'json := writeJson([user, http]) | select(json)',
      events: [{ user: 'ann', 'http.method': 'GET', 'http.status': '200' }],
    },
    'json:prettyPrint': {
      sentence: 'Formats JSON with newlines and indentation.',
      example: 'json:prettyPrint() | select(@rawstring)',
      events: [{ '@rawstring': '{"user":{"name":"ann"},"ms":12}' }],
    },
    kvParse: {
      sentence: 'Extracts `key=value` pairs into fields.',
      example: 'kvParse() | select([user, ms, note])',
      events: [{ '@rawstring': 'done user=ann ms=12 note="all good"' }],
    },
    parseCsv: {
      sentence: 'Parses a line of comma-separated values into fields.',
      example: 'parseCsv(columns=[user, action, ms]) | select([user, action, ms])',
      events: [{ '@rawstring': 'ann,"login, retry",12' }],
    },
    parseFixedWidth: {
      sentence: 'Parses fixed-width columns into fields.',
      example: 'parseFixedWidth(columns=[user, action, ms], widths=[6, 8, 4]) | select([user, action, ms])',
      events: [{ '@rawstring': 'ann   login     12' }],
    },
    parseXml: {
      sentence: 'Parses XML into fields.',
      example: 'parseXml() | select([order.id, order.item[0], order.item[1]])',
      events: [{ '@rawstring': '<order id="17"><item>A1</item><item>B2</item></order>' }],
    },
    'xml:prettyPrint': {
      sentence: 'Formats XML with newlines and indentation.',
      example: 'xml:prettyPrint(width=20) | select(@rawstring)',
      events: [{ '@rawstring': '<order id="17"><item>A1</item></order>' }],
    },
    parseUrl: {
      sentence: 'Splits a URL into its scheme, host, port, path and other parts.',
      example: 'parseUrl(url) | select([url.host, url.port, url.path, url.query])',
      events: [{ url: 'https://shop.example.com:8443/cart?user=ann#top' }],
    },
    parseUri: {
      sentence: 'Splits a URI into its parts, resolving it against a base if it has no scheme.',
      example: 'parseUri(link, defaultBase="https://") | select([link.host, link.path])',
      events: [{ link: 'shop.example.com/products/7' }],
    },
    parseCEF: {
      sentence: 'Parses a message in the Common Event Format (CEF) into fields.',
      example: 'parseCEF() | select([cef.device.vendor, cef.name, cef.severity, cef.ext.src])',
      events: [{ '@rawstring': 'CEF:0|Acme|Firewall|2.1|100|Port scan|7|src=192.0.2.10 dst=198.51.100.7' }],
    },
    parseLEEF: {
      sentence: 'Parses a message in the Log Event Extended Format (LEEF) into fields.',
      example: 'parseLEEF() | drop(@rawstring)',
      events: [{ '@rawstring': 'LEEF:1.0|Acme|Firewall|2.1|scan|src=192.0.2.10\tsev=7' }],
    },
  },
};
