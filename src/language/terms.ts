import type { FieldNode, ParameterNode, PatternNode, RegexNode } from './ast.ts';
import { isFieldName, isPattern } from './character-classes.ts';
import type { Token } from './token.ts';
import { isText, type TokenCursor } from './token-cursor.ts';

// Field = FieldName | String
export function parseField(tokens: TokenCursor, token: Token): FieldNode {
  if (!isText(token)) tokens.failExpecting('a field name', token);
  if (token.kind === 'word' && !isFieldName(token.text)) {
    tokens.fail(
      `"${token.text}" is not a valid field name without double quotes; to calculate, write test(…)`,
      token,
    );
  }
  tokens.take(token);
  // user.`e-mail` is the same as "user.e-mail".
  const hasBackTicks = token.kind === 'word' && token.text.includes('`');
  const name = hasBackTicks ? token.text.replaceAll('`', '') : token.value;
  return {
    kind: 'Field',
    name,
    quoted: token.kind === 'string' || hasBackTicks,
    span: tokens.spanFrom(token),
  };
}

// Pattern = Text | String
export function parsePattern(tokens: TokenCursor, purpose: string): PatternNode {
  const token = tokens.peek('filter');
  if (!isText(token)) tokens.failExpecting(purpose, token);
  if (token.kind === 'word' && !isPattern(token.text)) {
    tokens.fail(`"${token.text}" is not a valid value without double quotes`, token);
  }
  tokens.take(token);
  return {
    kind: 'Pattern',
    text: token.value,
    quoted: token.kind === 'string',
    span: tokens.spanFrom(token),
  };
}

// Regex = '/' body '/' { 'd' | 'F' | 'g' | 'i' | 'm' }
export function parseRegex(tokens: TokenCursor, token: Token): RegexNode {
  tokens.take(token);
  return { kind: 'Regex', body: token.value, flags: token.flags ?? '', span: tokens.spanFrom(token) };
}

// Parameter = '?' Pattern | '?{' Pattern [ '=' Pattern ] '}'
export function parseParameter(tokens: TokenCursor, mark: Token): ParameterNode {
  tokens.take(mark);
  const name = tokens.accept('parameterName', 'word', 'string');
  if (name !== undefined) {
    const quoted = name.kind === 'string';
    return { kind: 'Parameter', name: name.value, quoted, span: tokens.spanFrom(mark) };
  }
  if (!tokens.accept('parameterName', '{')) {
    tokens.failExpecting('the name of a parameter directly after "?"', tokens.peek('parameterName'));
  }
  const { text, quoted } = parsePattern(tokens, 'the name of a parameter');
  const hasDefault = tokens.accept('filter', '=') !== undefined;
  const defaultValue = hasDefault ? parsePattern(tokens, 'the default of the parameter') : undefined;
  tokens.expect('filter', '}', ' at the end of the parameter');
  const span = tokens.spanFrom(mark);
  return { kind: 'Parameter', name: text, quoted, ...(defaultValue && { defaultValue }), span };
}
