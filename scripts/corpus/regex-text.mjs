const CLASSES = { d: '7', D: 'x', s: ' ', S: 'x', w: 'a', W: '-', t: '\t', n: '\n', r: '\r', f: '\f' };
/** Maximum repetitions for `*` and `+`; more would only make the text longer. */
const MAX_REPEATS = 3;

/** A text that the regular expression probably matches. Unknown syntax is copied literally. */
export function textMatching(body, random) {
  const reader = new RegexReader(body, random);
  return reader.alternatives();
}

class RegexReader {
  #body;
  #place = 0;
  #random;

  constructor(body, random) {
    this.#body = body;
    this.#random = random;
  }

  /** Reads up to the end or to the parenthesis that closes the group. */
  alternatives() {
    const texts = [this.#sequence()];
    while (this.#take('|')) texts.push(this.#sequence());
    return this.#random.pick(texts);
  }

  #sequence() {
    let text = '';
    while (this.#place < this.#body.length && !'|)'.includes(this.#body[this.#place])) {
      const atom = this.#atom();
      text += atom.repeat(this.#repeats());
    }
    return text;
  }

  #atom() {
    const character = this.#body[this.#place++];
    if (character === '(') return this.#group();
    if (character === '[') return this.#set();
    if (character === '\\') return this.#escape();
    if (character === '.') return this.#random.pick(['a', 'x', '1']);
    return character === '^' || character === '$' ? '' : character;
  }

  #group() {
    const opening = /^\?(?:P?<[^>=!]*>|[=!:]|<[=!]|[a-zA-Z-]*:?)/.exec(this.#body.slice(this.#place));
    if (opening !== null) this.#place += opening[0].length;
    const text = this.alternatives();
    this.#take(')');
    return /^\?<?!/.test(opening?.[0] ?? '') ? '' : text;
  }

  #set() {
    const isNegated = this.#take('^');
    const members = [];
    do {
      const character = this.#body[this.#place++];
      members.push(character === '\\' ? this.#escape() : (character ?? ''));
    } while (this.#place < this.#body.length && this.#body[this.#place] !== ']');
    this.#place += 1;
    if (!isNegated) return this.#random.pick(members.filter((member) => member !== '-').concat(members[0]));
    return ['q', '4', '%', ' '].find((character) => !members.includes(character)) ?? 'Q';
  }

  #escape() {
    const letter = this.#body[this.#place++] ?? '';
    if (letter in CLASSES) return CLASSES[letter];
    return /[bBAzZQE]/.test(letter) ? '' : letter;
  }

  #repeats() {
    const mark = /^(?:[*+?]|\{(\d+)(?:,(\d*))?\})[?+]?/.exec(this.#body.slice(this.#place));
    if (mark === null) return 1;
    this.#place += mark[0].length;
    if (mark[1] !== undefined) return Math.min(Number(mark[1]), 100);
    return mark[0][0] === '?' ? this.#random.below(2) : 1 + this.#random.below(MAX_REPEATS);
  }

  #take(mark) {
    if (this.#body[this.#place] !== mark) return false;
    this.#place += 1;
    return true;
  }
}
