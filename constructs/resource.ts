import { Construct } from 'constructs';
import type { Lifecycle } from '../src/manifest/model/lifecycle.ts';
import { fileProblem } from '../src/manifest/model/locatedProblem.ts';
import type { JsonObject } from '../src/schema/json/json.ts';
import { type CreatableKind, isGvcScoped } from '../src/schema/record/kinds.ts';
import { lastSegment } from '../src/schema/record/links.ts';
import { formatRef, type Ref, type ResourceId } from '../src/schema/record/ref.ts';
import { collect } from './appCollector.ts';
import { Origin } from './origin.ts';
import type { Linkable } from './references.ts';
import { resolve } from './resolve.ts';
import { StackError } from './stackError.ts';

/** `lifecycle` as authors write it: what it depends on may be constructs. */
export interface LifecycleProps extends Omit<Lifecycle, 'dependsOn'> {
  readonly dependsOn?: readonly (ResourceId | Resource)[];
}

/** What every resource has (platform/concepts.record). */
export interface ResourceProps {
  /** Name on the platform. @default the construct id */
  readonly name?: string | undefined;
  /** At most 250 characters. @default the name */
  readonly description?: string | undefined;
  readonly tags?: { readonly [key: string]: string | number | boolean | null } | undefined;
  readonly lifecycle?: LifecycleProps | undefined;
  /** The name that it had before: it is renamed, not deleted and created. Short for `lifecycle.previously`. */
  readonly renamedFrom?: string | undefined;
}

/** A resource of a GVC. Its scope is the GVC, or something inside it. */
export interface GvcScopedProps extends ResourceProps {
  /**
   * Only where it is not made inside of a `Gvc`: one of this stack, the name of another one, or
   * `{ fromSettings: true }` for the one of `--gvc` or `gantry.yaml`.
   *
   * @default the GVC that it is made in
   */
  readonly gvc?: string | Linkable<'gvc'> | GvcFromSettings | undefined;
}

/** The GVC that `--gvc` or `gantry.yaml` says. */
export interface GvcFromSettings {
  readonly fromSettings: true;
}

export const resourceBrand: unique symbol = Symbol.for('gantry.resource');

/** A construct that makes one manifest. */
export class Resource<Kind extends CreatableKind = CreatableKind> extends Construct implements Linkable<Kind> {
  readonly [resourceBrand] = true;
  readonly kind: Kind;
  /** Name on the platform. */
  readonly name: string;
  /** The GVC that it lives in; absent for kinds of the org, and where `--gvc` is going to say it. */
  readonly gvc: string | undefined;
  /** Where user code made it. */
  readonly origin: Origin;
  readonly #props: ResourceProps;
  readonly #content: { readonly [field: string]: unknown };

  /**
   * `content`: `spec`, or the kind's own top-level fields.
   *
   * Errors: `stack.scope` for a resource of a GVC that is in none.
   */
  constructor(
    scope: Construct,
    id: string,
    kind: Kind,
    props: GvcScopedProps,
    content: { readonly [field: string]: unknown },
  ) {
    super(scope, id);
    this.kind = kind;
    this.name = props.name ?? id;
    this.origin = new Origin(new.target);
    this.gvc = isGvcScoped(kind) ? gvcOf(props.gvc, scope, this) : undefined;
    this.#props = props;
    this.#content = content;
    collect(this.node.root);
  }

  get ref(): Ref {
    return this.gvc === undefined
      ? { kind: this.kind, name: this.name }
      : { kind: this.kind, name: this.name, gvc: this.gvc };
  }

  /** `kind/[gvc/]name`. */
  get id(): ResourceId {
    return formatRef(this.ref);
  }

  get link(): string {
    return this.gvc === undefined ? `//${this.kind}/${this.name}` : `//gvc/${this.gvc}/${this.kind}/${this.name}`;
  }

  /** The manifest. `waitsFor`: ids that the tree adds to those of `lifecycle.dependsOn`. */
  toManifest(waitsFor: readonly ResourceId[]): JsonObject {
    const { description, tags, lifecycle, renamedFrom } = this.#props;
    const envelope = { kind: this.kind, name: this.name, gvc: this.gvc, description, tags };
    return resolve(envelope, { lifecycle: lifecycleOf(renamed(lifecycle, renamedFrom), waitsFor) }, this.#content);
  }
}

export function isResource(value: unknown): value is Resource {
  return typeof value === 'object' && value !== null && resourceBrand in value;
}

function gvcOf(stated: GvcScopedProps['gvc'], scope: Construct, resource: Resource): string | undefined {
  if (typeof stated === 'string') return stated;
  if (stated !== undefined) return 'link' in stated ? lastSegment(stated.link) : undefined;
  for (let construct: unknown = scope; Construct.isConstruct(construct); construct = construct.node.scope) {
    if (isResource(construct) && construct.kind === 'gvc') return construct.name;
  }
  const message = `the ${resource.kind} "${resource.name}" is in no GVC`;
  const hint =
    'Make it inside of a Gvc, or name one: gvc: shop, gvc: "shop", or gvc: { fromSettings: true } for --gvc.';
  throw scopeError(resource.origin, message, hint);
}

/** A resource that is made where it cannot be. */
export function scopeError(origin: Origin, message: string, hint: string): StackError {
  return new StackError([fileProblem(origin.position(), 'stack.scope', message, hint)]);
}

function renamed(lifecycle: LifecycleProps | undefined, renamedFrom: string | undefined): LifecycleProps | undefined {
  return renamedFrom === undefined ? lifecycle : { previously: renamedFrom, ...lifecycle };
}

function lifecycleOf(lifecycle: LifecycleProps | undefined, waitsFor: readonly ResourceId[]): unknown {
  const own = (lifecycle?.dependsOn ?? []).map((target) => (isResource(target) ? target.id : target));
  if (own.length === 0 && waitsFor.length === 0) return lifecycle;
  return { ...lifecycle, dependsOn: [...new Set([...own, ...waitsFor])].sort() };
}
