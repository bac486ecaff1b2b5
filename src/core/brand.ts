/**
 * The package ships as ESM and as CommonJS, and a process can load both copies. `instanceof` for our exceptions
 * therefore checks a brand that the copies share instead of the class.
 */

const BRANDS = Symbol.for('logclient.exception-brands');

type Branded = { readonly [BRANDS]?: readonly string[] };

/** Adds a brand to `exceptionClass`, and an `instanceof` that recognizes it in every copy of the package. */
export function brand(
  exceptionClass: { readonly prototype: object; readonly name: string },
  name: string,
): void {
  const inherited = (Object.getPrototypeOf(exceptionClass.prototype) as Branded)[BRANDS] ?? [];
  Object.defineProperty(exceptionClass.prototype, BRANDS, { value: [...inherited, name] });
  Object.defineProperty(exceptionClass.prototype, 'name', {
    value: name,
    configurable: true,
    writable: true,
  });
  Object.defineProperty(exceptionClass, Symbol.hasInstance, {
    value(this: unknown, candidate: unknown): boolean {
      // A caller's subclass inherits this method but has no brand, so it keeps the ordinary `instanceof`.
      if (this !== exceptionClass) return Function.prototype[Symbol.hasInstance].call(this, candidate);
      return (candidate as Branded | null | undefined)?.[BRANDS]?.includes(name) ?? false;
    },
  });
}
