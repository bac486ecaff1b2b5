/** Colors for the parts of a message. Without color support, each function returns the text unchanged. */
export interface Paint {
  /** The expected value. */
  readonly expected: (text: string) => string;
  /** The wrong value. */
  readonly wrong: (text: string) => string;
}

export const NO_PAINT: Paint = { expected: String, wrong: String };
