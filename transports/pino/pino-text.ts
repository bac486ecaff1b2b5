import { deepAsText } from '../../src/ingest/record/deep-values.ts';

const MAYBE_SURROGATE = /\\u[dD][89a-fA-F]/;

/** Matches every escape, so that an escaped backslash starts no other escape. A surrogate pair is one match. */
const ESCAPE =
  /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(u[dD][89a-fA-F][\da-fA-F]{2})|.)/g;

/** Makes too deeply nested values in JSON text, and replaces lone surrogates with U+FFFD. */
export function cleanJson(json: string): string {
  if (!MAYBE_SURROGATE.test(json)) return deepAsText(json);
  return deepAsText(json.replace(ESCAPE, (whole, lone?: string) => (lone === undefined ? whole : '\\ufffd')));
}
