import { EVENT_ID, type Event } from 'js-yaml';
import { limits } from './limits.ts';
import { anchorIn, startOf } from './yamlPositions.ts';

export interface BoundProblem {
  readonly offset: number;
  readonly rule: string;
  readonly message: string;
  readonly hint: string;
}

/**
 * Limits that are checked on parsed events before they become values: scalars that are too long, and aliases that
 * expand to too many values or to themselves ("billion laughs").
 */
export function yamlBounds(source: string, events: readonly Event[]): readonly BoundProblem[] {
  const problems: BoundProblem[] = [];
  const open: { readonly anchor: string; readonly before: number }[] = [];
  const sizes = new Map<string, number>();
  let nodes = 0;
  let aliased = 0;

  for (const event of events) {
    switch (event.type) {
      case EVENT_ID.SEQUENCE:
      case EVENT_ID.MAPPING: {
        const anchor = anchorIn(source, event);
        sizes.delete(anchor);
        open.push({ anchor, before: nodes });
        nodes += 1;
        break;
      }
      case EVENT_ID.SCALAR: {
        nodes += 1;
        sizes.set(anchorIn(source, event), 1);
        if (event.valueEnd - event.valueStart > limits.scalarLength) problems.push(tooLong(startOf(event) ?? 0));
        break;
      }
      case EVENT_ID.ALIAS: {
        const name = anchorIn(source, event);
        if (open.some((container) => container.anchor === name) && !sizes.has(name)) {
          return [...problems, circular(event.anchorStart - 1)];
        }
        const size = sizes.get(name) ?? 0;
        nodes += size;
        aliased += size;
        if (aliased > limits.aliasedNodes) return [...problems, explodes(event.anchorStart - 1)];
        break;
      }
      case EVENT_ID.POP: {
        const container = open.pop();
        if (container !== undefined) sizes.set(container.anchor, nodes - container.before);
        break;
      }
    }
  }
  return problems;
}

function tooLong(offset: number): BoundProblem {
  return {
    offset,
    rule: 'manifest.too-long',
    message: `one value has more than ${limits.scalarLength} characters`,
    hint: 'Store large content outside of manifests.',
  };
}

function explodes(offset: number): BoundProblem {
  return {
    offset,
    rule: 'manifest.aliases',
    message: `the aliases of this file expand to more than ${limits.aliasedNodes} values`,
    hint: 'Write the values out, or split the file.',
  };
}

function circular(offset: number): BoundProblem {
  return {
    offset,
    rule: 'manifest.aliases',
    message: 'this alias refers to a value that contains the alias',
    hint: 'Remove the alias: a manifest is a tree.',
  };
}
