import { usageFailure } from './command-failure.ts';
import { cellText, type Row, type RowFormat, rowByRow, type Surface } from './row-format.ts';
import { visibleLine } from './terminal-text.ts';
import { isTimeColumn, timeText } from './time-text.ts';

type Part = (row: Row, surface: Surface) => string;

/** What a template writes for braces and escape sequences. */
const LITERALS: Record<string, string> = { '{{': '{', '}}': '}', '\\n': '\n', '\\t': '\t', '\\\\': '\\' };

/**
 * Formats rows with a user's template: `{field}` is replaced by a value, `{@timestamp}` by the time as text,
 * `{@timestamp:ms}` by the time in milliseconds. `{{` and `}}` are braces, `\n` and `\t` a newline and a tab.
 *
 * @throws CommandFailure for an unmatched brace.
 */
export function templateFormat(template: string, surface: Surface): RowFormat {
  const parts: Part[] = [];
  const fields: string[] = [];
  for (const match of template.matchAll(/\{\{|\}\}|\{([^{}]+)\}|\\[nt\\]|[{}]|[^{}\\]+|\\/g)) {
    const [text, field] = match;
    if (field !== undefined) parts.push(fieldPart(field.trim(), fields));
    else if (text === '{' || text === '}') {
      throw usageFailure(
        `--template: unmatched "${text}" at position ${match.index + 1}. Write {field} for a value and ${text}${text} for a brace.`,
      );
    } else parts.push(() => LITERALS[text] ?? text);
  }
  return { ...rowByRow((row) => parts.map((part) => part(row, surface)).join('')), fields };
}

/** @param fields gets its name */
function fieldPart(field: string, fields: string[]): Part {
  const inMilliseconds = field.endsWith(':ms') && isTimeColumn(field.slice(0, -3));
  const name = inMilliseconds ? field.slice(0, -3) : field;
  fields.push(name);
  const asTime = isTimeColumn(name) && !inMilliseconds;
  return (row, { isTerminal, timeZone }) => {
    const value = cellText(row, name);
    const text = asTime ? timeText(value, timeZone) : value;
    return isTerminal ? visibleLine(text) : text;
  };
}
