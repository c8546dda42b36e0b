import { desiredGraph } from '../../plan/order/planGraph.ts';
import type { CommandContext } from '../context.ts';
import { exitCode } from '../exitCode.ts';
import { formatted } from '../formatted.ts';
import { loadManifests } from '../loadStack.ts';
import type { GraphOptions } from '../options.ts';
import { renderGraph } from '../render/graphText.ts';

/** Offline: what the manifests say, without a look at what is live. */
export async function runGraph(context: CommandContext<GraphOptions>, paths: readonly string[]): Promise<number> {
  const { options, terminal } = context;
  const loaded = await loadManifests(context, paths, 'unread');
  if (loaded === undefined) return exitCode.failed;

  const { nodes, links } = desiredGraph(loaded.desired, loaded.org);
  if (options.output === 'text') {
    terminal.result(renderGraph({ nodes, links }, options.format));
  } else {
    const graph = { nodes: nodes.map((node) => ({ ...node })), links: links.map((link) => ({ ...link })) };
    terminal.result(await formatted(graph, options.output));
  }
  return exitCode.ok;
}
