import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse, print } from '../../src/language/index.ts';
import { cases } from '../helpers/laws.ts';
import { anyPipeline } from './any-pipeline.ts';
import { edited, insertedBefore, nodesOf } from './edits.ts';
import { withoutSpans } from './outline.ts';
import { REALISTIC_QUERIES } from './realistic-queries.ts';

function withoutQuotes(tree: unknown): unknown {
  return JSON.parse(JSON.stringify(tree), (key, value: unknown) => (key === 'quoted' ? undefined : value));
}

const WHITE_SPACE = [' /* a | "b */ ', ' // c | "d\n', '\r\n\t', '\u00a0', ' \f'];

describe('The tree of a query does not depend on', () => {
  it.each(WHITE_SPACE)('whitespace and comments before its parts: %j', (text) => {
    for (const query of REALISTIC_QUERIES) {
      const tree = parse(query);
      expect(withoutSpans(parse(edited(query, insertedBefore(tree, text))))).toEqual(withoutSpans(tree));
    }
  });

  it('whitespace and comments in any query', () => {
    fc.assert(
      fc.property(anyPipeline, fc.constantFrom(...WHITE_SPACE), (pipeline, text) => {
        const query = print(pipeline);
        const tree = parse(query);
        expect(withoutSpans(parse(edited(query, insertedBefore(tree, text))))).toEqual(withoutSpans(tree));
      }),
      cases(),
    );
  });

  it('repeated pipes and pipes at both ends, with comments around them', () => {
    for (const query of REALISTIC_QUERIES) {
      const text = `// before\n | /* and */ | ${query}\n | // behind\n |`;
      expect(withoutSpans(parse(text))).toEqual(withoutSpans(parse(query)));
    }
  });

  it('quotes around field names', () => {
    for (const query of REALISTIC_QUERIES) {
      const tree = parse(query);
      const edits = nodesOf(tree).flatMap((node) =>
        node.kind === 'Field' && !node.quoted ? [{ at: node.span, text: JSON.stringify(node.name) }] : [],
      );
      expect(withoutQuotes(withoutSpans(parse(edited(query, edits))))).toEqual(
        withoutQuotes(withoutSpans(tree)),
      );
    }
  });

  it('a comma after the last element or a semicolon after the last clause', () => {
    const query = 'case { a=1 | x := f([b, c], d=[e]); * | y match { z => *; * => t := 1 } }';
    const text = 'case { a=1 | x := f([b, c, ], d=[e,],); * | y match { z => *; * => t := 1; }; }';
    expect(withoutSpans(parse(text))).toEqual(withoutSpans(parse(query)));
  });
});
