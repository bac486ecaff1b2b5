import { describe, expect, it } from 'vitest';
import { EventPatterns } from '../../src/server/ingest/event-patterns.ts';
import { FieldLayout } from '../../src/server/store/field-layout.ts';

const MIDDLE = ',"attributes":';

/** Events with one field, and how they are written. */
function kind(name: string): { layout: FieldLayout; textOf: (value: string) => string } {
  const layout = new FieldLayout({ names: [name], isString: [true], pieces: [`{"${name}":"`, '"}'] });
  return { layout, textOf: (value) => `{"timestamp":17${MIDDLE}{"${name}":"${value}"}}` };
}

/** Whether an event is found. If not, it is learned, as after a reader without patterns has read it. */
function meets(forms: EventPatterns, { layout, textOf }: ReturnType<typeof kind>, value = 'x'): boolean {
  const found = forms.find(textOf(value), 0);
  if (found === undefined) forms.learn({ middle: MIDDLE, timezone: undefined, layout });
  return found?.layout === layout;
}

/** Repeats an event until it is known. */
function learn(forms: EventPatterns, one: ReturnType<typeof kind>): number {
  for (let met = 1; met <= 100; met++) if (meets(forms, one)) return met;
  throw new Error('The form is never learned.');
}

describe('EventPatterns', () => {
  it('finds the layout of an event after a few events of the same form', () => {
    const forms = new EventPatterns();
    const one = kind('a.b');
    expect(learn(forms, one)).toBeGreaterThan(2);
    const text = one.textOf('with \\"escapes\\"\\n');
    expect(forms.find(`${text},`, 0)?.layout).toBe(one.layout);
    expect(forms.end).toBe(text.length - 1);
  });

  it.each([
    ['another name', '{"timestamp":17,"attributes":{"axb":"x"}}'],
    ['another kind of value', '{"timestamp":17,"attributes":{"a.b":7}}'],
    ['a time that has an escape', '{"timestamp":"\\n","attributes":{"a.b":"x"}}'],
    ['a time with a fraction', '{"timestamp":1.5,"attributes":{"a.b":"x"}}'],
    ['a time that is not exact as a number', '{"timestamp":1234567890123456,"attributes":{"a.b":"x"}}'],
    ['an escape that is wrong', '{"timestamp":17,"attributes":{"a.b":"\\x"}}'],
    ['a control character', '{"timestamp":17,"attributes":{"a.b":"\u0001"}}'],
    ['no end', '{"timestamp":17,"attributes":{"a.b":"x'],
  ])('does not match a known form to an event with %s', (_, text) => {
    const forms = new EventPatterns();
    learn(forms, kind('a.b'));
    expect(forms.find(text, 0)).toBeUndefined();
  });

  it('finds every event while events of four known forms alternate', () => {
    const forms = new EventPatterns();
    const kinds = ['a', 'b', 'c', 'd'].map(kind);
    for (const one of kinds) learn(forms, one);
    for (let n = 0; n < 2_000; n++) expect(meets(forms, kinds[(n * n + 3 * n) % 4]!)).toBe(true);
  });
});
