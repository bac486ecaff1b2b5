import type { FunctionGroup } from './function-doc.ts';

export const parsingDocs: FunctionGroup = {
  title: 'Parse and write formats',
  functions: {
    parseJson: {
      sentence: 'Parses JSON into fields.',
      example: 'parseJson() | select([user.name, items[0], items[1]])',
    },
    writeJson: {
      sentence: 'Writes fields as a JSON object.',
      example: 'json := writeJson([user, http]) | select(json)',
    },
    'json:prettyPrint': {
      sentence: 'Formats JSON with newlines and indentation.',
      example: 'json:prettyPrint() | select(@rawstring)',
    },
    kvParse: {
      sentence: 'Extracts `key=value` pairs into fields.',
      example: 'kvParse() | select([user, ms, note])',
    },
    parseCsv: {
      sentence: 'Parses a line of comma-separated values into fields.',
      example: 'parseCsv(columns=[user, action, ms]) | select([user, action, ms])',
    },
    parseFixedWidth: {
      sentence: 'Parses fixed-width columns into fields.',
      example: 'parseFixedWidth(columns=[user, action, ms], widths=[6, 8, 4]) | select([user, action, ms])',
    },
    parseXml: {
      sentence: 'Parses XML into fields.',
      example: 'parseXml() | select([order.id, order.item[0], order.item[1]])',
    },
    'xml:prettyPrint': {
      sentence: 'Formats XML with newlines and indentation.',
      example: 'xml:prettyPrint(width=20) | select(@rawstring)',
    },
    parseUrl: {
      sentence: 'Splits a URL into its scheme, host, port, path and other parts.',
      example: 'parseUrl(url) | select([url.host, url.port, url.path, url.query])',
    },
    parseUri: {
      sentence: 'Splits a URI into its parts, resolving it against a base if it has no scheme.',
      example: 'parseUri(link, defaultBase="https://") | select([link.host, link.path])',
    },
    parseCEF: {
      sentence: 'Parses a message in the Common Event Format (CEF) into fields.',
      example: 'parseCEF() | select([cef.device.vendor, cef.name, cef.severity, cef.ext.src])',
    },
    parseLEEF: {
      sentence: 'Parses a message in the Log Event Extended Format (LEEF) into fields.',
      example: 'parseLEEF() | drop(@rawstring)',
    },
  },
};
