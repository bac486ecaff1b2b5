import { isFunctionName } from './function-names.ts';
import { isReservedWord } from './reserved-words.ts';
import { describeToken, type Token } from './token.ts';
import { isKeyword, type TokenCursor } from './token-cursor.ts';

// What people type that is no query: each function fails with what to write instead.

export function rejectReservedWord(tokens: TokenCursor, word: Token): void {
  const field = tokens.peekAfter(word, 'filter');
  if (/^(?:case|match)$/i.test(word.text) && tokens.peekAfter(field, 'filter').kind === '{')
    tokens.fail(`Write ${field.text} match { value => steps; * => steps }`, word);
  if (isKeyword(word, 'in')) tokens.fail('"in" is a function: write in(field, values=[…])', word);
  if (isKeyword(word, 'like')) {
    const hint = 'to negate it, write "not" before the field';
    tokens.fail(`"like" belongs between a field and a value; ${hint}`, word);
  }
  if (isFunctionName(word.text)) {
    const hint = 'write "(" directly after the name, or put the word in double quotes to search for it';
    tokens.fail(`"${word.text}" is a function: ${hint}`, word);
  }
  if (isReservedWord(word.text)) {
    tokens.fail(`"${word.text}" is a reserved word: put it in double quotes to search for it`, word);
  }
}

/** `foo*` is a pattern in filters, so people also write it as an argument. */
export function rejectTrailingStar(tokens: TokenCursor): void {
  const token = tokens.peek('operand');
  if (![',', ')', ']', '}', '|', ';', 'end'].includes(token.kind)) return;
  const hint =
    tokens.clauseDepth > 0 && token.kind === '|'
      ? 'to start another clause, write ";" before "*"'
      : 'to pass "text*" as an argument, put it in double quotes';
  tokens.fail(`Expected a value after "*", found ${describeToken(token)}; ${hint}`, token);
}
