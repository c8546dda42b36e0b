import { Construct } from 'constructs';
import { ToolError } from '../src/base/toolError.ts';
import { isSecret, runs } from '../src/kinds/kindFacts.ts';
import { type LiveFault, parseLiveReference } from '../src/manifest/live/liveReference.ts';
import { fileProblem } from '../src/manifest/model/locatedProblem.ts';
import { isContainer, isGvcScoped, type KnownKind, kindNamed } from '../src/schema/record/kinds.ts';
import { formatRef, lastSegment, type Ref, type ResourceId } from '../src/schema/record/ref.ts';
import { freeId } from './freeId.ts';
import type { Linkable } from './linkable.ts';
import { report, reportUnusable } from './mistakes.ts';
import { notText } from './notText.ts';
import { Origin } from './origin.ts';
import { StackError } from './stackError.ts';

/** The GVC of `--gvc` or `gantry.yaml`. */
export interface GvcFromSettings {
  readonly fromSettings: true;
}

/** The option that names the GVC of a GVC-scoped resource. */
export interface GvcOption {
  /**
   * Only needed if it is not created inside of a `Gvc`: one of this stack, the name of another one, or `{ fromSettings:
   * true }` for the one of `--gvc` or `gantry.yaml`.
   *
   * @default the GVC that it is created in
   */
  readonly gvc?: string | Linkable<'gvc'> | GvcFromSettings | undefined;
}

/** The identity of a target. */
export interface TargetFields<Of extends string> extends GvcOption {
  readonly kind: Of;
  readonly name: string;
  /** Only if it differs from the usual one. */
  readonly link?: string | undefined;
}

/** The address of a resource, by its kind. */
export interface RefOf<Of extends string> extends Omit<Ref, 'kind'> {
  readonly kind: Of;
}

const targetBrand: unique symbol = Symbol.for('gantry.target');

/** A target of references (it is `Linkable`): a resource that a stack creates, or one that exists without it. */
export abstract class Target<Of extends string = KnownKind> extends Construct {
  readonly [targetBrand] = true;
  readonly kind: Of;
  /** Name on the platform. */
  readonly name: string;
  /** Its GVC; absent for kinds of the org, and if `--gvc` determines it. */
  readonly gvc: string | undefined;
  /** The position in user code that created it. */
  readonly origin: Origin;
  readonly #link: string | undefined;

  /** Errors: `stack.scope` for a GVC-scoped resource without a GVC. */
  constructor(scope: Construct, id: string, { kind, name, gvc, link }: TargetFields<Of>) {
    super(scope, freeId(scope, id));
    this.kind = kind;
    this.name = name;
    this.origin = new Origin(new.target);
    const isInGvc = isGvcScoped(kind) || (gvc !== undefined && kindNamed(kind) === undefined);
    this.gvc = isInGvc ? gvcOf(gvc, scope, this) : undefined;
    this.#link = link;
  }

  get ref(): RefOf<Of> {
    return this.gvc === undefined
      ? { kind: this.kind, name: this.name }
      : { kind: this.kind, name: this.name, gvc: this.gvc };
  }

  /** `kind/[gvc/]name`. */
  get id(): ResourceId {
    return formatRef(this.ref);
  }

  /** The form in manifests: `//secret/NAME`, `//gvc/GVC/workload/NAME`. */
  get link(): string {
    if (this.#link !== undefined) return this.#link;
    return this.gvc === undefined ? `//${this.kind}/${this.name}` : `//gvc/${this.gvc}/${this.kind}/${this.name}`;
  }

  /**
   * A value of the live record, such as `live('status.endpoint')`, for a field or for an `Output`. It represents the
   * value, also within a text. A resource that uses it is written after this one; a value that does not exist before is
   * "known after apply".
   *
   * Errors: `stack.live` for a path that a record of this kind does not have, and if `--gvc` determines the GVC.
   */
  live(path: string): string {
    const { kind, ref } = this;
    const isInGvc = isGvcScoped(kind) === (this.gvc !== undefined);
    const read = isInGvc ? parseLiveReference(ref, path) : gvcUnknown(this.name);
    if ('text' in read) return read.text;
    report(liveError(this, path, read), this, new Origin(this.live));
    return '';
  }

  /** The JSON form is its form in a manifest: the link. */
  toJSON(): string {
    return this.link;
  }

  /** In a text it would become its path in the tree, which means nothing to the platform. */
  [Symbol.toPrimitive](): never {
    const { kind, link, name } = this;
    const more = runs(kind) ? ', or .url or .internalUrl() for its address' : isSecret(kind) ? ', or .key(…)' : '';
    throw notText(`the ${kind} "${name}"`, `Say which text: .name (${name}), .link (${link})${more}.`);
  }
}

function liveError({ kind, name }: Target<string>, path: string, { message, hint }: LiveFault): ToolError {
  const what = `${JSON.stringify(path.slice(0, 120))} of the ${kind} "${name}"`;
  return new ToolError({ code: 'stack.live', message: `${what} cannot be read: ${message}`, hint });
}

function gvcUnknown(name: string): LiveFault {
  return {
    message: `the GVC of "${name}" comes from --gvc or gantry.yaml, so it is not known here`,
    hint: 'Make it in a Gvc, or name one: gvc: "shop".',
  };
}

export function isTarget(value: unknown): value is Target {
  return typeof value === 'object' && value !== null && targetBrand in value;
}

function gvcOf(stated: GvcOption['gvc'], scope: Construct, target: Target<string>): string | undefined {
  const gvc = findGvc(stated, scope);
  if (gvc !== undefined || (typeof stated === 'object' && 'fromSettings' in stated)) return gvc;
  const message = `the ${target.kind} "${target.name}" is in no GVC`;
  const hint =
    'Make it inside of a Gvc, or name one: gvc: shop, gvc: "shop", or gvc: { fromSettings: true } for --gvc.';
  reportUnusable(scopeError(target.origin, message, hint), { scope, id: target.node.id }, target.origin);
  return undefined;
}

/** The given GVC, otherwise that of the enclosing scope. */
export function findGvc(stated: GvcOption['gvc'], scope: Construct): string | undefined {
  if (typeof stated === 'string') return stated;
  if (stated !== undefined) return 'link' in stated ? lastSegment(stated.link) : undefined;
  for (let construct: unknown = scope; Construct.isConstruct(construct); construct = construct.node.scope) {
    if (isTarget(construct) && isContainer(construct.kind)) return construct.name;
  }
  return undefined;
}

/** A construct in an invalid scope. */
export function scopeError(origin: Origin, message: string, hint: string): StackError {
  return new StackError([fileProblem(origin.position(), 'stack.scope', message, hint)]);
}
