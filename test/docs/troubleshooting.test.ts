import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Ingester } from '../../src/index.ts';
import { startLocalServer } from '../../src/server/index.ts';
import { blocksOf, outputPattern } from './markdown-blocks.ts';
import { GAP, sourceTexts } from './source-texts.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = readFileSync(join(ROOT, 'docs/troubleshooting.md'), 'utf8');

/** The functions that report problems. */
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
  'warnOnce',
];

const texts = sourceTexts(['src', 'transports']);
/** A heading, or the list below it, quotes all messages that have the same answer. */
const quoted = [...PAGE.matchAll(/^(?:###|-) (`.+`)$/gm)].flatMap(([, heading]) =>
  heading!.slice(1, -1).split('`, `'),
);

/** The constant parts of a text. */
function constants(text: string): string[] {
  return text.split(GAP).filter((part) => part.trim() !== '');
}

/** Whether the text contains the parts in order. */
function holds(text: string, parts: readonly string[]): boolean {
  let from = 0;
  return parts.every((part) => {
    const at = text.indexOf(part, from);
    from = at + part.length;
    return at >= 0;
  });
}

/** Errors about invalid options and flags are excluded, because they say what is valid. */
const isFailure = (name: string): boolean =>
  (name.endsWith('Exception') && name !== 'LogOptionsException') ||
  name === 'CommandFailure' ||
  name === 'authenticationFailure';

/** Returns the sentences of the command line about failed requests, and one about options. */
const FAILURES = 'src/tools/settings/failure.ts';
const OF_OPTIONS = 'the address from';

const isException = (name: string): boolean => name.endsWith('Exception');

describe('docs/troubleshooting.md', () => {
  it('shows the warning for a wrong ingest token', async () => {
    await using server = await startLocalServer();
    const warnings: string[] = [];
    const ingester = new Ingester({
      baseUrl: server.url,
      ingestToken: 'a-wrong-token',
      closeTimeoutMs: 1,
      onWarning: ({ message }) => void warnings.push(message),
    });
    ingester.add({ timestamp: Date.now(), attributes: { message: 'lost' } });
    await expect.poll(() => warnings).not.toEqual([]);
    await ingester.close();
    const [sample] = blocksOf(PAGE).filter(({ language }) => language === 'text');
    expect(`logclient: ${warnings[0]}`).toMatch(outputPattern(sample!.text.replaceAll('\n', ' ')));
  });

  it('answers below each message', () => {
    expect([...PAGE.matchAll(/^### .+(?=\s+^#)/gm)].map(([heading]) => heading)).toEqual([]);
  });

  it('quotes only messages that the code contains', () => {
    expect(quoted.length).toBeGreaterThan(50);
    expect(quoted.filter((text) => !texts.some((made) => holds(made.text, constants(text))))).toEqual([]);
  });

  it('lists every warning of the ingester, spool, transports, tails and local server', () => {
    const warnings = texts
      .filter(({ file }) => /^(src\/(ingest|client\/tail|server)|transports)\//.test(file))
      .filter(
        ({ text, givenTo }) =>
          text.length > 20 && text.includes(' ') && givenTo.some((name) => TELLERS.includes(name)),
      )
      .map(({ text }) => text);
    expect(warnings.length).toBeGreaterThan(20);
    expect(warnings.filter((made) => !quoted.some((text) => holds(made, constants(text))))).toEqual([]);
  });

  it('lists every message of the testing kit', () => {
    const messages = texts
      .filter(({ file }) => file.startsWith('src/testing/'))
      .filter(({ text, givenTo }) => givenTo.some(isException) || /^[A-Z].* .*\.$/.test(text))
      .filter(
        ({ text, givenTo }) =>
          text.length > 15 && text.includes(' ') && !givenTo.includes('deleteSearchDomain'),
      )
      .map(({ text }) => text);
    expect(messages.length).toBeGreaterThan(25);
    expect(messages.filter((made) => !quoted.some((text) => holds(made, constants(text))))).toEqual([]);
  });

  it('lists every failure of the clients and the command line', () => {
    const failures = texts
      .filter(({ file }) => /^src\/(tools|client|core\/http)\//.test(file))
      .filter(({ file, text, givenTo }) => {
        const isSentence = file === FAILURES && givenTo.at(-1) === 'return' && !text.startsWith(OF_OPTIONS);
        return isSentence || givenTo.some(isFailure);
      })
      .filter(({ text }) => /\w{3}.* .*[.…]$/.test(text) && /^(["\w]|…[ (])/.test(text))
      .map(({ text }) => text);
    expect(failures.length).toBeGreaterThan(50);
    expect(failures.filter((made) => !quoted.some((text) => holds(made, constants(text))))).toEqual([]);
  });

  it('lists every exception code', () => {
    const codes = new Set(texts.map(({ text }) => text).filter((text) => /^LOG_[A-Z_]+$/.test(text)));
    expect(codes.size).toBeGreaterThan(12);
    expect([...codes].filter((code) => !PAGE.includes(`\`${code}\``))).toEqual([]);
  });
});
