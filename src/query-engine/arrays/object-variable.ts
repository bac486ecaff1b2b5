import type { CallSite } from '../signature/call-site.ts';

/** An element of an array of objects is addressed as `x.key` and `x[0]`, so `x` itself has none of these characters. */
export function checkObjectVariable(variable: string | undefined, call: CallSite): void {
  if (variable === undefined || !/[.[\]]/.test(variable)) return;
  call.fail('"var" must be a plain name, without dots and brackets', 'var');
}
