import type { JsonObject } from '../src/base/json/json.ts';
import type { Pointer } from '../src/base/json/pointer.ts';
import { fileProblem, type LocatedProblem } from '../src/manifest/model/locatedProblem.ts';
import type { Position } from '../src/manifest/model/manifest.ts';
import { storesData } from '../src/schema/facts/kindFacts.ts';
import { formatPath, shapeAt } from '../src/schema/shape/paths.ts';
import { StackError } from './stackError.ts';
import { isTarget, type Target } from './target.ts';
import { type Linkable, refOfLink } from './values/linkable.ts';
import { shapeOfManifest } from './values/marks.ts';
import type { Found } from './values/members.ts';

/** A resource, what it refers to, and where each place of its manifest comes from. */
export interface Referrer {
  readonly resource: Target<string>;
  readonly manifest: JsonObject;
  references(which: (target: Linkable) => boolean): readonly Found<Linkable>[];
  locate(pointer: Pointer): Position;
}

/**
 * References across GVCs where the platform forbids them, told with the lines of both resources: identities, aliases
 * (platform/concepts.links) and volume sets (platform/volumeset.mounting) are of the same GVC, and all workloads of a
 * domain are of one (platform/domain.routing).
 *
 * Errors: `StackError` with all of them (`stack.gvc`).
 */
export function checkGvcs(referrer: Referrer): void {
  const { resource } = referrer;
  const own = resource.kind === 'gvc' ? resource.name : resource.gvc;
  const problems =
    resource.kind === 'domain' ? workloadsOfTwoGvcs(referrer) : own === undefined ? [] : outsideOf(own, referrer);
  if (problems.length > 0) throw new StackError(problems);
}

function gvcOf(target: Linkable): string | undefined {
  return refOfLink(target.link)?.gvc;
}

function outsideOf(own: string, referrer: Referrer): readonly LocatedProblem[] {
  const { manifest, resource } = referrer;
  const inside = `//gvc/${own}/`; // almost all are: no need to parse them
  const foreign = referrer.references((target) => !target.link.startsWith(inside) && (gvcOf(target) ?? own) !== own);
  return foreign.flatMap(({ pointer, value: target }) => {
    const shape = shapeOfManifest(manifest);
    const facts = shapeAt(shape, pointer)?.facts;
    const mustBeInside = facts?.link?.inOwnGvc === true || (storesData(target.kind) && facts?.uri !== undefined);
    if (!mustBeInside) return [];
    const where = resource.kind === 'gvc' ? 'another GVC' : `in "${own}"`;
    const message =
      `${formatPath(shape, manifest, pointer)} refers to ${describe(target)}, ` +
      `but the ${resource.kind} "${resource.name}" is ${where}`;
    return [problemAt(referrer, pointer, message, `The platform wants one of the same GVC here, "${own}".`)];
  });
}

function workloadsOfTwoGvcs(referrer: Referrer): readonly LocatedProblem[] {
  const [first, ...others] = referrer.references(({ kind }) => kind === 'workload');
  const gvc = first === undefined ? undefined : gvcOf(first.value);
  if (first === undefined || gvc === undefined) return [];
  return others
    .filter(({ value }) => (gvcOf(value) ?? gvc) !== gvc)
    .map(({ pointer, value }) => {
      const message = `the domain leads to ${describe(value)} and to ${describe(first.value)}`;
      return problemAt(referrer, pointer, message, 'All routes of a domain lead to one GVC: use another domain.');
    });
}

function problemAt({ resource, locate }: Referrer, pointer: Pointer, message: string, hint: string): LocatedProblem {
  return { ...fileProblem(locate(pointer), 'stack.gvc', message, hint), pointer, resource: resource.id };
}

/** With its line, if it is one of our constructs. */
function describe(target: Linkable): string {
  const { name, gvc } = refOfLink(target.link) ?? { name: target.link, gvc: '' };
  const { file, line } = isTarget(target) ? target.origin.position() : { file: '', line: 0 };
  return `the ${target.kind} "${name}" of the GVC "${gvc ?? ''}"${file === '' ? '' : ` (${file}:${line})`}`;
}
