import { Component, type ComponentChild, type ComponentType } from 'preact';

/** A component that renders again only if one of its properties changes. */
export function memo<Props extends object>(render: (props: Props) => ComponentChild): ComponentType<Props> {
  return class Memo extends Component<Props> {
    override shouldComponentUpdate(next: Props): boolean {
      const names = new Set([...Object.keys(this.props), ...Object.keys(next)]) as Set<keyof Props>;
      return [...names].some((name) => this.props[name] !== next[name]);
    }

    override render(): ComponentChild {
      return render(this.props);
    }
  };
}
