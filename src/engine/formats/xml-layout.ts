import { SaxesParser } from 'saxes';
import { limitedText } from '../text/text-limit.ts';

/** A comment, CDATA section, processing instruction, document type, tag or text. */
const TOKEN =
  /<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|<!DOCTYPE(?:"[^"]*"|'[^']*'|\[[^\]]*\]|[^>[\]"'])*>|<(?:"[^"]*"|'[^']*'|[^"'>])*>|[^<]+/gs;
const MAX_INDENTED_DEPTH = 200;

/**
 * Pretty-prints XML. Tags and text are unchanged except for surrounding whitespace.
 *
 * @param width an element with its text is written on one line if that is not longer
 * @returns `undefined` if the XML is not well-formed
 * @throws TextLengthError
 */
export function indentXml(text: string, indentation: string, width: number): string | undefined {
  if (!isXml(text)) return undefined;
  const tokens =
    text
      .match(TOKEN)
      ?.map((token) => token.trim())
      .filter((token) => token !== '') ?? [];
  let result = '';
  let depth = 0;
  const indent = (line: string): string => indentation.repeat(Math.min(depth, MAX_INDENTED_DEPTH)) + line;
  const addLine = (line: string): void => {
    result = limitedText(result === '' ? line : `${result}\n${line}`);
  };
  for (let position = 0; position < tokens.length; position += 1) {
    const token = tokens[position]!;
    if (token.startsWith('</')) depth -= 1;
    const single = isOpening(token) ? joinedElement(tokens, position) : undefined;
    if (single !== undefined && (single.length === 2 || indent(single.line).length <= width)) {
      addLine(indent(single.line));
      position += single.length - 1;
      continue;
    }
    addLine(indent(token));
    if (isOpening(token)) depth += 1;
  }
  return result;
}

function isXml(text: string): boolean {
  let isWellFormed = true;
  const parser = new SaxesParser();
  parser.on('error', () => {
    isWellFormed = false;
  });
  parser.write(text).close();
  return isWellFormed;
}

function isOpening(token: string): boolean {
  return token.startsWith('<') && !/^<[/!?]/.test(token) && !token.endsWith('/>');
}

/** `<a>text</a>` or `<a></a>`, if the element contains nothing else. */
function joinedElement(
  tokens: readonly string[],
  position: number,
): { readonly line: string; readonly length: number } | undefined {
  const [opening = '', inner = '', closing = ''] = tokens.slice(position, position + 3);
  if (inner.startsWith('</')) return { line: opening + inner, length: 2 };
  if (inner.startsWith('<') || !closing.startsWith('</')) return undefined;
  return { line: opening + inner + closing, length: 3 };
}
