/** A graph: for each node its successors. */
export type Graph = readonly (readonly number[])[];

/** The strongly connected components of a graph: what can be reached from a component comes before it. */
export function componentsOf(graph: Graph): number[][] {
  const order: number[] = new Array(graph.length).fill(-1);
  const low: number[] = new Array(graph.length).fill(0);
  const isOpen: boolean[] = new Array(graph.length).fill(false);
  const stack: number[] = [];
  const components: number[][] = [];
  let visited = 0;
  for (let root = 0; root < graph.length; root++) if (order[root] === -1) visit(root);
  return components;

  function visit(root: number): void {
    const path = [{ node: root, next: 0 }];
    enter(root);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const successor = graph[top.node]![top.next++];
      if (successor === undefined) {
        path.pop();
        leave(top.node, path.at(-1)?.node);
      } else if (order[successor] === -1) {
        enter(successor);
        path.push({ node: successor, next: 0 });
      } else if (isOpen[successor]) low[top.node] = Math.min(low[top.node]!, order[successor]!);
    }
  }

  function enter(node: number): void {
    order[node] = visited;
    low[node] = visited++;
    stack.push(node);
    isOpen[node] = true;
  }

  function leave(node: number, parent: number | undefined): void {
    if (parent !== undefined) low[parent] = Math.min(low[parent]!, low[node]!);
    if (low[node] !== order[node]) return;
    const component = stack.splice(stack.indexOf(node));
    for (const member of component) isOpen[member] = false;
    components.push(component);
  }
}
