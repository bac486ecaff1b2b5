const scope = globalThis as Readonly<Record<string, unknown>>;

/** What another script of the page sets as a global, loaded when it is first needed; `undefined` if that failed. */
export async function loadScript<Value>(script: string, name: string): Promise<Value | undefined> {
  const { href } = new URL(script, import.meta.url);
  if (scope[name] === undefined) await import(href).catch(() => {});
  return scope[name] as Value | undefined;
}
