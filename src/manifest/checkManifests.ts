import { fieldIn, isObject, type JsonObject, own } from '../base/json/json.ts';
import { isWithin } from '../base/json/pointer.ts';
import { compareText } from '../base/text/compareText.ts';
import { checkPartialRecord, checkRecord, checkRelated, type Related } from '../kinds/registry.ts';
import { shapeOf } from '../kinds/shapeOf.ts';
import type { ValueSource } from '../kinds/shapeProblem.ts';
import { type Validators, validateShape } from '../kinds/validators.ts';
import { type DeclarableKind, isDeclarable, type Kind } from '../schema/record/kinds.ts';
import type { Problem } from '../schema/record/problem.ts';
import { contextOf, formatRef, type RecordContext, type Ref, type ResourceId } from '../schema/record/ref.ts';
import type { Unknown } from '../schema/rules/partialRecord.ts';
import { formatPath, matchPath } from '../schema/shape/paths.ts';
import { flatten } from './flatten.ts';
import { lifecyclePathProblems } from './lifecyclePaths.ts';
import { hasLiveText, livePlaces, liveReferences } from './live/liveReference.ts';
import { codeOf, fileProblem, type LocatedProblem, sortProblems } from './model/locatedProblem.ts';
import type { DesiredResource, Locate, ManifestDocument, Output, Position, Written } from './model/manifest.ts';
import { hiddenPlaces, type Declared as Marked, markedTexts, withMarksByKey, withoutMarked } from './model/marks.ts';
import { partProblems, problemsOfPart } from './partManifest.ts';
import { type ReadManifest, readManifest } from './readManifest.ts';
import { isOutput, readOutput } from './readOutput.ts';
import { withoutSecretKey } from './secretKeys.ts';
import { elsewhere, isSensitiveValue, liveProblems, withValueProblems } from './valueProblems.ts';

export interface CheckOptions {
  readonly org: string;
  /** From `--gvc`. */
  readonly gvc?: string;
  /** At least those of the kinds in the documents (`kindsOf`). */
  readonly validators: Validators;
}

/**
 * Manifests that were checked separately, without problems, while others were still arriving. One with a problem is not
 * included: it is checked again with the others, which finds the problem's place.
 */
export class CheckedAlone {
  readonly #clean = new WeakMap<JsonObject, ReadManifest>();

  /** `options` must equal those of the later check of all manifests. */
  add({ value }: ManifestDocument, { org, gvc, validators }: CheckOptions): void {
    if (!isObject(value)) return;
    const { manifest, problems } = readManifest({ value }, gvc);
    if (manifest === undefined || problems.length > 0 || !validators.has(manifest.ref.kind)) return;
    const { ref, record } = manifest;
    const isClean =
      validateShape(validators, ref.kind, record).length === 0 &&
      checkRecord(ref.kind, record, contextOf(ref, org), 'offline').length === 0;
    if (isClean) this.#clean.set(value, manifest);
  }

  /** Looks up the value object itself: a document with another value, such as one read from outside, differs. */
  get({ value }: ManifestDocument): ReadManifest | undefined {
    return isObject(value) ? this.#clean.get(value) : undefined;
  }
}

export interface CheckedManifests {
  /** In canonical order; resources with errors are included as far as they could be read. */
  readonly resources: readonly DesiredResource[];
  /** The outputs of the stacks, in declaration order. */
  readonly outputs: readonly Output[];
  /** All problems of all documents, sorted by place. */
  readonly problems: readonly LocatedProblem[];
}

interface Declared extends ReadManifest {
  readonly locate: Locate;
  readonly document: ManifestDocument;
}

/**
 * All checks without a platform, on all documents together: form, rules of one resource, rules over the set.
 *
 * `checkedAlone`: the manifests checked earlier, with the same options.
 */
export function checkManifests(
  documents: readonly ManifestDocument[],
  options: CheckOptions,
  checkedAlone?: CheckedAlone,
): CheckedManifests {
  const problems: LocatedProblem[] = [];
  const declared = new Map<string, Declared>();
  const outputs = new Map<string, Output>();

  for (const document of flatten(documents)) {
    if (isOutput(document.value)) {
      addOutput(document, outputs, problems);
      continue;
    }
    const clean = checkedAlone?.get(document);
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
    const isClean = checkedAlone?.get(document)?.record === record;
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
    const unknownPlaces = livePlaces(record).map((pointer) => ({ pointer }));
    const found = [
      ...(previousNames.get(member.id) ?? []),
      ...(lifecycle.part === true ? [] : lifecyclePathProblems(ref.kind, record, lifecycle)),
      ...(isClean ? [] : problemsAlone(member, options.validators, context, unknownPlaces)),
      ...tagProblems(ref.kind, record, document.written),
      ...(unknownPlaces.length === 0
        ? checkRelated(ref.kind, record, context, related, 'offline')
        : checkPartialRecord(ref.kind, record, unknownPlaces, context, 'offline', related)),
    ];
    const all =
      lifecycle.part === true ? [...problemsOfPart(found), ...partProblems(ref.kind, record, lifecycle)] : found;
    withValueProblems(all, member, document.outside, unknownPlaces).forEach(add);
    liveProblems(member, declared).forEach(add);
  }

  for (const { value, saveTo, locate, stack } of outputs.values()) {
    if (saveTo === undefined) continue;
    for (const reference of liveReferences(value)) {
      const fault = elsewhere(reference, stack, declared.get(reference.id));
      if (fault === undefined) continue;
      problems.push(fileProblem(locate(['value'], 'value'), fault.rule, fault.message, fault.hint));
    }
  }

  const resources = inCanonicalOrder(
    members.map((member) => {
      const { ref, id, record, locate, document } = member;
      const { stack, existing = [] } = document.madeBy ?? {};
      const reads = hasLiveText(record) ? { reads: liveReferences(record) } : {};
      const ofCode = document.madeBy === undefined ? {} : { existing };
      const resource = { ref, id, record, lifecycle: withMarksByKey(member), locate, ...reads, ...ofCode };
      return stack === undefined ? resource : { ...resource, stack };
    }),
  );
  const markedOutputs = [...outputs.values()].map((output) => ({
    ...output,
    sensitive:
      output.sensitive || liveReferences(output.value).some((each) => isSensitiveValue(each, declared.get(each.id))),
  }));
  return { resources, outputs: markedOutputs, problems: sortProblems(distinctProblems(problems)) };
}

function addOutput(document: ManifestDocument, outputs: Map<string, Output>, problems: LocatedProblem[]): void {
  const { output, problems: found } = readOutput(document);
  problems.push(...found);
  if (output === undefined) return;
  const { name, stack, locate } = output;
  const key = JSON.stringify([stack, name]);
  const first = outputs.get(key);
  if (first === undefined) {
    outputs.set(key, output);
    return;
  }
  const { file, line } = first.locate(['name'], 'value');
  const message = `the output ${name} is declared twice; first at ${file}:${line}`;
  const hint = 'Remove or rename one of the two.';
  problems.push({
    ...fileProblem(locate(['name'], 'value'), 'output.duplicate', message, hint),
    ...codeOf(document.madeBy),
  });
}

/** Whether the resource contains live values that were unknown when it was checked. */
export function isFilled({ reads = [] }: DesiredResource): boolean {
  return reads.some(({ value }) => value !== undefined);
}

/** The problems caused by values from live records; unknown values can be anything. */
export function filledProblems(
  resources: readonly DesiredResource[],
  { org, validators }: Pick<CheckOptions, 'org' | 'validators'>,
): readonly LocatedProblem[] {
  const problems = resources.filter(isFilled).flatMap((resource) => {
    const { ref, id, record, lifecycle, locate, reads = [] } = resource;
    const isOpen = (text: string) => reads.some((read) => read.text === text && read.value === undefined);
    const unknownPlaces = livePlaces(record, ({ text }) => isOpen(text)).map((pointer) => ({ pointer }));
    const found = problemsAlone(resource, validators, contextOf(ref, org), unknownPlaces);
    return withValueProblems(
      lifecycle.part === true ? problemsOfPart(found) : found,
      resource,
      undefined,
      unknownPlaces,
    )
      .filter(({ severity }) => severity === 'error')
      .map((problem) => ({
        ...withoutMarked(problem, resource, []),
        position: placeOf(problem, locate),
        resource: id,
      }));
  });
  return sortProblems(distinctProblems(problems));
}

/** The problems of its shape, and of rules about one record. */
function problemsAlone(
  member: Pick<DesiredResource, 'ref' | 'record' | 'lifecycle'> & Partial<Pick<Declared, 'document'>>,
  validators: Validators,
  context: RecordContext,
  unknownPlaces: readonly Unknown[],
): readonly Problem[] {
  const { ref, record, lifecycle, document } = member;
  const shape = validateShape(validators, ref.kind, record, valueSource(member, document?.written));
  return [
    ...withoutUntyped(shape, record, ref.kind, lifecycle.untyped),
    ...checkPartialRecord(ref.kind, record, unknownPlaces, context, 'offline'),
  ];
}

/** The kinds in the documents, to load their validators. */
export function kindsOf(documents: readonly ManifestDocument[]): ReadonlySet<DeclarableKind> {
  const kinds = new Set<DeclarableKind>();
  for (const { value } of flatten(documents)) {
    const kind = fieldIn(value, 'kind');
    if (typeof kind === 'string' && isDeclarable(kind)) kinds.add(kind);
  }
  return kinds;
}

/** Problems of a field name are shown at the name, others at the value. */
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

/** Removes problems at paths of `lifecycle.untyped`, for which the author is responsible. */
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

/**
 * Removes duplicates. Two checks may find the same mistake: a bound in the schema, and a rule with its own id. The rule
 * has the better message; but if the type is wrong, the findings of rules are noise.
 */
export function distinctProblems(problems: readonly LocatedProblem[]): readonly LocatedProblem[] {
  const byPlace = new Map<string, LocatedProblem[]>();
  for (const problem of problems) {
    const place = JSON.stringify([problem.resource ?? problem.position, problem.path]);
    const there = byPlace.get(place);
    if (there === undefined) byPlace.set(place, [problem]);
    else if (!there.some((other) => other.rule === problem.rule && other.message === problem.message))
      there.push(problem);
  }
  return [...byPlace.values()].flatMap(meaningful).filter(isNoConsequence(problems));
}

/**
 * Rules read a value of the wrong type as absent, so missing values that they report below it follow from that mistake.
 */
function isNoConsequence(problems: readonly LocatedProblem[]): (problem: LocatedProblem) => boolean {
  const mistyped = problems.filter(({ rule }) => rule === 'shape.type');
  const places = new Set(mistyped.map(({ resource, pointer }) => JSON.stringify([resource, pointer])));
  if (places.size === 0) return () => true;
  return ({ rule, resource, pointer }) =>
    rule.startsWith('shape.') ||
    rule.startsWith('manifest.') ||
    !pointer.some((_, index) => places.has(JSON.stringify([resource, pointer.slice(0, index)])));
}

const wrongForm: ReadonlySet<string> = new Set(['shape.type', 'shape.required', 'shape.unknown-field']);

function meaningful(problems: readonly LocatedProblem[]): readonly LocatedProblem[] {
  if (problems.length === 1) return problems;
  const ours = problems.filter((problem) => problem.rule.startsWith('manifest.'));
  const first = ours.find((problem) => problem.severity === 'error');
  const form = first ?? problems.find((problem) => wrongForm.has(problem.rule));
  if (form !== undefined) return [form];
  const rules = problems.filter((problem) => !problem.rule.startsWith('shape.'));
  return rules.some((problem) => problem.severity === 'error') ? rules : problems;
}

/**
 * The problems of `lifecycle.previously`, by resource: the old name is its own, is also declared, or is claimed twice.
 * An old name that does not exist is fine: the renaming is done.
 */
function previousNameProblems(members: readonly ReadManifest[]): ReadonlyMap<ResourceId, readonly Problem[]> {
  const renamed = members.filter(({ lifecycle }) => lifecycle.previously !== undefined);
  if (renamed.length === 0) return new Map();

  const declared = new Set(members.map(({ id }) => id));
  const claimed = new Map<ResourceId, ResourceId>();
  return new Map(
    renamed.map(({ id, ref, lifecycle }) => {
      const old = formatRef({ ...ref, name: lifecycle.previously ?? ref.name });
      const other = claimed.get(old);
      claimed.set(old, other ?? id);
      if (old === id) return [id, [problem('the old name and the new name are the same')]];
      if (declared.has(old)) return [id, [problem(`${old} is also declared, so it is not renamed`)]];
      return [id, other === undefined ? [] : [problem(`${other} also has ${old} as its previous name`)]];
    }),
  );
}

function problem(message: string): Problem {
  return {
    rule: 'manifest.previously',
    path: 'lifecycle.previously',
    pointer: ['lifecycle', 'previously'],
    message,
    hint: 'Declare only the new name, with the old one in lifecycle.previously; or remove lifecycle.previously.',
    severity: 'error',
  };
}

interface Member {
  readonly id: ResourceId;
  readonly ref: Ref;
  readonly record: JsonObject;
}

/** The declared set, for rules over several resources. Undeclared resources may be live: `unknown`. */
export function relatedSet(members: readonly Member[]): Related {
  const byId = new Map(members.map(({ id, record }) => [id, record]));
  const byKind = Map.groupBy(members, ({ ref }) => ref.kind);
  const byGvc = Map.groupBy(members, ({ ref }) => `${ref.kind}/${ref.gvc}`);
  return {
    get: (ref: Ref) => byId.get(formatRef(ref)) ?? 'unknown',
    list: (kind: Kind, gvc?: string) => (gvc === undefined ? byKind.get(kind) : byGvc.get(`${kind}/${gvc}`)) ?? [],
  };
}

/** Tags are mostly versions and codes, so a number that changes its text (`1.10`, `0755`) is reported. */
export function tagProblems(kind: Kind, record: JsonObject, written: Written | undefined): readonly Problem[] {
  const tags = own(record, 'tags');
  if (written === undefined || !isObject(tags)) return [];
  return Object.entries(tags).flatMap(([key, value]): readonly Problem[] => {
    if (typeof value !== 'number') return [];
    const text = written(['tags', key]);
    if (text === undefined || text === String(value)) return [];
    return [
      {
        rule: 'manifest.tag-number',
        path: formatPath(shapeOf(kind, record), record, ['tags', key]),
        pointer: ['tags', key],
        message: `${text} is a number here, so the tag becomes ${value}`,
        hint: `Put it in quotes: "${text}"; or write ${value}.`,
        severity: 'warning',
      },
    ];
  });
}

/** By kind, GVC and name: the order of all lists of resources, regardless of input order. */
function compareRefs(a: Ref, b: Ref): number {
  return compareText(a.kind, b.kind) || compareText(a.gvc ?? '', b.gvc ?? '') || compareText(a.name, b.name);
}

export function inCanonicalOrder<Item extends { readonly ref: Ref }>(items: readonly Item[]): readonly Item[] {
  return items.toSorted((a, b) => compareRefs(a.ref, b.ref));
}

/** Determines how messages may quote values of a manifest: as written, but never secrets. */
export function valueSource(declared: Marked, written: Written = () => undefined): ValueSource {
  const hidden = hiddenPlaces(declared);
  return { written, isHidden: (pointer) => hidden.some((place) => isWithin(pointer, place)) };
}
