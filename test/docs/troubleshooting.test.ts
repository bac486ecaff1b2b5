import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GAP, sourceTexts } from './source-texts.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = readFileSync(join(ROOT, 'docs/troubleshooting.md'), 'utf8');

/** The functions that tell people about trouble. */
const TELLERS = [
  'report',
  'reportLoss',
  'tell',
  'onTrouble',
  'onWarning',
  '#onWarning',
  'spoolTrouble',
  'emitWarning',
  '#dropped',
  '#warn',
];

const texts = sourceTexts(['src', 'transports']);
const quoted = [...PAGE.matchAll(/^### `(.+)`$/gm)].map(([, text]) => text!);

/** The parts of a text that are the same each time. */
function constants(text: string): string[] {
  return text.split(GAP).filter((part) => part.trim() !== '');
}

/** Whether the parts stand in the text, one behind the other. */
function holds(text: string, parts: readonly string[]): boolean {
  let from = 0;
  return parts.every((part) => {
    const at = text.indexOf(part, from);
    from = at + part.length;
    return at >= 0;
  });
}

describe('docs/troubleshooting.md', () => {
  it('quotes only texts that the code makes', () => {
    expect(quoted.length).toBeGreaterThan(50);
    expect(quoted.filter((text) => !texts.some((made) => holds(made.text, constants(text))))).toEqual([]);
  });

  it('has every warning of a delivery, a spool, a tail and a local server', () => {
    const warnings = texts
      .filter(({ file }) => /^(src\/(ingest|tail|local-server)|transports)\//.test(file))
      .filter(
        ({ text, givenTo }) =>
          text.length > 20 && text.includes(' ') && givenTo.some((name) => TELLERS.includes(name)),
      )
      .map(({ text }) => text);
    expect(warnings.length).toBeGreaterThan(20);
    expect(warnings.filter((made) => !quoted.some((text) => holds(made, constants(text))))).toEqual([]);
  });

  it('names every code of an exception', () => {
    const codes = new Set(texts.map(({ text }) => text).filter((text) => /^LOG_[A-Z_]+$/.test(text)));
    expect(codes.size).toBeGreaterThan(12);
    expect([...codes].filter((code) => !PAGE.includes(`\`${code}\``))).toEqual([]);
  });
});
