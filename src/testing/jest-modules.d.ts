/** The part of Jest that is used here. Users install Jest; it is not a dependency. */

declare module '@jest/globals' {
  export const expect: {
    extend(matchers: Record<string, unknown>): void;
  };
  export function afterEach(hook: () => Promise<void>): void;
}

declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T = unknown> {}
}
