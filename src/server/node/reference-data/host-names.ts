import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { PENDING } from '../../../engine/index.ts';

const KEPT_NAMES = 10_000;
/** The longest address, including the name of a network interface. */
const MAX_ADDRESS_LENGTH = 64;

export function isAddress(text: string): boolean {
  return text.length <= MAX_ADDRESS_LENGTH && isIP(text) !== 0;
}

/** Maximum number of concurrent lookups; further addresses are looked up by the next query. */
const MAX_WAITING = 200;
const ANSWER_LIFETIME_MS = 60 * 60_000;
const RESOLVER_OPTIONS = { timeout: 2_000, tries: 2 } as const;

interface Answer {
  readonly name: string | undefined;
  readonly expiresAt: number;
}

export class HostNames {
  readonly #resolver: Pick<Resolver, 'reverse' | 'cancel'>;
  readonly #answers = new Map<string, Answer>();
  readonly #waiting = new Set<string>();
  #isClosed = false;

  constructor(resolver: Pick<Resolver, 'reverse' | 'cancel'> = new Resolver(RESOLVER_OPTIONS)) {
    this.#resolver = resolver;
  }

  find(address: string): string | typeof PENDING | undefined {
    if (!isAddress(address)) return undefined;
    const answer = this.#answers.get(address);
    if (answer !== undefined && answer.expiresAt > Date.now()) return answer.name;
    if (!this.#waiting.has(address) && this.#waiting.size < MAX_WAITING && !this.#isClosed) {
      void this.#ask(address);
    }
    return PENDING;
  }

  close(): void {
    this.#isClosed = true;
    this.#resolver.cancel();
  }

  async #ask(address: string): Promise<void> {
    this.#waiting.add(address);
    let name: string | undefined;
    try {
      [name] = await this.#resolver.reverse(address);
    } catch {
      // An address without a name is as common as one with: it has none for an hour.
    }
    this.#waiting.delete(address);
    if (this.#answers.size >= KEPT_NAMES) this.#answers.clear();
    this.#answers.set(address, { name, expiresAt: Date.now() + ANSWER_LIFETIME_MS });
  }
}
