import type { EmbeddedQuery } from './embedded-query.ts';
import { linesWithout, withPrefix } from './text-lines.ts';

const LANGUAGE = /^[ \t]*(?:logscale|cql|lql|humio)(?![\w-])/i;
/** A fence: what is before it on its line, the fence, and what follows, such as its language. */
const FENCE = /^([ \t>]*)(`{3,}|~{3,})([^\n`]*)$/;

/** The queries in the fenced code blocks of a Markdown file. */
export function queriesInMarkdown(text: string): readonly EmbeddedQuery[] {
  const queries: EmbeddedQuery[] = [];
  let open: { prefix: string; fence: string; start: number; isQuery: boolean } | undefined;
  let offset = 0;
  for (const line of text.split('\n')) {
    const [, prefix = '', fence = '', info = ''] = FENCE.exec(line.replace(/\r$/, '')) ?? [];
    if (open === undefined && fence !== '') {
      open = { prefix, fence, start: offset + line.length + 1, isQuery: LANGUAGE.test(info) };
    } else if (open !== undefined && info.trim() === '' && fence.startsWith(open.fence)) {
      if (open.isQuery && offset > open.start) queries.push(fencedQuery(text, open, offset - 1));
      open = undefined;
    }
    offset += line.length + 1;
  }
  if (open?.isQuery === true && open.start < text.length) queries.push(fencedQuery(text, open, text.length));
  return queries;
}

function fencedQuery(
  text: string,
  { prefix, start }: { readonly prefix: string; readonly start: number },
  newline: number,
): EmbeddedQuery {
  const end = text[newline - 1] === '\r' ? newline - 1 : newline;
  const lines = text.slice(start, end).split('\n');
  // Lines of a quote or a list can be less indented than their fence.
  const isRegular = lines.every((line) => line.startsWith(prefix) || line.trim() === '');
  const indent = isRegular
    ? prefix.length
    : Math.min(...lines.map((line) => /^[ \t>]*/.exec(line)![0].length), prefix.length);
  const { text: query, segments } = linesWithout(text, start, end, indent);
  const eol = text.slice(start, end).includes('\r\n') ? '\r\n' : '\n';
  return {
    query,
    segments,
    offset: segments[0]!.offset,
    end,
    kind: isRegular ? 'block' : 'fixed',
    ...(!isRegular && { reason: 'its lines are less indented than the fence' }),
    values: [],
    depth: 0,
    encode: (part, next) => withPrefix(part, next, prefix, eol),
    read: queriesInMarkdown,
  };
}
