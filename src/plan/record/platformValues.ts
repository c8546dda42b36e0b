import { isArray, isObject, type JsonObject, type JsonValue, sameJson } from '../../base/json/json.ts';
import { isMaskText } from '../../base/json/mask.ts';
import { valueThere, withValues } from '../../base/json/valuesAt.ts';
import { placeOf, storedValues } from '../../capabilities/capabilities.ts';
import { isEmpty } from '../../kinds/equal.ts';
import { isUnrevealed } from '../../kinds/kindFacts.ts';
import { canonicalText } from '../../kinds/normalise.ts';
import { shapeOf } from '../../kinds/shapeOf.ts';
import type { LiveResource, Snapshot } from '../../manifest/live/snapshot.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import { reconcile } from '../../patch/reconcile.ts';
import type { StoredForms } from '../../patch/recorder.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import { contextOf, type RecordContext, type ResourceId } from '../../schema/record/ref.ts';
import { holdsSensitive } from '../../schema/shape/anywhere.ts';
import { formatPath, matchPath, pointerTo, quoted } from '../../schema/shape/paths.ts';
import type { ObjectShape, Shape } from '../../schema/shape/shape.ts';
import { contentHash } from './content.ts';
import { insideItems, namesRegistry, withDigest, withRegistry } from './declaredPaths.ts';
import { type AppliedRecord, declaredThen, type Hash, itemHash } from './ownership.ts';
import { shapeFacts, withoutFields } from './shapeFacts.ts';

/** A default of the platform, as the response to our own write showed it. */
export interface PlatformDefault {
  readonly kind: Kind;
  /** Dotted, `*` for the items of lists. */
  readonly path: string;
  readonly value: JsonValue;
}

/** The platform stores everything as written. */
const asWritten: StoredForms = { isFilled: () => false, isForm: () => false };

/**
 * Records that show a write of this stack. `answer`: the response to the request itself; `read`: a later read, so that
 * another client may have written meanwhile, and no default is learnt from it.
 */
export type Answers = ReadonlyMap<ResourceId, 'answer' | 'read'>;

interface Sources {
  readonly snapshot: Snapshot;
  readonly desired: ReadonlyMap<ResourceId, DesiredResource>;
  /** The facts of our last write of a record; undefined if it is not ours, or unknown. */
  readonly appliedOf: (live: LiveResource) => AppliedRecord | undefined;
  readonly answers: Answers;
  readonly hash: Hash;
}

/**
 * The ways in which the platform alters our writes: defaults, digests of images, dropped empty values.
 *
 * A record that no client has written since our last write shows what the platform stored: an undeclared difference
 * comes from the platform. Other records prove nothing: in them, only values that all records of the first sort show
 * alike count as defaults.
 */
export class PlatformValues {
  readonly #sources: Sources;
  /** The altered values of each record of this plan, by path. */
  readonly #found = new Map<ResourceId, Set<string>>();
  readonly #defaults = new Map<string, PlatformDefault | 'differs'>();
  /** Records without other writes since our last write. */
  #untouched: readonly LiveResource[] | undefined;

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  /** How the platform stored this record; `applied`: the record of its last write. */
  formsOf(resource: DesiredResource, live: LiveResource, applied: AppliedRecord | undefined): StoredForms {
    const { capabilities } = this.#sources.snapshot;
    if (storedValues.every((id) => capabilities?.of(id) === 'holds')) return asWritten;
    const hasOtherDefaults = capabilities?.isOtherwise('value.defaults') === true;
    const untouched = applied?.declared !== undefined && this.#isUntouched(resource, live, applied);
    const found = (path: string): true => {
      this.#found.set(live.id, (this.#found.get(live.id) ?? new Set()).add(path));
      return true;
    };
    if (!untouched) {
      const declaredBefore = this.#isTold && live.version === applied?.version ? applied.declared : undefined;
      // An empty description equals none, whoever wrote it. For other texts that is unknown. But if a record is still
      // at the version of our creation, unmarked because the run was killed, the platform set its empty values.
      const isNothing = (path: string, value: JsonValue): boolean =>
        (path === 'description' && value === '') ||
        (declaredBefore !== undefined && (value === '' || isEmpty(value)) && !wasDeclared(declaredBefore, path));
      return {
        isFilled: (path, shape, value) =>
          !holdsSensitive(shape) &&
          (isNothing(path, value) || this.#isKnown(live.ref.kind, patternOf(path, live), value)) &&
          found(path),
        isForm: () => false,
        hasOtherDefaults,
      };
    }
    const declared = applied.declared ?? new Set();
    const context = contextOf(live.ref, this.#sources.snapshot.org);
    return {
      isFilled: (path, shape, value) => {
        if (holdsSensitive(shape) || wasDeclared(declared, path)) return false;
        if (resource.lifecycle.sensitive === undefined && this.#sources.answers.get(live.id) !== 'read')
          this.#learn(live.ref.kind, patternOf(path, live), value);
        return found(path);
      },
      isForm: (path, shape, value, wanted) => {
        if (holdsSensitive(shape) || !declaredThen(declared, path)) return false;
        const wasDeclaredWith = (mark: string): boolean => declaredThen(declared, `${path}${mark}`);
        return isFormOf(shape, value, wanted, { context, wasDeclaredWith }) && found(path);
      },
      hasOtherDefaults,
    };
  }

  /** The paths that the platform stored in its own form, of those that were compared. */
  pathsOf(id: ResourceId): ReadonlySet<string> {
    return this.#found.get(id) ?? new Set();
  }

  /**
   * The content of the record, for the mark of the next write; undefined while the platform stores values as written.
   */
  contentAfter(
    resource: DesiredResource,
    live: LiveResource,
    applied: AppliedRecord | undefined,
    after: JsonObject,
  ): string | undefined {
    const { snapshot, hash } = this.#sources;
    const isAsWritten = applied?.content === undefined && !this.#found.has(live.id);
    return isAsWritten ? undefined : contentHash(resource, after, snapshot.org, hash);
  }

  /** A learnt default; `differs`: it is not one, because records have different values. */
  learnt(): readonly (readonly [key: string, PlatformDefault | 'differs'])[] {
    return [...this.#defaults];
  }

  /**
   * Whether it is as our last write left it. A user can delete a record and create it again with our tags, even with an
   * equal version, but not with the same id. So a record is known to be ours only from its first PATCH on, which
   * records the id; the response to a creation is marked immediately where that matters. The mark also has a hash of
   * the content, which proves the same where versions do not.
   */
  #isUntouched(resource: DesiredResource, live: LiveResource, applied: AppliedRecord): boolean {
    const { answers, snapshot, hash } = this.#sources;
    const { id, uid, version, record } = live;
    const { content } = applied;
    if (content !== undefined && content === contentHash(resource, record, snapshot.org, hash)) return true;
    const answer = answers.get(id);
    if (answer === 'answer' || (answer === 'read' && !this.#isTold)) return true;
    if (!this.#isTold || version !== applied.version) return false;
    return answer === 'read' || applied.writtenTo === itemHash(uid, hash);
  }

  /** Whether an unchanged version proves that no client has written. */
  get #isTold(): boolean {
    return this.#sources.snapshot.capabilities?.anyOtherwise('version.') !== true;
  }

  #learn(kind: Kind, path: string, value: JsonValue): void {
    const key = `${kind} ${path}`;
    const before = this.#defaults.get(key);
    const isSame = before === undefined || (before !== 'differs' && sameJson(before.value, value));
    this.#defaults.set(key, isSame ? { kind, path, value } : 'differs');
  }

  /** Whether all records without other writes show this default. They are examined only once. */
  #isKnown(kind: Kind, path: string, value: JsonValue): boolean {
    this.learnFromAll();
    const shown = this.#defaults.get(`${kind} ${path}`);
    if (shown !== undefined) return shown !== 'differs' && sameJson(shown.value, value);
    // A default learnt earlier is out of date if a current record lacks it.
    const lacks = ({ ref, record }: LiveResource): boolean =>
      ref.kind === kind && matchPath(path, shapeOf(kind, record), record).length === 0;
    return sameJson(this.#sources.snapshot.capabilities?.defaultOf(kind, path), value) && !this.#untouched?.some(lacks);
  }

  /** Learns from all records without other writes since our last write; only the first call does. */
  learnFromAll(): void {
    const { snapshot, desired, appliedOf } = this.#sources;
    this.#untouched ??= [...desired.values()].flatMap((resource) => {
      const live = snapshot.resources.get(resource.id);
      const applied = live === undefined ? undefined : appliedOf(live);
      if (live === undefined || applied?.declared === undefined || !this.#isUntouched(resource, live, applied))
        return [];
      reconcile(shapeOf(live.ref.kind, live.record), live.record, resource.record, {
        context: contextOf(live.ref, snapshot.org),
        ignore: resource.lifecycle.ignore ?? [],
        stored: this.formsOf(resource, live, applied),
      });
      return [live];
    });
  }
}

/** Also true if unknown: inside items without a key. */
function wasDeclared(declared: ReadonlySet<string>, path: string): boolean {
  if (declaredThen(declared, path)) return true;
  for (let end = path.indexOf('.'); end >= 0; end = path.indexOf('.', end + 1)) {
    if (declaredThen(declared, `${path.slice(0, end)}${insideItems}`)) return true;
  }
  return false;
}

/** The path with `*` for the items of lists. */
export function patternOf(path: string, { ref, record }: Pick<LiveResource, 'ref' | 'record'>): string {
  const pointer = pointerTo(path, shapeOf(ref.kind, record), record) ?? [path];
  return pointer.map((step) => (typeof step === 'number' ? '*' : quoted(step))).join('.');
}

interface FormContext {
  readonly context: RecordContext;
  /** Whether the write declared a digest, or a registry, of this image. */
  readonly wasDeclaredWith: (mark: string) => boolean;
}

/**
 * Whether the live value is the platform's form of the declared one. `live` is undefined if the platform stored
 * nothing.
 */
export function isFormOf(shape: Shape, live: JsonValue | undefined, declared: JsonValue, around: FormContext): boolean {
  return live === undefined ? isDropped(shape, declared) : isImageOf(shape, live, declared, around);
}

/** Whether it is an empty value that the platform does not store because its absence means the same. */
function isDropped({ facts }: Shape, declared: JsonValue): boolean {
  if (facts.fill === 'service' || facts.fill === 'derived' || facts.presence === true) return false;
  if (facts.default !== undefined) return sameJson(facts.default, declared);
  return declared === false || declared === '' || ((isArray(declared) || isObject(declared)) && isEmpty(declared));
}

/** `nginx:1.27@sha256:…` or `docker.io/library/nginx:1.27` for `nginx:1.27`. */
function isImageOf(
  shape: Shape,
  live: JsonValue,
  declared: JsonValue,
  { context, wasDeclaredWith }: FormContext,
): boolean {
  if (shape.facts.canonical !== 'image' || typeof live !== 'string' || typeof declared !== 'string') return false;
  const [image = '', digest] = canonicalText(live, shape.facts, context).split('@');
  const [wanted = '', pinned] = canonicalText(declared, shape.facts, context).split('@');
  if (digest !== pinned && (pinned !== undefined || wasDeclaredWith(withDigest))) return false;
  if (image === wanted) return true;
  const isShort = !namesRegistry(wanted) && !wasDeclaredWith(withRegistry);
  return isShort && namesRegistry(image) && image.endsWith(`/${wanted}`);
}

/** Saves the learnt defaults in the capabilities, and returns a note for each new one. */
export function learnDefaults({
  platformValues,
  snapshot: { capabilities },
}: {
  readonly platformValues: PlatformValues;
  readonly snapshot: Snapshot;
}): readonly string[] {
  return platformValues.learnt().flatMap(([key, found]) => {
    const [kind, path] = placeOf(key);
    if (found === 'differs') {
      capabilities?.unlearnDefault(kind, path);
      return [];
    }
    const { value } = found;
    if (sameJson(capabilities?.defaultOf(kind, path), value)) return [];
    capabilities?.learnDefault(kind, path, value);
    if (capabilities?.disproved().has(key) === true) return [];
    return [
      `the platform fills in ${JSON.stringify(value)} where a ${kind} leaves out ${path}: that is its default, and no difference`,
    ];
  });
}

/**
 * The sensitive fields with unknown live values: the platform did not reveal them, or a saved plan does not contain
 * them. The record shows a mask instead, or nothing. They are never compared, written back or dropped.
 */
export function unknownFields(
  { id, ref, record }: LiveResource,
  shape: ObjectShape,
  { unrevealed }: Pick<Snapshot, 'unrevealed'>,
): readonly string[] {
  return unrevealed.has(id) || isUnrevealed(ref.kind, record) ? shapeFacts(shape).sensitive : [];
}

/** The record without these fields; the same object if it has none. */
export function withoutUnknown(record: JsonObject, names: readonly string[]): JsonObject {
  const there = names.filter((name) => Object.hasOwn(record, name));
  return there.length === 0
    ? record
    : withoutFields(
        record,
        there.map((name) => [name]),
      );
}

/** A record with the declared values instead of the platform's masks of marked ones. */
interface Unmasked {
  readonly record: JsonObject;
  /** The paths of these values, which are unknown. */
  readonly masked: readonly string[];
}

/**
 * Some platforms mask any value that they take for a secret. If the author marked that value (`lifecycle.sensitive`),
 * the mask is not a different value: it is neither a change nor written back.
 */
export function withoutMasks(
  sensitive: readonly string[],
  record: JsonObject,
  shape: ObjectShape,
  live: JsonObject,
): Unmasked {
  const pointers = (of: JsonObject) => sensitive.flatMap((path) => matchPath(path, shape, of));
  const declared = new Map(pointers(record).map((at) => [formatPath(shape, record, at), valueThere(record, at)]));
  const places = pointers(live).flatMap((at) => {
    const path = formatPath(shape, live, at);
    const value = declared.get(path);
    const shown = valueThere(live, at);
    return value !== undefined && value !== shown && isMaskText(shown) ? [{ at, path, value }] : [];
  });
  return { record: withValues(live, places), masked: places.map(({ path }) => path) };
}
