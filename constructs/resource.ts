import { Construct } from 'constructs';
import type { Lifecycle } from '../src/manifest/model/lifecycle.ts';
import type { JsonObject } from '../src/schema/json/json.ts';
import { type CreatableKind, isGvcScoped } from '../src/schema/record/kinds.ts';
import { formatRef, type Ref, type ResourceId } from '../src/schema/record/ref.ts';
import { collect } from './appCollector.ts';
import type { Linkable } from './linked.ts';
import { Origin } from './origin.ts';
import { resolve } from './resolve.ts';

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
  /** Only where the GVC is not of this stack. @default the GVC that it is made in, else the one of `--gvc` */
  readonly gvc?: string | Linkable<'gvc'> | undefined;
}

export const resourceBrand: unique symbol = Symbol.for('gantry.resource');

/** A construct that makes one manifest. */
export abstract class Resource<Kind extends CreatableKind = CreatableKind> extends Construct implements Linkable<Kind> {
  readonly [resourceBrand] = true;
  readonly kind: Kind;
  /** Name on the platform. */
  readonly name: string;
  /** The GVC that it lives in; absent for kinds of the org, and where `--gvc` is going to say it. */
  readonly gvc: string | undefined;
  /** Where user code made it. */
  readonly origin: Origin;
  readonly #props: ResourceProps;

  constructor(scope: Construct, id: string, kind: Kind, props: GvcScopedProps) {
    super(scope, id);
    this.kind = kind;
    this.name = props.name ?? id;
    this.gvc = isGvcScoped(kind) ? gvcOf(props.gvc, scope) : undefined;
    this.origin = new Origin(new.target);
    this.#props = props;
    collect(this.node.root);
  }

  /** `spec`, or the kind's own top-level fields. */
  protected abstract content(): { readonly [field: string]: unknown };

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
    return resolve(envelope, { lifecycle: lifecycleOf(renamed(lifecycle, renamedFrom), waitsFor) }, this.content());
  }
}

export function isResource(value: unknown): value is Resource {
  return typeof value === 'object' && value !== null && resourceBrand in value;
}

function gvcOf(given: string | Linkable<'gvc'> | undefined, scope: Construct): string | undefined {
  if (typeof given === 'string') return given;
  if (isResource(given)) return given.name;
  for (let construct: unknown = scope; Construct.isConstruct(construct); construct = construct.node.scope) {
    if (isResource(construct) && construct.kind === 'gvc') return construct.name;
  }
  return undefined;
}

function renamed(lifecycle: LifecycleProps | undefined, renamedFrom: string | undefined): LifecycleProps | undefined {
  return renamedFrom === undefined ? lifecycle : { previously: renamedFrom, ...lifecycle };
}

function lifecycleOf(lifecycle: LifecycleProps | undefined, waitsFor: readonly ResourceId[]): unknown {
  const own = (lifecycle?.dependsOn ?? []).map((target) => (isResource(target) ? target.id : target));
  if (own.length === 0 && waitsFor.length === 0) return lifecycle;
  return { ...lifecycle, dependsOn: [...new Set([...own, ...waitsFor])].sort() };
}
