/** Colors for the parts of a message; each gives the text back as it is where there are no colors. */
export interface Paint {
  /** What was asked for. */
  readonly expected: (text: string) => string;
  /** What is wrong. */
  readonly wrong: (text: string) => string;
}

export const NO_PAINT: Paint = { expected: String, wrong: String };
