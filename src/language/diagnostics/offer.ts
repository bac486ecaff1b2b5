import { escapeRegex } from '../../core/escape-regex.ts';
import type { Span, StepNode } from '../ast.ts';
import { print } from '../printer.ts';
import { textAt } from '../source.ts';
import { isQuery, parseTree } from '../syntax-tree.ts';
import { walk } from '../walk.ts';
import {
  applyEdit,
  applyEdits,
  type Diagnostic,
  type Finding,
  type RepairEdit,
  type TextEdit,
} from './diagnostic.ts';
import { keepingOpaque, maskPhrases, opaqueSpans } from './masked-text.ts';
import { CLAUSES_IN_ROW } from './mistakes/lucene.ts';

/** Finds the problems of a query, with fixes that have not been checked. */
export type Check = (query: string) => readonly Finding[];

/** Maximum number of problems of one query with a fix. */
const MAX_OFFERS = 40;
/** Maximum number of changed queries that are checked to find the fixes of one query: the work must be linear. */
const MAX_CHECKS = 6;
/** Maximum number of changed queries that are only parsed. */
const MAX_PARSES = 45;
/** Maximum number of fixes to try for a syntax error. */
const MAX_ATTEMPTS = 8;

/**
 * Problems as they are reported: with a fix only if the changed query can be parsed, has no new problem and changes no
 * other string, regular expression or comment. Every fix and every proposal in a message passes here.
 */
export function offers(query: string, findings: readonly Finding[], check: Check): readonly Diagnostic[] {
  const offered = findings.slice(0, MAX_OFFERS).filter((one) => editsOf(one).length > 0);
  if (offered.length === 0) return findings.map((one) => reported(one));
  const isValid = isQuery(query);
  const search = new FixSearch(query, isValid ? findings : [], check);
  const fixes = isValid ? search.together(offered) : search.each(offered);
  // A query that fails because of such a phrase has no meaning to change.
  const phrases = findings.filter(({ isPhrase }) => isPhrase);
  const hasNone = !phrases.some(({ severity }) => severity === 'error');
  // Without the error, the others would run, and find nothing.
  const runs = isValid && (hasNone || phrases.some((one) => !fixes.has(one)));
  const masked = maskPhrases(query);
  return findings.map((one) => {
    const fix = fixes.get(one);
    return reported(fix === undefined ? (search.obstacles.get(one) ?? one) : one, fix, runs, masked);
  });
}

/** What clauses without an operator between them mean. */
const IN_ROW = 'Side by side means "and" here and in Datadog, but "or" in Elasticsearch by default.';

function reported(finding: Finding, found?: TextEdit, isSuggestion = false, masked = ''): Diagnostic {
  const { fix, alternatives, propose, words, isPhrase, ...problem } = finding;
  const completed = (hint?: string) => problem.message + (hint ? ` ${hint}` : '');
  if (found === undefined) return { ...problem, message: completed(words) };
  const text = found.text.trim();
  const query = text.replace(/^\|/, '');
  const isWhole = /^(?:\w*|\w+=\[.*\])$/s.test(text) || isQuery(query);
  // A message has one line.
  const shown = isWhole && /\n/.test(text) ? print(parseTree(query)) : text;
  const isUnclear = CLAUSES_IN_ROW.test(masked.slice(found.span.start, found.span.end));
  const proposal = completed(isWhole ? propose?.(shown) : words);
  const message = isUnclear ? `${proposal} ${IN_ROW}` : proposal;
  // A regex that was not closed can end at a space or a pipe.
  const isGuess = isUnclear || (problem.code === 'syntax' && /^\/.*[\s|].*\/$/.test(found.text));
  return { ...problem, message, fix: found, ...((isSuggestion || isGuess) && { isSuggestion: true }) };
}

function editsOf({ fix, alternatives = [] }: Finding): readonly RepairEdit[] {
  return [...(fix === undefined ? [] : [fix]), ...alternatives].slice(0, MAX_ATTEMPTS);
}

type Fixes = Map<Finding, TextEdit>;

/** A fix that is being tried. */
interface Trial {
  readonly finding: Finding;
  readonly edit: TextEdit;
}

class FixSearch {
  readonly #query: string;
  readonly #known: ReadonlySet<string>;
  readonly #check: Check;
  readonly #opaque: ReturnType<typeof opaqueSpans>;
  /** The part of a phrase that can't be fixed. */
  readonly obstacles = new Map<Finding, Finding>();
  #checks = MAX_CHECKS;
  #parses = MAX_PARSES;

  constructor(query: string, before: readonly Finding[], check: Check) {
    this.#query = query;
    this.#known = new Set(before.map(keyOf));
    this.#check = check;
    this.#opaque = opaqueSpans(query);
  }

  /** Fixes of single problems, one after the other. */
  each(findings: readonly Finding[]): Fixes {
    const fixes: Fixes = new Map();
    for (const finding of findings) {
      for (const { leavesNoWords, ...edit } of editsOf(finding)) {
        const [settled] = this.#settle([{ finding, edit }]);
        if (settled === undefined) continue;
        const words =
          leavesNoWords === 'beside'
            ? this.#stepBeside(settled.edit)
            : leavesNoWords && this.#wordsOf(settled.edit);
        if (words === undefined) {
          fixes.set(finding, settled.edit);
          break;
        }
        const message = `There is no equivalent of ${JSON.stringify(words)} here: leave it out, or write it in this language.`;
        if (finding.isPhrase === true) this.obstacles.set(finding, { ...finding, message, words: '' });
      }
    }
    return fixes;
  }

  /** Fixes of many problems are checked at the same time; those that fail then are checked alone. */
  together(findings: readonly Finding[]): Fixes {
    let end = -1;
    const trials: Trial[] = [];
    for (const { finding, edit } of findings
      .map((finding) => ({ finding, edit: editsOf(finding)[0]! }))
      .toSorted((a, b) => a.edit.span.start - b.edit.span.start)) {
      if (edit.span.start < end) continue;
      end = edit.span.end;
      trials.push({ finding, edit });
    }
    const settled = trials.length > 1 ? this.#settle(trials) : [];
    const fixes: Fixes = new Map(settled.map(({ finding, edit }) => [finding, edit]));
    const others = findings.filter((finding) => !fixes.has(finding));
    for (const [finding, edit] of this.each(others)) fixes.set(finding, edit);
    return fixes;
  }

  /** The fixes, together with those of what they leave or cause; without those after which a problem remains. */
  #settle(trials: readonly Trial[]): readonly Trial[] {
    let current = trials;
    while (current.length > 0 && this.#checks > 0) {
      const edits = current.map(({ edit }) => edit);
      const places = placesAfter(edits);
      const text = applyEdits(this.#query, edits);
      if (text === this.#query) return [];
      this.#checks -= 1;
      const open = this.#check(text).filter((one) => this.#isOpen(one, places, current));
      if (open.length === 0)
        return current
          .map((trial, index) => tidied(trial, places[index]!, text))
          .flatMap((trial) => this.#kept(trial, text));
      current = this.#next(text, current, places, open);
    }
    return [];
  }

  #isOpen(problem: Finding, places: readonly Span[], trials: readonly Trial[]): boolean {
    if (problem.severity === 'info') return false;
    const at = places.findIndex((place) => touches(problem.span, place));
    const isForeign = problem.severity === 'error' || problem.isPhrase === true;
    if (!this.#known.has(keyOf(problem))) return at >= 0 || isForeign;
    return at >= 0 && trials[at]!.finding.code === problem.code;
  }

  /** The trials with the fixes of what they left; without those that can't be fixed. */
  #next(
    text: string,
    trials: readonly Trial[],
    places: readonly Span[],
    open: readonly Finding[],
  ): readonly Trial[] {
    const next: (Trial | undefined)[] = [...trials];
    for (const problem of open) {
      const touched = places.findIndex((place) => touches(problem.span, place));
      const before = places.findLastIndex((place) => place.start <= problem.span.start);
      const at = touched >= 0 ? touched : Math.max(before, 0);
      const edits = editsOf(problem);
      const fix = (edits.length > 1 && edits.find((one) => this.#isQuery(applyEdit(text, one)))) || edits[0];
      const trial = next[at];
      if (trial === undefined || trial !== trials[at]) continue;
      const place = places[at]!;
      if (fix === undefined && trial.finding.isPhrase === true) this.#hinder(trial, problem, text, place);
      const { start, end } = hull(place, fix?.span ?? place);
      const others = places.filter((_, index) => index !== at);
      const isFree = fix !== undefined && others.every((one) => end <= one.start || one.end <= start);
      next[at] = isFree ? { ...trial, edit: joined(text, place, trial.edit.span, fix) } : undefined;
    }
    return next.filter((one) => one !== undefined);
  }

  #hinder({ finding, edit }: Trial, problem: Finding, text: string, place: Span): void {
    const { start, end } = problem.span;
    const shift = start < place.end ? 0 : edit.span.end - place.end;
    const isInside = start < place.end && end > place.start;
    const within = isInside ? hull(edit.span, finding.span) : { start: start + shift, end: end + shift };
    // Inside an edit, only text that is there once has a place in the query.
    const words = new RegExp(`(?<![\\w.@#])${escapeRegex(text.slice(start, end))}(?![\\w.@#])`, 'g');
    const [found, other] = [...this.#query.slice(within.start, within.end).matchAll(words)];
    const at = within.start + (found?.index ?? 0);
    const isThere = start < end && found !== undefined && other === undefined;
    const span = isThere ? { start: at, end: at + end - start } : finding.span;
    const isWritten = !/^(?:free-text-after-aggregate|missing-field)$/.test(problem.code);
    if ((span === finding.span && isWritten) || this.obstacles.has(finding)) return;
    const isOther = problem.isPhrase || this.#query.slice(finding.span.start, span.start).includes('|');
    const code = isOther ? problem.code : finding.code;
    this.obstacles.set(finding, { ...problem, code, severity: finding.severity, span });
  }

  /** A step with words that would be searched for: after a string, or anywhere with any other fix. */
  #wordsOf(edit: TextEdit): string | undefined {
    const { start } = edit.span;
    const end = start + edit.text.length;
    const isString = edit.text.startsWith('"');
    let words: string | undefined;
    const text = applyEdit(this.#query, edit);
    walk(parseTree(text), {
      Pipeline({ steps }) {
        for (const step of steps.filter(({ span }) => span.start <= end && span.end >= start))
          walk(step, {
            FreeText({ value, span }) {
              const isWord = value.kind === 'Pattern' && value.text !== '*';
              if (isWord && (!isString || span.start > start))
                words ??= text.slice(step.span.start, step.span.end);
            },
          });
      },
    });
    return words;
  }

  /** A step of bare words before or after those of an edit: no filter in a language that searches for no words. */
  #stepBeside(edit: TextEdit): string | undefined {
    const place = placesAfter([edit])[0]!;
    const text = applyEdit(this.#query, edit);
    const { steps } = parseTree(text);
    const areWords = (node: StepNode): boolean =>
      node.kind === 'And'
        ? node.operands.every(areWords)
        : node.kind === 'FreeText' && /^[A-Za-z]\w*$/.test(textAt(text, node.span));
    const isEdited = (step?: StepNode) => step !== undefined && touches(step.span, place);
    const beside = steps.find(
      (step, index) =>
        index > 0 && areWords(step) && (isEdited(steps[index - 1]) || isEdited(steps[index + 1])),
    );
    return beside && textAt(text, beside.span);
  }

  /** The edit with its comments, if it also gives a query alone, as all of them do. */
  #kept({ finding, edit }: Trial, all: string): readonly Trial[] {
    const kept = keepingOpaque(this.#opaque, edit);
    const alone = kept && applyEdit(this.#query, kept);
    return alone && (alone === all || this.#isQuery(alone)) ? [{ finding, edit: kept }] : [];
  }

  #isQuery(text: string): boolean {
    this.#parses -= 1;
    return this.#parses >= 0 && isQuery(text);
  }
}

/** `a=* | a=* |`: the second step changes nothing. */
const REPEATED = /((?:^|[|{])\s*(\S+=\*)\s*\|\s*)\2\s*\|\s*/;

/** An edit without a repeated step, and without a `|` before the first step. */
function tidied({ finding, edit }: Trial, { start }: Span, text: string): Trial {
  const before = text.slice(text.slice(0, Math.max(0, start - 2)).lastIndexOf('|') + 1, start);
  const written = (before + edit.text).replace(REPEATED, '$1').slice(before.length);
  const kept = edit.span.start === 0 ? written.replace(/^\|\s*/, '') : written;
  return { finding, edit: { ...edit, text: kept } };
}

function keyOf({ code, message }: Finding): string {
  return `${code} ${message}`;
}

function touches(span: Span, place: Span): boolean {
  return span.start <= place.end && span.end >= place.start;
}

function hull(a: Span, b: Span): Span {
  return { start: Math.min(a.start, b.start), end: Math.max(a.end, b.end) };
}

/** Where edits are after all of them. */
function placesAfter(edits: readonly TextEdit[]): readonly Span[] {
  let shift = 0;
  return edits.map(({ span, text }) => {
    const start = span.start + shift;
    shift += text.length - (span.end - span.start);
    return { start, end: start + text.length };
  });
}

/** An edit of the query that includes a further edit of the text after it. */
function joined(text: string, place: Span, original: Span, next: TextEdit): TextEdit {
  const { start, end } = hull(place, next.span);
  const inner = { start: next.span.start - start, end: next.span.end - start };
  return {
    span: { start: original.start + start - place.start, end: original.end + end - place.end },
    text: applyEdit(text.slice(start, end), { span: inner, text: next.text }),
  };
}
