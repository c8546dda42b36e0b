import { graph } from '../../gantry/check.ts';
import type { GraphNode, ResourceGraph } from '../../plan/order/desiredGraph.ts';
import type { CommandContext } from '../../terminal/context.ts';
import type { Ending } from '../../terminal/ending.ts';
import { exitCode } from '../../terminal/exitCode.ts';
import type { GlobalOptions } from '../../terminal/options.ts';
import { printable } from '../../terminal/printable.ts';
import { show } from '../../terminal/show.ts';

export interface GraphOptions extends GlobalOptions {
  readonly format: 'mermaid' | 'dot' | 'text';
}

/** Offline: shows the manifests without reading live records. */
export async function runGraph(context: CommandContext<GraphOptions>, paths: readonly string[]): Promise<Ending> {
  const { nodes, links } = await graph(context, paths);
  await show(context, {
    text: () => renderGraph({ nodes, links }, context.options.format),
    document: () => ({ nodes: nodes.map((node) => ({ ...node })), links: links.map((link) => ({ ...link })) }),
  });
  return exitCode.ok;
}

type GraphFormat = 'mermaid' | 'dot' | 'text';

/** Arrows point from a waiting resource to the one that it waits for; dashed ones set the order without blocking. */
export function renderGraph(graph: ResourceGraph, format: GraphFormat): string {
  switch (format) {
    case 'mermaid':
      return renderMermaid(graph);
    case 'dot':
      return renderDot(graph);
    case 'text':
      return renderText(graph);
  }
}

function renderMermaid({ nodes, links }: ResourceGraph): string {
  const keys = new Map(nodes.map(({ id }, index) => [id, `n${index}`]));
  const label = (text: string) => printable(text).replaceAll('"', '#quot;');
  return [
    'flowchart LR',
    ...nodes.map(({ id, external }) => {
      const [open, close] = external === true ? ['([', '])'] : ['[', ']'];
      return `  ${keys.get(id)}${open}"${label(id)}"${close}`;
    }),
    ...links.map(({ from, to, because, soft }) => {
      const arrow = soft ? '-.->' : '-->';
      return `  ${keys.get(from)} ${arrow}|"${label(because)}"| ${keys.get(to)}`;
    }),
  ].join('\n');
}

function renderDot({ nodes, links }: ResourceGraph): string {
  const quoted = (text: string) => `"${printable(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
  return [
    'digraph gantry {',
    '  rankdir=LR;',
    '  node [shape=box];',
    ...nodes.map(({ id, external }) => `  ${quoted(id)}${external === true ? ' [style=dashed]' : ''};`),
    ...links.map(({ from, to, because, soft }) => {
      const style = soft ? ', style=dashed' : '';
      return `  ${quoted(from)} -> ${quoted(to)} [label=${quoted(because)}${style}];`;
    }),
    '}',
  ].join('\n');
}

function renderText({ nodes, links }: ResourceGraph): string {
  const outgoing = Map.groupBy(links, ({ from }) => from);
  const block = ({ id, external }: GraphNode) => [
    `${printable(id)}${external === true ? ' (not declared here)' : ''}`,
    ...(outgoing.get(id) ?? []).map(
      ({ to, because, soft }) => `  ${soft ? '..>' : '-->'} ${printable(to)}  ${printable(because)}`,
    ),
  ];
  return nodes.flatMap(block).join('\n');
}
