import { storedValues } from '../../capabilities/assumptions.ts';
import type { LiveResource, Snapshot } from '../../manifest/live/snapshot.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import type { StoredForms } from '../../patch/model/storedForms.ts';
import { reconcile } from '../../patch/reconcile/reconcile.ts';
import { isArray, isObject, type JsonValue, sameJson } from '../../schema/json/json.ts';
import { canonicalText } from '../../schema/normalForm/canonical.ts';
import { isEmpty } from '../../schema/normalForm/equal.ts';
import { contextOf, type RecordContext } from '../../schema/record/context.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import { holdsSensitive } from '../../schema/shape/anywhere.ts';
import { pointerTo, quoted } from '../../schema/shape/paths.ts';
import type { Shape } from '../../schema/shape/shape.ts';
import { shapeOf } from '../../schema/shape/shapeOf.ts';
import { insideItems, namesRegistry, withDigest, withRegistry } from './declaredPaths.ts';
import { type AppliedRecord, declaredThen } from './ownership.ts';

/** A default of the platform's own, as an answer to our own write showed it. */
export interface PlatformDefault {
  readonly kind: Kind;
  /** Dotted, `*` for the items of lists. */
  readonly path: string;
  readonly value: JsonValue;
}

/** Nothing is in the platform's own way. */
const asWritten: StoredForms = { isFilled: () => false, isForm: () => false };

interface Sources {
  readonly snapshot: Snapshot;
  readonly desired: ReadonlyMap<ResourceId, DesiredResource>;
  /** What our last write of a record recorded; undefined: it is not ours, or nothing is known. */
  readonly appliedOf: (live: LiveResource) => AppliedRecord | undefined;
  /** Records that are the answer to a write of this stack. */
  readonly answers: ReadonlySet<ResourceId>;
}

/**
 * What the platform does with our writes in its own way: defaults, digests of images, empty values that it drops.
 *
 * A record that nobody has written since our last write is what the platform stored of it. What differs there, and was
 * not declared then, is the platform's doing. A record that somebody has written since teaches nothing: there only
 * values count that others have shown to be defaults.
 */
export class PlatformValues {
  readonly #sources: Sources;
  /** What each record of this plan has in the platform's own way, by path. */
  readonly #found = new Map<ResourceId, Set<string>>();
  readonly #defaults = new Map<string, PlatformDefault | 'differs'>();
  #raises: boolean | undefined;
  #hasAsked = false;

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  /** How the platform stored this record; `applied`: what the last write of it recorded. */
  formsOf(resource: DesiredResource, live: LiveResource, applied: AppliedRecord | undefined): StoredForms {
    // A record that a person has created again with our tags looks like the answer to our own write.
    const { capabilities } = this.#sources.snapshot;
    if (storedValues.every((id) => capabilities?.of(id) === 'holds')) return asWritten;
    const hasOtherDefaults = capabilities?.isOtherwise('value.defaults') === true;
    const untouched = applied?.declared !== undefined && this.#isUntouched(live, applied);
    const found = (path: string): true => {
      this.#found.set(live.id, (this.#found.get(live.id) ?? new Set()).add(path));
      return true;
    };
    if (!untouched) {
      return {
        isFilled: (path, shape, value) =>
          !holdsSensitive(shape) && this.#isKnown(live.ref.kind, patternOf(path, live), value) && found(path),
        isForm: () => false,
        hasOtherDefaults,
      };
    }
    const declared = applied.declared ?? new Set();
    const context = contextOf(live.ref, this.#sources.snapshot.org);
    return {
      isFilled: (path, shape, value) => {
        if (holdsSensitive(shape) || wasDeclared(declared, path)) return false;
        if (resource.lifecycle.sensitive === undefined) this.#learn(live.ref.kind, patternOf(path, live), value);
        return found(path);
      },
      isForm: (path, shape, value, wanted) => {
        if (holdsSensitive(shape) || !declaredThen(declared, path)) return false;
        const isSame =
          value === undefined
            ? isDropped(shape, wanted)
            : isImageOf(shape, value, wanted, context, (mark) => declaredThen(declared, `${path}${mark}`));
        return isSame && found(path);
      },
      hasOtherDefaults,
    };
  }

  /** The paths of a record that are in the platform's own way, of those that were compared. */
  pathsOf(id: ResourceId): ReadonlySet<string> {
    return this.#found.get(id) ?? new Set();
  }

  /** What was found to be a default, and was not known before. */
  learnt(): readonly PlatformDefault[] {
    const { capabilities } = this.#sources.snapshot;
    return [...this.#defaults.values()]
      .filter((each) => each !== 'differs')
      .filter(({ kind, path, value }) => !sameJson(capabilities?.defaultOf(kind, path), value));
  }

  #isUntouched(live: LiveResource, { version }: AppliedRecord): boolean {
    if (this.#sources.answers.has(live.id)) return true;
    return live.version === version && this.#raisesVersions(live);
  }

  /**
   * Does a write of somebody else raise the version? Without a sign of that nothing is concluded from an equal one: the
   * endpoint compares versions, one of our records has risen, or this one says that nobody has written it.
   */
  #raisesVersions({ version, record }: LiveResource): boolean {
    const { snapshot, appliedOf } = this.#sources;
    if (snapshot.capabilities?.anyOtherwise('version.') === true) return false;
    if (version > 1 || snapshot.preconditions === undefined) return true;
    const { created, lastModified } = record;
    if (typeof created === 'string' && created === lastModified) return true;
    this.#raises ??= [...snapshot.resources.values()].some(
      (each) => each.version > 1 && appliedOf(each)?.version === each.version,
    );
    return this.#raises;
  }

  #learn(kind: Kind, path: string, value: JsonValue): void {
    const key = `${kind} ${path}`;
    const before = this.#defaults.get(key);
    const isSame = before === undefined || (before !== 'differs' && sameJson(before.value, value));
    this.#defaults.set(key, isSame ? { kind, path, value } : 'differs');
  }

  /** Has a record that nobody else has written shown this default? All of them are asked, the first time only. */
  #isKnown(kind: Kind, path: string, value: JsonValue): boolean {
    const { snapshot, desired, appliedOf } = this.#sources;
    if (sameJson(snapshot.capabilities?.defaultOf(kind, path), value)) return true;
    if (!this.#hasAsked) {
      this.#hasAsked = true;
      for (const resource of desired.values()) {
        const live = snapshot.resources.get(resource.id);
        const applied = live === undefined ? undefined : appliedOf(live);
        if (live === undefined || applied?.declared === undefined || !this.#isUntouched(live, applied)) continue;
        reconcile(shapeOf(live.ref.kind, live.record), live.record, resource.record, {
          context: contextOf(live.ref, snapshot.org),
          ignore: resource.lifecycle.ignore ?? [],
          stored: this.formsOf(resource, live, applied),
        });
      }
    }
    const known = this.#defaults.get(`${kind} ${path}`);
    return known !== undefined && known !== 'differs' && sameJson(known.value, value);
  }
}

/** Also where it cannot be told: inside of items that have no key. */
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

/** An empty value that the platform does not store, where its absence means it. */
function isDropped({ facts }: Shape, declared: JsonValue): boolean {
  if (facts.fill === 'service' || facts.fill === 'derived' || facts.presence === true) return false;
  if (facts.default !== undefined) return sameJson(facts.default, declared);
  return declared === false || declared === '' || ((isArray(declared) || isObject(declared)) && isEmpty(declared));
}

/**
 * `nginx:1.27@sha256:…` or `docker.io/library/nginx:1.27` for `nginx:1.27`. `wasDeclaredWith`: did the write declare a
 * digest, or a registry?
 */
function isImageOf(
  shape: Shape,
  live: JsonValue,
  declared: JsonValue,
  context: RecordContext,
  wasDeclaredWith: (mark: string) => boolean,
): boolean {
  if (shape.facts.canonical !== 'image' || typeof live !== 'string' || typeof declared !== 'string') return false;
  const [image = '', digest] = canonicalText(live, shape.facts, context).split('@');
  const [wanted = '', pinned] = canonicalText(declared, shape.facts, context).split('@');
  if (digest !== pinned && (pinned !== undefined || wasDeclaredWith(withDigest))) return false;
  if (image === wanted) return true;
  const isShort = !namesRegistry(wanted) && !wasDeclaredWith(withRegistry);
  return isShort && namesRegistry(image) && image.endsWith(`/${wanted}`);
}

/** What is learnt of the platform from now on, and the notes that say so: each default is noted once. */
export function learnDefaults({
  platformValues,
  snapshot: { capabilities },
}: {
  readonly platformValues: PlatformValues;
  readonly snapshot: Snapshot;
}): readonly string[] {
  return platformValues.learnt().map(({ kind, path, value }) => {
    capabilities?.learnDefault(kind, path, value);
    return `the platform fills in ${JSON.stringify(value)} where a ${kind} leaves out ${path}: that is its default, and no difference`;
  });
}
