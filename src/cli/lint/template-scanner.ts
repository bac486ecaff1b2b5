import type { Span } from '../../query-language/index.ts';

/** An `` lql`…` `` template in the source of a program. */
export interface QueryTemplate {
  /** The text between the backticks. */
  readonly span: Span;
  /** The places of `${…}`, counted from the start of the span. */
  readonly values: readonly Span[];
}

const TAG = /(?<![\w$.'"`])lql`/g;
const COMMENT_LINE = /^[ \t]*(?:\/\/|\/?\*)/;

/** Finds the `` lql`…` `` templates in TypeScript or JavaScript, without those in comments. */
export function findTemplates(source: string): readonly QueryTemplate[] {
  const found: QueryTemplate[] = [];
  let end = 0;
  for (const { index, 0: tag } of source.matchAll(TAG)) {
    const lineStart = source.lastIndexOf('\n', index) + 1;
    if (index < end || COMMENT_LINE.test(source.slice(lineStart, index + 1))) continue;
    const template = readTemplate(source, index + tag.length);
    if (template === undefined) continue;
    found.push(template);
    end = template.span.end;
  }
  return found;
}

function readTemplate(source: string, start: number): QueryTemplate | undefined {
  const values: Span[] = [];
  for (let offset = start; offset < source.length; offset += 1) {
    if (source[offset] === '\\') offset += 1;
    else if (source[offset] === '`') return { span: { start, end: offset }, values };
    else if (source.startsWith('${', offset)) {
      const end = endOfValue(source, offset + 2);
      values.push({ start: offset - start, end: end - start });
      offset = end - 1;
    }
  }
  return undefined;
}

/** The offset after the `}` that closes a value. */
function endOfValue(source: string, start: number): number {
  let depth = 1;
  for (let offset = start; offset < source.length; offset += 1) {
    const character = source[offset]!;
    if (character === '{') depth += 1;
    else if (character === '}') depth -= 1;
    else if (character === '`') offset = readTemplate(source, offset + 1)?.span.end ?? source.length;
    else if (character === '"' || character === "'") offset = endOfString(source, offset);
    if (depth === 0) return offset + 1;
  }
  return source.length;
}

function endOfString(source: string, start: number): number {
  const quote = source[start];
  let offset = start + 1;
  while (offset < source.length && source[offset] !== quote) offset += source[offset] === '\\' ? 2 : 1;
  return offset;
}
