import { ignoringCase } from '../../language/regex/character-set.ts';
import { canBeEmpty, type RegexNode, someNode } from '../../language/regex/regex-syntax.ts';
import { metered } from '../run/event-cost.ts';
import type { RegexEngine } from './regex-engine.ts';
import { printJavaScript } from './regex-source.ts';

const LONG_SOURCE = 10_000;

/** JavaScript's own engine; `undefined` if it can't run the expression, or if it is too large. */
export function nativeRegex(root: RegexNode): RegexEngine | undefined {
  const { source, flags, places } = printJavaScript(root);
  const first = someNode(root, (node) => isLost(node, flags)) ? undefined : compile(source, flags);
  if (first === undefined) return undefined;
  const next = new RegExp(source, `${flags}g`);
  const exec = (text: string, from: number): RegExpExecArray | null => {
    let match = from === 0 ? first.exec(text) : execFrom(next, text, from);
    // V8 also finds empty matches between the halves of a surrogate pair.
    while (match !== null && match[0] === '' && (text.codePointAt(match.index - 1) ?? 0) > 0xffff) {
      match = execFrom(next, text, match.index + 1);
    }
    if (match === null || places === undefined) return match;
    // As the query numbers them.
    const groups = places.map((place) => match[place]!) as [string, ...string[]];
    return Object.assign(groups, { index: match.index, input: match.input });
  };
  return {
    exec,
    test: canBeEmpty(root) ? (text) => exec(metered(text), 0) !== null : (text) => first.test(metered(text)),
  };
}

/** Whether a node has no equivalent: a set that tells cases apart with the flag `i`, an atomic group in look-behind. */
function isLost(node: RegexNode, flags: string): boolean {
  if (node.kind === 'Look' && node.opening.startsWith('?<')) {
    return someNode(node.body, ({ kind }) => kind === 'Atomic');
  }
  if (node.kind !== 'Set' || !flags.includes('i')) return false;
  return JSON.stringify(ignoringCase(node.set)) !== JSON.stringify(node.set);
}

function execFrom(regex: RegExp, text: string, from: number): RegExpExecArray | null {
  regex.lastIndex = from;
  return regex.exec(text);
}

function compile(source: string, flags: string): RegExp | undefined {
  try {
    const regex = new RegExp(source, flags);
    // V8 reports expressions that are too large on first use.
    if (source.length > LONG_SOURCE) regex.test('');
    return regex;
  } catch {
    return undefined;
  }
}
