import { defineTextFunction } from '../text/text-function.ts';

/** How many bits of information a character of a text has on average. */
export const shannonEntropy = defineTextFunction({
  name: 'shannonEntropy',
  output: '_shannonentropy',
  convert(text) {
    const counts = new Map<string, number>();
    let total = 0;
    for (const character of text) {
      counts.set(character, (counts.get(character) ?? 0) + 1);
      total += 1;
    }
    let entropy = 0;
    for (const count of counts.values()) entropy -= (count / total) * Math.log2(count / total);
    return entropy;
  },
});
