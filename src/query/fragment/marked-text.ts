/** The name of a field, as opposed to a text. */
export class FieldName {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A text in which `*` stands for anything. */
export class PatternText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
