import { suggestion } from './suggestion.ts';
import { isArray, isObject, type JsonObject, type JsonValue, own } from '../schema/json.ts';
import { parsePath } from '../schema/paths.ts';
import type { Problem } from '../schema/problem.ts';
import type { Lifecycle } from './lifecycle.ts';

const flags = ['protect', 'retain', 'adopt', 'replace', 'wait'] as const;
const lists = ['ignore', 'untyped', 'dependsOn'] as const;
const names: readonly string[] = [...flags, ...lists];

export interface ParsedLifecycle {
  readonly lifecycle: Lifecycle;
  readonly problems: readonly Problem[];
}

/** The `lifecycle` block of a manifest (design, section 2). What is wrong is left out and reported. */
export function parseLifecycle(block: JsonValue | undefined): ParsedLifecycle {
  if (block === undefined) return { lifecycle: {}, problems: [] };
  if (!isObject(block)) {
    return {
      lifecycle: {},
      problems: [problem([], 'shape.type', 'lifecycle must be an object', `It may hold: ${names.join(', ')}.`)],
    };
  }
  const problems: Problem[] = [];
  for (const key of Object.keys(block)) {
    if (!names.includes(key)) {
      problems.push(problem([key], 'shape.unknown-field', `lifecycle has no field "${key}"`, suggestion(key, names)));
    }
  }
  const lifecycle: Lifecycle = { ...parseFlags(block, problems), ...parseLists(block, problems) };
  return { lifecycle, problems };
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

function problem(pointer: readonly (string | number)[], rule: string, message: string, hint?: string): Problem {
  const place = ['lifecycle', ...pointer];
  return {
    rule,
    path: place.join('.'),
    pointer: place,
    message,
    severity: 'error',
    ...(hint === undefined ? {} : { hint }),
  };
}
