const FIRST_ROOM = 64;

type Numbers = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** Numbers in a typed array that grows as they come. */
export class NumberList<T extends Numbers> {
  readonly #create: new (
    length: number,
  ) => T;
  #numbers: T;
  #length = 0;

  constructor(create: new (length: number) => T) {
    this.#create = create;
    this.#numbers = new create(FIRST_ROOM);
  }

  get length(): number {
    return this.#length;
  }

  push(number: number): void {
    if (this.#length === this.#numbers.length) this.#grow();
    this.#numbers[this.#length++] = number;
  }

  pushAll(numbers: T, count: number): void {
    while (this.#length + count > this.#numbers.length) this.#grow();
    for (let index = 0; index < count; index++) this.#numbers[this.#length + index] = numbers[index]!;
    this.#length += count;
  }

  at(index: number): number {
    return this.#numbers[index]!;
  }

  set(index: number, number: number): void {
    this.#numbers[index] = number;
  }

  /** The numbers, in an array that is just long enough. */
  taken(): T {
    return this.#numbers.slice(0, this.#length) as T;
  }

  #grow(): void {
    const larger = new this.#create(this.#numbers.length * 2);
    larger.set(this.#numbers);
    this.#numbers = larger;
  }
}
