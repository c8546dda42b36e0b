import { isObject, type JsonObject, own } from '../../base/json/json.ts';
import { isWithin } from '../../base/json/pointer.ts';
import { checkRecord, checkRelated } from '../../kinds/registry.ts';
import { contextOf, type RecordContext } from '../../schema/record/context.ts';
import { type DeclarableKind, isDeclarable } from '../../schema/record/kinds.ts';
import type { Problem } from '../../schema/record/problem.ts';
import { formatPath, matchPath } from '../../schema/shape/paths.ts';
import { shapeOf } from '../../schema/shape/shapeOf.ts';
import { type Validators, validateShape } from '../../schema/validation/validators.ts';
import type { ManifestDocument } from '../model/document.ts';
import { codeOf, type LocatedProblem, sortProblems } from '../model/locatedProblem.ts';
import type { DesiredResource, Locate, Position } from '../model/manifest.ts';
import { markedTexts, withMarksByKey, withoutMarked } from '../model/marks.ts';
import { inCanonicalOrder } from '../model/order.ts';
import { flatten } from '../read/flatten.ts';
import { type ReadManifest, readManifest } from '../read/readManifest.ts';
import type { CheckedAlone } from './checkedAlone.ts';
import type { CheckOptions } from './checkOptions.ts';
import { distinctProblems } from './distinct.ts';
import { lifecyclePathProblems } from './lifecyclePaths.ts';
import { partProblems, problemsOfPart } from './partManifest.ts';
import { previousNameProblems } from './previousNames.ts';
import { relatedSet } from './relatedSet.ts';
import { withoutSecretKey } from './secretKeys.ts';
import { tagProblems } from './tagProblems.ts';
import { withValueProblems } from './valueProblems.ts';
import { valueSource } from './valueSource.ts';

export interface CheckedManifests {
  /** In canonical order; those with errors included only as far as they could be read. */
  readonly resources: readonly DesiredResource[];
  /** All problems of all documents, sorted by place. */
  readonly problems: readonly LocatedProblem[];
}

interface Declared extends ReadManifest {
  readonly locate: Locate;
  readonly document: ManifestDocument;
}

/**
 * Every check that needs no platform, on all documents at once: form, rules of one resource, rules over the set.
 *
 * `alone`: what was checked before, with the same options.
 */
export function checkManifests(
  documents: readonly ManifestDocument[],
  options: CheckOptions,
  alone?: CheckedAlone,
): CheckedManifests {
  const problems: LocatedProblem[] = [];
  const declared = new Map<string, Declared>();

  for (const document of flatten(documents)) {
    const clean = alone?.get(document);
    const { manifest, problems: found } =
      clean === undefined ? readManifest(document, options.gvc) : { manifest: clean, problems: [] };
    problems.push(...found.map((problem) => located(problem, document, manifest)));
    if (manifest === undefined) continue;

    const first = declared.get(manifest.id);
    if (first === undefined) declared.set(manifest.id, { ...manifest, locate: document.locate, document });
    else problems.push({ ...duplicate(manifest, document.locate, first.locate), ...codeOf(document.madeBy) });
  }

  const members = [...declared.values()];
  const related = relatedSet(members.filter(({ lifecycle }) => lifecycle.part !== true));
  const previousNames = previousNameProblems(members);
  const marked = members.flatMap(markedTexts);
  for (const member of members) {
    const { ref, record, lifecycle, locate, document } = member;
    const isClean = alone?.get(document)?.record === record;
    const context = contextOf(member.ref, options.org);
    const add = (problem: Problem) => {
      const shown = withoutSecretKey(problem, member);
      problems.push({
        ...withoutMarked(shown, member, marked),
        position: placeOf(problem, locate),
        resource: member.id,
        ...codeOf(document.madeBy),
      });
    };
    const found = [
      ...(previousNames.get(member.id) ?? []),
      ...(lifecycle.part === true ? [] : lifecyclePathProblems(ref.kind, record, lifecycle)),
      ...(isClean ? [] : problemsAlone(member, options.validators, context)),
      ...tagProblems(ref.kind, record, document.written),
      ...checkRelated(ref.kind, record, context, related, 'offline'),
    ];
    const all =
      lifecycle.part === true ? [...problemsOfPart(found), ...partProblems(ref.kind, record, lifecycle)] : found;
    withValueProblems(all, member, document.outside).forEach(add);
  }

  const resources = inCanonicalOrder(
    members.map((member) => {
      const { ref, id, record, locate, document } = member;
      const stack = document.madeBy?.stack;
      const resource = { ref, id, record, lifecycle: withMarksByKey(member), locate };
      return stack === undefined ? resource : { ...resource, stack };
    }),
  );
  return { resources, problems: sortProblems(distinctProblems(problems)) };
}

/** Of its shape, and of the rules about one record. */
function problemsAlone(member: Declared, validators: Validators, context: RecordContext): readonly Problem[] {
  const { ref, record, lifecycle, document } = member;
  const shape = validateShape(validators, ref.kind, record, valueSource(member, document.written));
  return [
    ...withoutUntyped(shape, record, ref.kind, lifecycle.untyped),
    ...checkRecord(ref.kind, record, context, 'offline'),
  ];
}

/** The kinds that documents name, to load their validators. */
export function kindsOf(documents: readonly ManifestDocument[]): ReadonlySet<DeclarableKind> {
  const kinds = new Set<DeclarableKind>();
  for (const { value } of flatten(documents)) {
    const kind = isObject(value) ? own(value, 'kind') : undefined;
    if (typeof kind === 'string' && isDeclarable(kind)) kinds.add(kind);
  }
  return kinds;
}

/** A problem of a field name is shown at the name, any other at the value. */
const aboutNames: ReadonlySet<string> = new Set([
  'shape.unknown-field',
  'manifest.directive-key',
  'manifest.unsafe-key',
  'manifest.gvc-not-allowed',
]);

function placeOf({ rule, pointer }: Problem, locate: Locate): Position {
  return locate(pointer, aboutNames.has(rule) ? 'field' : 'value');
}

function located(
  problem: Problem,
  { locate, madeBy }: ManifestDocument,
  manifest: ReadManifest | undefined,
): LocatedProblem {
  const found = { ...problem, position: placeOf(problem, locate), ...codeOf(madeBy) };
  if (manifest === undefined) return found;
  const path = formatPath(shapeOf(manifest.ref.kind, manifest.record), manifest.record, problem.pointer);
  return { ...found, path, resource: manifest.id };
}

/** Paths of `lifecycle.untyped` are the author's own responsibility. */
function withoutUntyped(
  problems: readonly Problem[],
  record: JsonObject,
  kind: DeclarableKind,
  untyped: readonly string[] = [],
): readonly Problem[] {
  const shape = shapeOf(kind, record);
  const exempt = untyped.flatMap((path) => matchPath(path, shape, record));
  return problems.filter(
    ({ rule, pointer }) => rule !== 'shape.unknown-field' || !exempt.some((place) => isWithin(pointer, place)),
  );
}

function duplicate(manifest: ReadManifest, locate: Locate, first: Locate): LocatedProblem {
  const { file, line } = first(['name'], 'value');
  return {
    rule: 'manifest.duplicate',
    path: 'name',
    pointer: ['name'],
    message: `${manifest.id} is declared twice; first at ${file}:${line}`,
    hint: 'Remove or rename one of the two.',
    severity: 'error',
    position: locate(['name'], 'value'),
    resource: manifest.id,
  };
}
