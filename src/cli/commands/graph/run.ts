import { readGraph } from '../../../gantry/reading/readGraph.ts';
import type { Ending } from '../../../terminal/answer/ending.ts';
import { show } from '../../../terminal/answer/show.ts';
import type { CommandContext } from '../../../terminal/line/context.ts';
import type { GlobalOptions } from '../../../terminal/line/options.ts';
import { exitCode } from '../../../terminal/process/exitCode.ts';
import { renderGraph } from './text.ts';

export interface GraphOptions extends GlobalOptions {
  readonly format: 'mermaid' | 'dot' | 'text';
}

/** Offline: what the manifests say, without a look at what is live. */
export async function runGraph(context: CommandContext<GraphOptions>, paths: readonly string[]): Promise<Ending> {
  const { nodes, links } = await readGraph(context, paths);
  await show(context, {
    text: () => renderGraph({ nodes, links }, context.options.format),
    document: () => ({ nodes: nodes.map((node) => ({ ...node })), links: links.map((link) => ({ ...link })) }),
  });
  return exitCode.ok;
}
