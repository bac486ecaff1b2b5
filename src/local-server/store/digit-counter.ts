/** Counts the digits of whole numbers from 0 on. Numbers of as many digits as the one before cost nothing. */
export function digitCounter(): (number: number) => number {
  let digits = 1;
  let from = 0;
  let bound = 10;
  return (number) => {
    if (number < from || number >= bound) {
      digits = 1;
      from = 0;
      for (bound = 10; number >= bound; bound *= 10) {
        digits++;
        from = bound;
      }
    }
    return digits;
  };
}
