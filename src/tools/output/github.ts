/** Where an annotation appears. Lines and columns count from 1. */
export interface AnnotationPlace {
  readonly file: string;
  readonly line: number;
  readonly col?: number;
  readonly endLine?: number;
  readonly endColumn?: number;
}

/** An annotation of a GitHub workflow. */
export function annotation(
  command: 'error' | 'warning' | 'notice',
  place: AnnotationPlace,
  title: string,
  message: string,
): string {
  const properties = Object.entries({ ...place, title }).map(
    ([name, value]) => `${name}=${property(`${value}`)}`,
  );
  return `::${command} ${properties.join(',')}::${escaped(message)}\n`;
}

function escaped(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
