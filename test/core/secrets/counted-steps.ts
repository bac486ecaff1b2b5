import { backtrackingMatcher } from '../../../src/engine/regex/backtracking-matcher.ts';
import type { RegexEngine } from '../../../src/engine/regex/regex-engine.ts';
import { SearchBudget } from '../../../src/engine/run/search-budget.ts';
import { parseRegex } from '../../../src/language/regex/regex-parser.ts';

/** Above this number of steps, the matcher does not remember what it has tried in a string of at least 1,000 characters. */
const UNUSED_CHOICES = `|(?!)(?:${'|'.repeat(8_000)})`;
const CHARACTERS_PER_STEP = 4;

const matchers = new Map<string, RegexEngine>();

/** Backtracks like JavaScript's engine. */
function matcherOf({ source, flags, sticky }: RegExp): RegexEngine {
  const known = matchers.get(`/${source}/${flags}`);
  if (known !== undefined) return known;
  // Of groups, each repetition is a copy. Lower limits divide the steps.
  const limited = source.replaceAll(/(?<=\{\d+,)\d{3,}(?=\})/g, '99');
  // A sticky search ends where it starts.
  const body = `(?:${limited})${sticky ? '|' : ''}${UNUSED_CHOICES}`;
  const modes = {
    ignoreCase: flags.includes('i'),
    multiline: flags.includes('m'),
    dotAll: flags.includes('s'),
  };
  const { root, groupCount } = parseRegex(body, modes);
  const matcher = backtrackingMatcher(root, groupCount, body);
  matchers.set(`/${source}/${flags}`, matcher);
  return matcher;
}

/** The work of a function that searches text: the steps of its regular expressions, and the characters that it reads. */
export function stepsOf(work: () => void): number {
  const { exec } = RegExp.prototype;
  const { charCodeAt, indexOf } = String.prototype;
  const searches = new SearchBudget();
  let steps = 0;
  let isCounting = true;
  searches.allow = () => Number.POSITIVE_INFINITY;
  searches.spend = (spent) => {
    steps += spent;
  };
  searches.leaveUndecided = (name) => {
    throw new Error(`The program of ${name.slice(0, 200)} is too long.`);
  };
  RegExp.prototype.exec = function (text) {
    if (isCounting) {
      isCounting = false;
      matcherOf(this).exec(text, this.global || this.sticky ? this.lastIndex : 0, { searches });
      isCounting = true;
    }
    return exec.call(this, text);
  };
  String.prototype.charCodeAt = function (at) {
    if (isCounting) steps += 1 / CHARACTERS_PER_STEP;
    return charCodeAt.call(this, at);
  };
  String.prototype.indexOf = function (part, from = 0) {
    const index = indexOf.call(this, part, from);
    if (isCounting) steps += ((index < 0 ? this.length : index) - from) / CHARACTERS_PER_STEP;
    return index;
  };
  try {
    work();
    return steps;
  } finally {
    Object.assign(RegExp.prototype, { exec });
    Object.assign(String.prototype, { charCodeAt, indexOf });
  }
}
