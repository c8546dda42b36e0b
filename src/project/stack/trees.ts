import { warningsFound, wasSynthesized } from '../../../constructs/appCollector.ts';
import { stackBrand } from '../../../constructs/stackOf.ts';
import { isArray } from '../../base/json/json.ts';
import { memberOf } from '../../base/thrown.ts';
import { fileProblem, type LocatedProblem } from '../../manifest/model/locatedProblem.ts';
import type { Position } from '../../manifest/model/manifest.ts';
import { type CodeStack, problemsOf } from './handOver.ts';

// Constructs may come from another copy of this package, so they are recognised by their members only.

/** The root of a construct's tree. */
export function treeOf(value: unknown): unknown {
  return memberOf(memberOf(value, 'node'), 'root');
}

/** The function that makes the manifests of an app or a stack. */
export function synthOf(value: unknown): (() => unknown) | undefined {
  const synth = memberOf(value, 'synth');
  return typeof synth === 'function' ? () => Reflect.apply(synth, value, []) : undefined;
}

export function holdsResources(root: unknown): boolean {
  return firstResource(root) !== undefined;
}

/**
 * Resources that would be silently omitted or wrongly planned: in several trees, or in a tree that is not handed over
 * (neither exported nor the file's app). `made`: the roots of all trees that the stack file created.
 */
export function treeProblems(source: unknown, made: readonly unknown[]): readonly LocatedProblem[] {
  const handedOver = rootsOf(source);
  const [, second] = [...handedOver].filter(holdsResources);
  if (second !== undefined) {
    const hint = 'Put all stacks into one App, or give each App a file and a gantry.yaml of its own.';
    return [treeProblem(second, 'stack.second', 'this resource is in a second app of the stack file', hint)];
  }
  return made
    .filter((root) => !handedOver.has(root) && memberOf(root, wasSynthesized) !== true && holdsResources(root))
    .map((root) => {
      const isApp = synthOf(root) !== undefined;
      const what = isApp ? 'in an app that the stack file does not export' : 'in no app';
      const hint = isApp ? 'Export this app, or remove it.' : 'Make it in a Stack of the app that is exported.';
      return treeProblem(root, 'stack.unused', `this resource is ${what}`, hint);
    });
}

/** The stacks of the trees that are handed over. */
export function stacksOf(source: unknown): readonly CodeStack[] {
  return constructsOf(source).flatMap((construct) => {
    if (memberOf(construct, stackBrand) !== true) return [];
    const name = memberOf(construct, 'name') ?? memberOf(memberOf(construct, 'node'), 'path');
    return [{ name: String(name), position: positionOf(construct) }];
  });
}

/** Findings of a tree's synthesis that do not stop it. */
export function warningsOf(source: unknown): readonly LocatedProblem[] {
  return [...rootsOf(source)].flatMap((root) => {
    const warnings = memberOf(root, warningsFound);
    return isArray(warnings) ? problemsOf(JSON.parse(JSON.stringify(warnings))) : [];
  });
}

function rootsOf(source: unknown): ReadonlySet<unknown> {
  return new Set(sourcesOf(source).map((each) => treeOf(each) ?? each));
}

function constructsOf(source: unknown): readonly unknown[] {
  return [...rootsOf(source)].flatMap(allOf);
}

function sourcesOf(source: unknown): readonly unknown[] {
  return Array.isArray(source) ? source.flatMap(sourcesOf) : [source];
}

function treeProblem(root: unknown, rule: string, message: string, hint: string): LocatedProblem {
  return fileProblem(positionOf(firstResource(root)), rule, message, hint);
}

function firstResource(root: unknown): unknown {
  return allOf(root).find(isResource);
}

function isResource(construct: unknown): boolean {
  return memberOf(construct, 'toManifest') !== undefined;
}

function allOf(root: unknown): readonly unknown[] {
  const node = memberOf(root, 'node');
  const findAll = memberOf(node, 'findAll');
  const all: unknown = typeof findAll === 'function' ? Reflect.apply(findAll, node, []) : [];
  return isArray(all) ? all : [];
}

function positionOf(resource: unknown): Position {
  const origin = memberOf(resource, 'origin');
  const position = memberOf(origin, 'position');
  const place: unknown = typeof position === 'function' ? Reflect.apply(position, origin, []) : undefined;
  const [file, line, column] = [memberOf(place, 'file'), memberOf(place, 'line'), memberOf(place, 'column')];
  return { file: String(file ?? '(stack)'), line: Number(line ?? 1), column: Number(column ?? 1) };
}
