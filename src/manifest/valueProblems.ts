import { isArray, isObject, type JsonObject, type JsonValue, own } from '../base/json/json.ts';
import { isMasked } from '../base/json/mask.ts';
import { isWithin, type Pointer } from '../base/json/pointer.ts';
import { compact } from '../base/json/present.ts';
import { valueThere } from '../base/json/valuesAt.ts';
import { hiddenField } from '../kinds/kindFacts.ts';
import { shapeOf } from '../kinds/shapeOf.ts';
import type { Kind } from '../schema/record/kinds.ts';
import type { Problem } from '../schema/record/problem.ts';
import type { ResourceId } from '../schema/record/ref.ts';
import { formatPath, shapeAt } from '../schema/shape/paths.ts';
import {
  fieldOf,
  type LiveReference,
  liveFaults,
  livePlaces,
  liveReferences,
  shownOnce,
} from './live/liveReference.ts';
import type { ManifestDocument, OutsideValues } from './model/manifest.ts';
import { type Declared, hiddenPlaces, isHidden } from './model/marks.ts';
import { namesSource } from './outsidePlaces.ts';

const nothing: OutsideValues = { read: [], awaited: [] };

/**
 * The problems of a record, considering the origin of its values: none about unknown values, and a specific one for a
 * source or a mask in place of a value. `open`: places with live values.
 */
export function withValueProblems(
  problems: readonly Problem[],
  declared: Declared,
  outside: OutsideValues = nothing,
  open: readonly { readonly pointer: Pointer }[],
): readonly Problem[] {
  const { ref, record } = declared;
  const problemAt = makeProblem(ref.kind, record);
  const masks = maskedPlaces(declared).map((at) => problemAt(at, maskedValue));
  const misplaced = misplacedSources(problems, record).map((at) => problemAt(at, wrongPlace(ref.kind, record, at)));
  const reported = [
    ...outside.awaited,
    ...open.map(({ pointer }) => pointer),
    ...[...masks, ...misplaced].map(({ pointer }) => pointer),
  ];
  return [
    ...problems.filter(({ pointer }) => !reported.some((place) => isWithin(pointer, place))),
    ...masks,
    ...misplaced,
    ...uninterpolated(declared, [...outside.read, ...open.map(({ pointer }) => pointer)]).map((at) =>
      problemAt(at, literalText),
    ),
  ];
}

type Found = Pick<Problem, 'rule' | 'message' | 'hint' | 'severity'>;

const maskedValue: Found = {
  rule: 'value.masked',
  message: 'this is the mask that gantry synth prints in place of a sensitive value',
  hint: 'Write the value; gantry synth --reveal prints it.',
  severity: 'error',
};

const literalText: Found = {
  rule: 'value.literal',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is what it is about
  message: 'the value contains ${...}, which is written literally: manifests are not templates',
  hint: 'Write {fromEnv: NAME} for an environment variable; ignore this if you mean the literal text.',
  severity: 'warning',
};

function makeProblem(kind: Kind, record: JsonObject): (pointer: Pointer, found: Found) => Problem {
  const shape = shapeOf(kind, record);
  return (pointer, found) => ({ ...found, pointer, path: formatPath(shape, record, pointer) });
}

/** Places with a mask instead of a sensitive value. */
function maskedPlaces(declared: Declared): readonly Pointer[] {
  return hiddenPlaces(declared).filter((place) => isMasked(valueThere(declared.record, place)));
}

/** Sources where the schema expects another value. */
function misplacedSources(problems: readonly Problem[], record: JsonObject): readonly Pointer[] {
  const places = problems.flatMap(({ rule, pointer }) => {
    if (!rule.startsWith('shape.')) return [];
    const at = rule === 'shape.type' ? pointer : pointer.slice(0, -1);
    return at.length > 0 && namesSource(valueThere(record, at)) ? [at] : [];
  });
  return [...new Map(places.map((at) => [JSON.stringify(at), at])).values()];
}

function wrongPlace(kind: Kind, record: JsonObject, at: Pointer): Found {
  const shape = shapeOf(kind, record);
  const inside = shapeAt(shape, at);
  const common = { rule: 'value.place', severity: 'error' } as const;
  if (inside?.type === 'scalar') {
    return {
      ...common,
      message: 'a value from outside is allowed only in the data of a secret and at paths of lifecycle.sensitive',
      hint: `Add lifecycle: {sensitive: [${formatPath(shape, record, at)}]}, or write the value.`,
    };
  }
  return {
    ...common,
    message:
      'a value from outside is a single text, but ' +
      `${inside?.type === 'list' ? 'a list' : 'an object'} is needed here`,
    hint: 'Use values from outside for the single texts inside.',
  };
}

/** Texts of a secret that look like a template, except those read from outside. */
function uninterpolated({ ref, record }: Declared, read: readonly Pointer[]): readonly Pointer[] {
  const hidden = hiddenField(ref.kind);
  if (hidden === undefined) return [];
  const found: Pointer[] = [];
  collectLiterals(own(record, hidden) ?? null, [hidden], found);
  const elsewhere = new Set(read.map((pointer) => JSON.stringify(pointer)));
  return found.filter((pointer) => !elsewhere.has(JSON.stringify(pointer)));
}

function collectLiterals(value: JsonValue, at: Pointer, found: Pointer[]): void {
  if (typeof value === 'string') {
    if (/\$\{[^}]*\}/.test(value)) found.push(at);
  } else if (isArray(value)) {
    for (const [index, item] of value.entries()) collectLiterals(item, [...at, index], found);
  } else if (isObject(value)) {
    for (const [name, member] of Object.entries(value)) collectLiterals(member, [...at, name], found);
  }
}

interface Member extends Declared {
  readonly id: ResourceId;
  readonly document: Pick<ManifestDocument, 'madeBy'>;
}

/** The problems of a record's references to live values. `all`: the declared records. */
export function liveProblems(member: Member, all: ReadonlyMap<ResourceId, Member>): readonly Problem[] {
  const { id, ref, record } = member;
  const faults = liveFaults(record).map(({ at, message, hint }) => ({
    rule: 'live.reference',
    pointer: at,
    message,
    hint,
  }));
  const refused = liveReferences(record).flatMap((reference) => {
    const of = all.get(reference.id);
    const fault = refusal(id, reference, of);
    if (fault === undefined) return [];
    return compact(
      livePlaces(record, ({ text }) => text === reference.text),
      (pointer) => {
        // The value of a secret may be one that is shown once.
        const isKept = fault.rule === 'live.once' && pointer[0] === hiddenField(ref.kind);
        const found = isKept ? elsewhere(reference, member.document.madeBy?.stack, of) : fault;
        return found === undefined ? undefined : { ...found, pointer };
      },
    );
  });
  const shape = shapeOf(ref.kind, record);
  return [...faults, ...refused].map((each) => ({
    ...each,
    path: formatPath(shape, record, each.pointer),
    severity: 'error',
  }));
}

/** Undefined if a record may use this value. */
function refusal(id: ResourceId, reference: LiveReference, of: Member | undefined) {
  const { text, path } = reference;
  if (reference.id === id) {
    return {
      rule: 'live.self',
      message: `${text} is a value of this record itself`,
      hint: 'Write the value, or leave it out.',
    };
  }
  const field = fieldOf(reference);
  if ('hint' in field) return undefined;
  if (field.isShownOnce) return shownOnce(reference);
  if (!isSensitiveValue(reference, of)) return undefined;
  const hint = 'Refer to a secret by scheme://secret/NAME.KEY, so that its value is in one place only.';
  return {
    rule: 'live.sensitive',
    message: `${path} of ${reference.id} is sensitive and is not copied into another record`,
    hint,
  };
}

/** A created value belongs to the stack with the record. Undefined if that is this stack. */
export function elsewhere({ id, path }: LiveReference, stack: string | undefined, of: Member | undefined) {
  if (of !== undefined && of.document.madeBy?.stack === stack) return undefined;
  return {
    rule: 'live.elsewhere',
    message: `${path} is made when ${id} is applied, and this stack does not declare that`,
    hint: `Declare ${id} in the same stack.`,
  };
}

/** `of`: the declaration of the resource, which may mark the value; undefined if not declared here. */
export function isSensitiveValue(reference: LiveReference, of: Declared | undefined): boolean {
  const field = fieldOf(reference);
  return ('shouldMask' in field && field.shouldMask) || (of !== undefined && isHidden(of, reference.path));
}
