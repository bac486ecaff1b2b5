/** A field name, as opposed to a string. */
export class FieldName {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A string in which `*` is a wildcard. */
export class PatternText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
