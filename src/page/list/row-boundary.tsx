import { Component, type ComponentChildren } from 'preact';

/** Catches an error of a row, so that one record never hides the others. */
export class RowBoundary extends Component<{ readonly children: ComponentChildren }, { failure?: string }> {
  override state: { failure?: string } = {};

  override componentDidCatch(error: unknown): void {
    this.setState({ failure: error instanceof Error ? error.message : String(error) });
  }

  override render(): ComponentChildren {
    const { failure } = this.state;
    if (failure === undefined) return this.props.children;
    return <p class="row problem-text">This record can't be shown: {failure}</p>;
  }
}
