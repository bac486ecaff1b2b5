import { Component, type ComponentChildren } from 'preact';

interface RowState {
  readonly failure: string | undefined;
}

/** Catches an error of a row, so that one record never hides the others. */
export class RowBoundary extends Component<{ readonly children: ComponentChildren }, RowState> {
  override state: RowState = { failure: undefined };

  override componentDidCatch(error: unknown): void {
    this.setState({ failure: error instanceof Error ? error.message : String(error) });
  }

  override render(): ComponentChildren {
    const { failure } = this.state;
    if (failure === undefined) return this.props.children;
    return <p class="row problem-text">This record can't be shown: {failure}</p>;
  }
}
