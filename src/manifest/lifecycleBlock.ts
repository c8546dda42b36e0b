import { suggestion } from './suggestion.ts';
import { isArray, isObject, type JsonObject, type JsonValue, own } from '../schema/json.ts';
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
    return [[name, items]];
  });
  return Object.fromEntries(entries);
}

function problem(pointer: readonly string[], rule: string, message: string, hint?: string): Problem {
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
