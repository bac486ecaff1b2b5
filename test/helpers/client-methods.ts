import { LogClient } from '../../src/client/log-client.ts';
import { ApiClient } from '../../src/client/resource.ts';

/** The names of the methods that only `LogClient` has. They are in one class per resource. */
export function clientMethods(): string[] {
  const names: string[] = [];
  let prototype: object = LogClient.prototype;
  while (prototype !== ApiClient.prototype) {
    names.push(...Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor'));
    prototype = Object.getPrototypeOf(prototype);
  }
  return names;
}
