import type { Construct } from 'constructs';
import type { JsonObject } from '../src/base/json/json.ts';
import { opaqueClass } from '../src/base/json/opaque.ts';
import type { Pointer } from '../src/base/json/pointer.ts';
import { present } from '../src/base/json/present.ts';
import { withArticle } from '../src/base/text/article.ts';
import { ToolError } from '../src/base/toolError.ts';
import { isNamedByHost, runs, storesData } from '../src/kinds/kindFacts.ts';
import { fileProblem, type LocatedProblem } from '../src/manifest/model/locatedProblem.ts';
import type { Lifecycle, PlaceInCode, Position } from '../src/manifest/model/manifest.ts';
import { type CreatableKind, isContainer } from '../src/schema/record/kinds.ts';
import type { ResourceId } from '../src/schema/record/ref.ts';
import { formatPath, shapeAt } from '../src/schema/shape/paths.ts';
import { type Addition, type ListPlace, mistakeIn, withItem } from './additions.ts';
import { collect } from './appCollector.ts';
import { type Linkable, refOfLink } from './linkable.ts';
import { shapeOfManifest } from './marks.ts';
import type { Found } from './members.ts';
import { report } from './mistakes.ts';
import { Origin } from './origin.ts';
import { type Override, overrideSegments } from './overrides.ts';
import { resolve } from './resolve.ts';
import { StackError } from './stackError.ts';
import { type GvcOption, isTarget, Target } from './target.ts';

/** `lifecycle` in code, where dependencies may be constructs. */
export interface LifecycleProps extends Lifecycle<ResourceId | Resource> {}

type TagValue = string | number | boolean | null;

/** The tags that the platform interprets (platform/concepts.tags). An editor suggests them beside free ones. */
interface PlatformTags {
  /** While it is true, the record cannot be deleted. */
  readonly 'scheme/protected'?: TagValue;
  /** Workload: true permits 32 MiB of memory per millicore, instead of 8. */
  readonly 'scheme/relaxMemoryToCpuRatio'?: TagValue;
  /** Workload: true permits a `terminationGracePeriodSeconds` of up to 3600, instead of 900. */
  readonly 'scheme/relaxGracePeriodMax'?: TagValue;
  /** Serverless workload: permits a `timeoutSeconds` of up to 3600, instead of 600. */
  readonly 'scheme/timeoutSecondsOverride'?: TagValue;
  /** GVC: name of the cookie of sticky sessions. Together with `scheme/sessionDuration`. */
  readonly 'scheme/sessionCookie'?: TagValue;
  /** GVC: duration of a sticky session. Together with `scheme/sessionCookie`. */
  readonly 'scheme/sessionDuration'?: TagValue;
  /** Domain: permits 200 routes, instead of 150. */
  readonly 'scheme/routeLimitOverride'?: TagValue;
  /** Domain: its DNS records are not checked. */
  readonly 'scheme/skipDNSCheck'?: TagValue;
}

/** Tags of a resource: those that the platform interprets, and any others. */
export type ResourceTags = PlatformTags & { readonly [key: string]: TagValue };

/** The props of every resource (platform/concepts.record). */
export interface ResourceProps {
  /** Name on the platform. @default the construct id */
  readonly name?: string | undefined;
  /** At most 250 characters. @default the name */
  readonly description?: string | undefined;
  /** Labels for finding and grouping records. A tag with null has no value. */
  readonly tags?: ResourceTags | undefined;
  /** The instructions to Gantry: protect, retain, ignore fields. Not sent to the platform. */
  readonly lifecycle?: LifecycleProps | undefined;
  /** The previous name: the resource is renamed, not deleted and created. Short for `lifecycle.previously`. */
  readonly renamedFrom?: string | undefined;
}

/** A resource of a GVC. Its scope is the GVC, or something inside it. */
export interface GvcScopedProps extends ResourceProps, GvcOption {}

export const resourceBrand: unique symbol = Symbol.for('gantry.resource');

/** `spec`, or the kind's own top-level fields. */
export interface Content {
  readonly [field: string]: unknown;
}

function notProps(type: string): ToolError {
  const hint = type === 'Promise' ? 'Write `await` before the call that returns them.' : 'Give an object.';
  return new ToolError({ code: 'stack.props', message: `${withArticle(type)} is given for the props`, hint });
}

/** A construct that makes one manifest. */
export class Resource<Kind extends string = CreatableKind> extends Target<Kind> {
  readonly [resourceBrand] = true;
  readonly #props: ResourceProps;
  readonly #content: Content;
  readonly #additions: Addition[] = [];
  #existing: readonly ResourceId[] = [];
  /** Includes all additions so far, for checking the next one. */
  #soFar: Content | undefined;
  readonly #overrides: Override[] = [];
  readonly #places: { readonly pointer: Pointer; readonly origin: Override['origin'] }[] = [];

  /** Errors: `stack.scope` for a GVC-scoped resource without a GVC. */
  constructor(scope: Construct, id: string, kind: Kind, props: GvcScopedProps, content: Content) {
    super(scope, id, { kind, name: props.name ?? id, gvc: props.gvc });
    this.#props = props;
    this.#content = content;
    const opaque = opaqueClass(props);
    if (opaque !== undefined) report(notProps(opaque), this);
    collect(this.node.root);
  }

  /**
   * Sets a value of the manifest, which replaces the one from the props: `addOverride('spec.containers.main.image',
   * 'shop:2')`. A path has dots; items of a list are named by key or position, and the position after the last one adds
   * an item; names that contain dots are in double quotes (`tags."a.b"`). Missing objects and lists are created. The
   * value may contain constructs and `sensitive()`. A field that the schema does not know is passed on unchanged: its
   * path is added to `lifecycle.untyped`, unless it looks like a misspelt name.
   *
   * Errors: `stack.override` immediately for an invalid path; at synthesis for one that does not fit the manifest.
   */
  addOverride(path: string, value: unknown): this {
    return this.#override(path, new Origin(this.addOverride), { value });
  }

  /** Removes a value from the manifest. Errors: those of `addOverride`; the value must exist. */
  addDeletionOverride(path: string): this {
    return this.#override(path, new Origin(this.addDeletionOverride));
  }

  #override(path: string, origin: Origin, set?: Override['set']): this {
    try {
      const segments = overrideSegments(path);
      this.#overrides.push({ path, segments, origin, ...present({ set }) });
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      report(error, this, origin);
    }
    return this;
  }

  /** The manifest. `waitsFor`: ids from the tree, in addition to those of `lifecycle.dependsOn`. */
  toManifest(waitsFor: readonly ResourceId[]): JsonObject {
    this.#places.length = 0;
    const { description, tags, lifecycle, renamedFrom } = this.#props;
    const envelope = { kind: this.kind, name: this.name, gvc: this.gvc, description, tags };
    const ofLifecycle = { lifecycle: lifecycleOf(renamed(lifecycle, renamedFrom), waitsFor) };
    const { manifest, overridden, references } = placed(() =>
      resolve([envelope, ofLifecycle, this.#contentWithItems()], this.#overrides),
    );
    this.#places.push(...overridden);
    const existing = references((target) => isTarget(target) && !isResource(target));
    this.#existing = existing.flatMap(({ value }) => (isTarget(value) ? [value.id] : []));
    checkGvcs({ resource: this, manifest, references, locate: (pointer) => this.positionOf(pointer) });
    return manifest;
  }

  /** The line of user code for a place of the manifest. */
  positionOf(pointer: Pointer): Position {
    const places = this.#places.filter(({ pointer: place }) => place.every((step, index) => pointer[index] === step));
    const nearest = places.toSorted((a, b) => b.pointer.length - a.pointer.length)[0];
    return (nearest?.origin ?? this.origin).position();
  }

  /** The parts of the last manifest from other lines than the construct's: overrides, grants. */
  get places(): readonly PlaceInCode[] {
    return this.#places.map(({ pointer, origin }) => ({ pointer, position: origin.position() }));
  }

  /** The records outside of the stack that the last manifest refers to. */
  get existing(): readonly ResourceId[] {
    return this.#existing;
  }

  /** The final content of the manifest, in which subclasses include later additions. */
  protected content(content: Content): Content {
    return content;
  }

  /**
   * For subclasses: adds an item to a list of the manifest. Errors: `stack.duplicate` if the list has it already,
   * `stack.item` if there is no item to add it to.
   */
  protected addItem(place: ListPlace, item: unknown, origin: Origin): this {
    const before = this.contentSoFar;
    const mistake = mistakeIn(this, before, { place, item }, (pointer) => this.positionOf(pointer));
    if (mistake !== undefined) {
      report(mistake, this, origin);
      return this;
    }
    this.#additions.push({ place, item, origin });
    const { content, pointer } = withItem(this.kind, before, { place, item });
    this.#soFar = content;
    this.#places.push({ pointer, origin });
    return this;
  }

  /** For subclasses: the current content of the manifest. */
  protected get contentSoFar(): Content {
    return this.#soFar ?? this.content(this.#content);
  }

  /** The content from subclasses, with the additions. */
  #contentWithItems(): Content {
    return this.#additions.reduce((before, addition) => {
      const { content, pointer } = withItem(this.kind, before, addition);
      this.#places.push({ pointer, origin: addition.origin });
      return content;
    }, this.content(this.#content));
  }

  /** For subclasses, in `content`: sets another line than the resource's for this place of the manifest. */
  protected placeAt(pointer: Pointer, origin: Origin): void {
    this.#places.push({ pointer, origin });
  }
}

export function isResource(value: unknown): value is Resource {
  return typeof value === 'object' && value !== null && resourceBrand in value;
}

/** An error with its own line is reported at that line. */
function placed<Result>(make: () => Result): Result {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof ToolError) || error.place === undefined) throw error;
    const { file, line = 1, column = 1 } = error.place;
    throw new StackError([fileProblem({ file, line, column }, error.code, error.message, error.hint)]);
  }
}

function renamed(lifecycle: LifecycleProps | undefined, renamedFrom: string | undefined): LifecycleProps | undefined {
  return renamedFrom === undefined ? lifecycle : { previously: renamedFrom, ...lifecycle };
}

function lifecycleOf(lifecycle: LifecycleProps | undefined, waitsFor: readonly ResourceId[]): unknown {
  const own = (lifecycle?.dependsOn ?? []).map((target) => (isResource(target) ? target.id : target));
  if (own.length === 0 && waitsFor.length === 0) return lifecycle;
  return { ...lifecycle, dependsOn: [...new Set([...own, ...waitsFor])].sort() };
}

/** A resource, its references, and the origin of each place of its manifest. */
interface Referrer {
  readonly resource: Target<string>;
  readonly manifest: JsonObject;
  references(which: (target: Linkable) => boolean): readonly Found<Linkable>[];
  locate(pointer: Pointer): Position;
}

/**
 * Reports forbidden references across GVCs, with the lines of both resources: identities, aliases
 * (platform/concepts.links) and volume sets (platform/volumeset.mounting) must be in the same GVC, and all workloads of
 * a domain in one (platform/domain.routing).
 *
 * Errors: `StackError` with all of them (`stack.gvc`).
 */
function checkGvcs(referrer: Referrer): void {
  const { resource } = referrer;
  const own = isContainer(resource.kind) ? resource.name : resource.gvc;
  const problems = isNamedByHost(resource.kind)
    ? workloadsOfTwoGvcs(referrer)
    : own === undefined
      ? []
      : outsideOf(own, referrer);
  if (problems.length > 0) throw new StackError(problems);
}

function gvcOf(target: Linkable): string | undefined {
  return refOfLink(target.link)?.gvc;
}

function outsideOf(own: string, referrer: Referrer): readonly LocatedProblem[] {
  const { manifest, resource } = referrer;
  const inside = `//gvc/${own}/`; // the usual prefix, which avoids parsing
  const foreign = referrer.references((target) => !target.link.startsWith(inside) && (gvcOf(target) ?? own) !== own);
  return foreign.flatMap(({ pointer, value: target }) => {
    const shape = shapeOfManifest(manifest);
    const facts = shapeAt(shape, pointer)?.facts;
    const mustBeInside = facts?.link?.inOwnGvc === true || (storesData(target.kind) && facts?.uri !== undefined);
    if (!mustBeInside) return [];
    const where = isContainer(resource.kind) ? 'another GVC' : `in "${own}"`;
    const message =
      `${formatPath(shape, manifest, pointer)} refers to ${describe(target)}, ` +
      `but the ${resource.kind} "${resource.name}" is ${where}`;
    return [problemAt(referrer, pointer, message, `The platform wants one of the same GVC here, "${own}".`)];
  });
}

function workloadsOfTwoGvcs(referrer: Referrer): readonly LocatedProblem[] {
  const [first, ...others] = referrer.references(({ kind }) => runs(kind));
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
