import { expect, test } from 'vitest';
import { renderGraph } from '../../../src/cli/commands/graph.ts';

const graph = {
  nodes: [
    { id: 'gvc/shop', kind: 'gvc' },
    { id: 'location/x', kind: 'location', external: true as const },
    { id: 'workload/shop/api', kind: 'workload' },
  ],
  links: [
    { from: 'gvc/shop', to: 'location/x', because: 'spec."a"', soft: true },
    { from: 'workload/shop/api', to: 'gvc/shop', because: 'it lives in that GVC', soft: false },
  ],
};

test('a graph as Mermaid', () => {
  expect(renderGraph(graph, 'mermaid')).toBe(
    `flowchart LR
  n0["gvc/shop"]
  n1(["location/x"])
  n2["workload/shop/api"]
  n0 -.->|"spec.#quot;a#quot;"| n1
  n2 -->|"it lives in that GVC"| n0`,
  );
});

test('a graph as DOT', () => {
  expect(renderGraph(graph, 'dot')).toBe(
    `digraph gantry {
  rankdir=LR;
  node [shape=box];
  "gvc/shop";
  "location/x" [style=dashed];
  "workload/shop/api";
  "gvc/shop" -> "location/x" [label="spec.\\"a\\"", style=dashed];
  "workload/shop/api" -> "gvc/shop" [label="it lives in that GVC"];
}`,
  );
});

test('a graph as text', () => {
  expect(renderGraph(graph, 'text')).toBe(
    `gvc/shop
  ..> location/x  spec."a"
location/x (not declared here)
workload/shop/api
  --> gvc/shop  it lives in that GVC`,
  );
});
