import { LogOptionsException } from '../../../core/errors.ts';
import type { FragmentPart } from './fragment-part.ts';
import { QueryContext } from './query-context.ts';
import { fail, type ValuePlace, valueText } from './value-text.ts';

/** Text before a complete step, argument or element ends with one of these; text after it starts with one. */
const BEFORE_WHOLE = /(?:^|[|{;([,]|=>)\s*$/;
const AFTER_WHOLE = /^\s*(?:$|[|};)\],])/;
const BEFORE_VALUE = /(?:^|[\s=<>!|;,([{])$/;
const AFTER_VALUE = /^(?:$|[\s=<>!|;,)\]}])/;
/** Follows the name of an argument, or a field that is assigned or compared. */
const ASSIGNED = /^\s*(?:=(?![=~>])|:=)/;
const COMPARED = /^\s*(?:=~|!=|<|>|like\s|match\s*\{)/i;
const BEFORE_OPERAND = /[*+/%-]$/;
const AFTER_OPERAND = /^[*+/%-]/;

/** Builds the text of a query. @throws LogOptionsException for a value or a fragment where it can't be written */
export function fragmentText(parts: readonly FragmentPart[]): string {
  const writer = new FragmentWriter();
  writer.write(parts, '');
  return writer.text;
}

class FragmentWriter {
  readonly #context = new QueryContext();
  text = '';

  /** @param after the text that follows the parts */
  write(parts: readonly FragmentPart[], after: string): void {
    for (const [index, part] of parts.entries()) {
      const following = textAfter(parts, index + 1, after);
      if (part.kind === 'text') this.#append(part.text);
      else this.#insert(part, following);
    }
  }

  #append(text: string): void {
    this.text += text;
    this.#context.read(text);
  }

  #insert(part: Exclude<FragmentPart, { kind: 'text' }>, after: string): void {
    this.#requireEnded();
    if (part.kind === 'list') this.#insertList(part.items, after);
    else if (part.kind === 'fragment') this.#insertFragment(part.parts, after);
    else this.#insertValue(valueText(part, this.#place(after)), after);
    this.#requireEnded();
  }

  #insertValue(literal: string, after: string): void {
    this.#requireSeparated('value', after);
    this.text += literal;
    this.#context.skipValue();
  }

  #insertList(items: readonly FragmentPart[], after: string): void {
    if (!this.#context.isInList) {
      const advice = `a list is only valid in brackets, as in in(field, values=[\${list}])`;
      fail({ before: this.#before() }, 'a list', advice);
    }
    this.write(items, after);
  }

  #insertFragment(parts: readonly FragmentPart[], after: string): void {
    const isWhole = BEFORE_WHOLE.test(this.text) && AFTER_WHOLE.test(after);
    if (isWhole || !needsParentheses(parts)) {
      this.write(parts, after);
      return;
    }
    this.#requireSeparated('fragment', after);
    this.#append('(');
    this.write(parts, ')');
    // A comment at its end would hide the parenthesis.
    this.#requireEnded();
    this.#append(')');
  }

  #place(after: string): ValuePlace {
    const { functionName, isFieldValue, isExpression } = this.#context;
    const isName =
      ASSIGNED.test(after) || (!isExpression && (COMPARED.test(after) || /<=>\s*$/.test(this.text)));
    const isOrdered = !isExpression && /(?:<|>|<=|>=)\s*$/.test(this.text) && !/=>\s*$/.test(this.text);
    return { functionName, isFieldValue: isFieldValue && !isName, isName, isOrdered, before: this.#before() };
  }

  /** A value next to a word would become part of it, and a fragment would become the arguments of a call. */
  #requireSeparated(what: string, after: string): void {
    const { isExpression } = this.#context;
    const isBefore = BEFORE_VALUE.test(this.text) || (isExpression && BEFORE_OPERAND.test(this.text));
    const isAfter = AFTER_VALUE.test(after) || (isExpression && AFTER_OPERAND.test(after));
    if (isBefore && isAfter) return;
    throw new LogOptionsException(
      `lql: the ${what} after ${JSON.stringify(this.#before())} touches other text and would not form one word with it. Make the whole word the value, with lql.pattern(\`…*\`) for wildcards, or use lql.raw().`,
    );
  }

  #requireEnded(): void {
    const { problem } = this.#context;
    if (problem === undefined) return;
    throw new LogOptionsException(
      `lql: a value can't be inserted into ${problem} of the query, here after ${JSON.stringify(this.#before())}. ${ADVICE[problem]}`,
    );
  }

  /** The end of the text so far, for messages. */
  #before(): string {
    const shown = this.text.slice(-40).replace(/\s+/g, ' ').trimStart();
    return this.text.length > 40 ? `…${shown}` : shown;
  }
}

const ADVICE: Readonly<Record<string, string>> = {
  'a string': 'Make the whole string one value, or use lql.pattern(text) with * as a wildcard.',
  'a regex': 'Make the whole expression one value, a RegExp.',
  'a comment': 'Remove it.',
};

/** False for a single value, raw text and nothing. */
function needsParentheses(parts: readonly FragmentPart[]): boolean {
  const written = parts.filter((part) => part.kind !== 'text' || part.text.trim() !== '');
  const [first] = written;
  if (first === undefined) return false;
  if (written.length > 1) return true;
  if (first.kind === 'fragment') return needsParentheses(first.parts);
  return first.kind === 'text' && first.isRaw !== true;
}

/** The text after a part, as far as it is known before values are written: a value counts as a word. */
function textAfter(parts: readonly FragmentPart[], from: number, after: string): string {
  let text = '';
  for (const part of parts.slice(from)) {
    if (part.kind === 'text') text += part.text;
    else if (part.kind !== 'fragment' || needsParentheses(part.parts)) return `${text}value`;
    else text += textAfter(part.parts, 0, '');
    if (text.trim() !== '') return text;
  }
  return text + after;
}
