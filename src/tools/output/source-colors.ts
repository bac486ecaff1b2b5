import type { Colors } from './colors.ts';

const HUES = 3;

type Paint = (text: string) => string;

/** Assigns a color to each source, if possible the same in every run. Red, yellow and green are reserved for levels. */
export function sourceColors(colors: Colors): (source: string) => Paint {
  const { magenta, cyan, blue, magentaBright, cyanBright, blueBright } = colors;
  const palette = [magenta, cyan, blue, magentaBright, cyanBright, blueBright];
  const indexes = new Map<string, number>();
  return (source) => {
    let index = indexes.get(source);
    if (index === undefined) {
      let hash = 0;
      for (const character of source) hash = (hash * 31 + character.codePointAt(0)!) % 1_000_003;
      // Bright colors extend the hues if there are more sources.
      index = hash % HUES;
      const used = new Set(indexes.values());
      if (used.size < palette.length) while (used.has(index)) index = (index + 1) % palette.length;
      indexes.set(source, index);
    }
    return palette[index]!;
  };
}
