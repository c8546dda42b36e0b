import { isArray, isObject, type JsonObject, type JsonValue, own } from '../base/json/json.ts';
import type { Pointer } from '../base/json/pointer.ts';
import { compact, present } from '../base/json/present.ts';
import { durationWithUnitMs } from '../base/text/duration.ts';
import { suggestion } from '../base/text/suggestion.ts';
import type { Problem } from '../schema/record/problem.ts';
import { parsePath } from '../schema/shape/paths.ts';
import type { Lifecycle } from './model/manifest.ts';

const flags = ['protect', 'retain', 'replace', 'wait', 'part'] as const;
const lists = ['ignore', 'untyped', 'sensitive', 'dependsOn'] as const;
export const lifecycleNames: readonly string[] = [...flags, 'waitTimeout', 'adopt', 'handOver', 'previously', ...lists];

export interface ParsedLifecycle {
  readonly lifecycle: Lifecycle;
  readonly problems: readonly Problem[];
}

/** The `lifecycle` block of a manifest. Invalid members are omitted and reported. */
export function parseLifecycle(block: JsonValue | undefined): ParsedLifecycle {
  if (block === undefined) return { lifecycle: {}, problems: [] };
  if (!isObject(block)) {
    return {
      lifecycle: {},
      problems: [problem([], 'shape.type', 'lifecycle must be an object', `Its fields: ${lifecycleNames.join(', ')}.`)],
    };
  }
  const problems: Problem[] = [];
  for (const key of Object.keys(block)) {
    if (!lifecycleNames.includes(key)) {
      problems.push(
        problem([key], 'shape.unknown-field', `lifecycle has no field "${key}"`, suggestion(key, lifecycleNames)),
      );
    }
  }
  const lifecycle: Lifecycle = {
    ...parseFlags(block, problems),
    ...parseWaitTimeout(own(block, 'waitTimeout'), problems),
    ...parseAdopt(own(block, 'adopt'), problems),
    ...parseHandOver(own(block, 'handOver'), problems),
    ...parsePreviously(own(block, 'previously'), problems),
    ...parseLists(block, problems),
  };
  return { lifecycle, problems: [...problems, ...handedOverAnd(lifecycle)] };
}

/** A stack that releases a resource writes nothing else of it, and deletes no other resource for it. */
function handedOverAnd({ handOver, previously, adopt }: Lifecycle): readonly Problem[] {
  if (handOver === undefined) return [];
  const beside = compact([previously === undefined ? undefined : 'previously', isObject(adopt) ? 'adopt' : undefined]);
  return beside.map((name) => {
    const message = `lifecycle.${name} cannot be combined with lifecycle.handOver, which releases the resource`;
    return problem([name], 'manifest.hand-over', message, 'Remove one of the two.');
  });
}

function parseFlags(block: JsonObject, problems: Problem[]): Lifecycle {
  const entries = flags.flatMap((name): readonly (readonly [string, boolean])[] => {
    const value = own(block, name);
    if (value === undefined) return [];
    if (typeof value === 'boolean') return [[name, value]];
    problems.push(problem([name], 'shape.type', `lifecycle.${name} must be true or false`, 'Write it without quotes.'));
    return [];
  });
  return Object.fromEntries(entries);
}

function parseWaitTimeout(value: JsonValue | undefined, problems: Problem[]): Lifecycle {
  if (value === undefined) return {};
  if (typeof value === 'string' && durationWithUnitMs(value) !== undefined) return { waitTimeout: value };
  const message = 'lifecycle.waitTimeout must be a duration with a unit';
  problems.push(problem(['waitTimeout'], 'shape.type', message, 'Write 30s, 5m or 1h30m.'));
  return {};
}

function parseAdopt(value: JsonValue | undefined, problems: Problem[]): Lifecycle {
  if (value === undefined) return {};
  if (typeof value === 'boolean') return { adopt: value };
  const from = isObject(value) && Object.keys(value).length === 1 ? own(value, 'from') : undefined;
  if (typeof from === 'string' && from !== '') return { adopt: { from } };
  const message = 'lifecycle.adopt must be true, false or {from: STACK}';
  problems.push(problem(['adopt'], 'shape.type', message, 'STACK is the current value of the tag gantry/stack.'));
  return {};
}

function parseHandOver(value: JsonValue | undefined, problems: Problem[]): Lifecycle {
  if (value === undefined) return {};
  if (typeof value === 'string' && value !== '') return { handOver: value };
  const message = 'lifecycle.handOver must be the name of the stack that takes it over';
  problems.push(
    problem(
      ['handOver'],
      'shape.type',
      message,
      'Write the name of the other stack, which is the value of its tag gantry/stack.',
    ),
  );
  return {};
}

function parsePreviously(value: JsonValue | undefined, problems: Problem[]): Lifecycle {
  if (value === undefined) return {};
  if (typeof value === 'string' && value !== '' && !value.includes('/')) return { previously: value };
  const message = 'lifecycle.previously must be the name that the resource had';
  problems.push(problem(['previously'], 'shape.type', message, 'Write the name alone, without kind and GVC.'));
  return {};
}

function parseLists(block: JsonObject, problems: Problem[]): Lifecycle {
  const entries = lists.flatMap((name): readonly (readonly [string, readonly string[]])[] => {
    const value = own(block, name);
    if (value === undefined) return [];
    const items = isArray(value) ? value.filter((item) => typeof item === 'string') : [];
    if (!isArray(value) || items.length !== value.length || items.includes('')) {
      const of = name === 'dependsOn' ? 'resource ids (kind/[gvc/]name)' : 'paths (spec.containers.main.cpu)';
      problems.push(problem([name], 'shape.type', `lifecycle.${name} must be a list of ${of}`));
      return [];
    }
    if (name !== 'dependsOn') problems.push(...badPaths(name, items));
    return [[name, items]];
  });
  return Object.fromEntries(entries);
}

function badPaths(name: string, paths: readonly string[]): readonly Problem[] {
  return paths.flatMap((path, index) => {
    if (parsePath(path) !== undefined) return [];
    const message = `${JSON.stringify(path.slice(0, 120))} is not a path`;
    return [problem([name, index], 'manifest.path', message, 'Write it dotted, unusual names in quotes: tags."a.b".')];
  });
}

function problem(pointer: Pointer, rule: string, message: string, hint?: string): Problem {
  const place = ['lifecycle', ...pointer];
  return {
    rule,
    path: place.join('.'),
    pointer: place,
    message,
    severity: 'error',
    ...present({ hint }),
  };
}
