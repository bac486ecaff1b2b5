import type { JSX } from 'preact';

/** A button that submits no form. */
export function Button(props: JSX.IntrinsicElements['button']): JSX.Element {
  return <button type="button" {...props} />;
}
