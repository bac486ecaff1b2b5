const MIN_ROOM = 64;

type Numbers = Uint16Array | Uint32Array;

export class NumberList<T extends Numbers> {
  readonly #create: new (
    length: number,
  ) => T;
  #numbers: T;
  #length = 0;

  constructor(create: new (length: number) => T, room: number) {
    this.#create = create;
    this.#numbers = new create(Math.max(MIN_ROOM, room));
  }

  get length(): number {
    return this.#length;
  }

  push(number: number): void {
    if (this.#length === this.#numbers.length) this.#grow();
    this.#numbers[this.#length++] = number;
  }

  at(index: number): number {
    return this.#numbers[index]!;
  }

  #grow(): void {
    const larger = new this.#create(this.#numbers.length * 2);
    larger.set(this.#numbers);
    this.#numbers = larger;
  }
}
