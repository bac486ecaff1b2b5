import type { FieldNode, ParameterNode, PatternNode, RegexNode } from './ast.ts';
import { isFieldName, isPattern } from './character-classes.ts';
import { ParserCore } from './parser-core.ts';
import type { Token } from './token.ts';

/** What filters and expressions both consist of: names, patterns, regexes, parameters. */
export abstract class TermParser extends ParserCore {
  // Param = '?' (Pat | Str) | '?{' (Pat | Str) [ '=' (Pat | Str) ] '}'
  protected parseParameter(mark: Token): ParameterNode {
    this.take(mark);
    const next = this.peek('parameterName');
    if (next.kind === 'word' || next.kind === 'string') {
      this.take(next);
      return {
        kind: 'Parameter',
        name: next.value,
        quoted: next.kind === 'string',
        span: this.spanFrom(mark),
      };
    }
    if (next.kind !== '{') this.failExpecting('the name of a parameter directly after "?"', next);
    this.take(next);
    const { text: name, quoted } = this.parsePattern('the name of a parameter');
    const defaultValue = this.acceptToken('filter', '=')
      ? this.parsePattern('the default of the parameter')
      : undefined;
    this.expectToken('filter', '}', ' at the end of the parameter');
    const span = this.spanFrom(mark);
    return defaultValue === undefined
      ? { kind: 'Parameter', name, quoted, span }
      : { kind: 'Parameter', name, quoted, defaultValue, span };
  }

  // Fld = FieldName | Str
  protected parseField(token: Token): FieldNode {
    if (token.kind !== 'string') this.#requireFieldName(token);
    this.take(token);
    // A name with back-ticks, such as user.`e-mail`, is as good as the name without them in quotes.
    const hasBackTicks = token.kind === 'word' && token.text.includes('`');
    const name = hasBackTicks ? token.text.replaceAll('`', '') : token.value;
    return {
      kind: 'Field',
      name,
      quoted: token.kind === 'string' || hasBackTicks,
      span: this.spanFrom(token),
    };
  }

  #requireFieldName(token: Token): void {
    if (token.kind !== 'word') this.failExpecting('a field name', token);
    if (!isFieldName(token.text)) {
      this.fail(`"${token.text}" is not a valid field name without double quotes`, token);
    }
  }

  // Pat | Str
  protected parsePattern(purpose: string): PatternNode {
    const token = this.peek('filter');
    if (token.kind !== 'word' && token.kind !== 'string') this.failExpecting(purpose, token);
    if (token.kind === 'word' && !isPattern(token.text)) {
      this.fail(`"${token.text}" is not a valid value without double quotes`, token);
    }
    this.take(token);
    return {
      kind: 'Pattern',
      text: token.value,
      quoted: token.kind === 'string',
      span: this.spanFrom(token),
    };
  }

  // Regex = '/' body '/' { 'd' | 'F' | 'g' | 'i' | 'm' }
  protected parseRegex(token: Token): RegexNode {
    this.take(token);
    return { kind: 'Regex', body: token.value, flags: token.flags ?? '', span: this.spanFrom(token) };
  }
}
