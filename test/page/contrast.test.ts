import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const css = readFileSync(new URL('../../src/page/styles/variables.css', import.meta.url), 'utf8');

/** Red, green and blue from 0 to 1. */
type Color = readonly number[];

/** The colors of the page by name, in light and dark. */
const COLORS = Object.fromEntries(
  Array.from(css.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g), ([, name, ...both]) => [
    name!,
    both.map((hex) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)),
  ]),
);

function luminance(color: Color): number {
  const [r, g, b] = color.map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

function contrast(one: Color, other: Color): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light! + 0.05) / (dark! + 0.05);
}

function mixed(color: Color, base: Color): Color {
  return base.map((part, index) => 0.93 * part + 0.07 * color[index]!);
}

it('The text of a row has a contrast of at least 4.5 on plain, selected, hovered and failed rows', () => {
  const texts = Object.keys(COLORS).filter((name) =>
    /^(?:rank-\d|dim|none|trace|debug|info|warn)$/.test(name),
  );
  expect(texts).toHaveLength(14);
  const low = [0, 1].flatMap((scheme) => {
    const of = (name: string): Color => COLORS[name]![scheme]!;
    const backgrounds = {
      plain: of('surface'),
      hovered: of('hover'),
      selected: of('selected'),
      error: mixed(of('error'), of('surface')),
      fatal: mixed(of('fatal'), of('surface')),
    };
    return texts.flatMap((text) =>
      Object.entries(backgrounds)
        .filter(([, background]) => contrast(of(text), background) < 4.5)
        .map(([name]) => `${text} on ${name}, ${['light', 'dark'][scheme]}`),
    );
  });
  expect(low).toEqual([]);
});
