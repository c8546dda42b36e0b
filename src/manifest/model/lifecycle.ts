import type { ResourceId } from '../../schema/record/ref.ts';

/** Instructions to Gantry about one resource; never sent to the platform as such. */
export interface Lifecycle<Dependency = ResourceId> {
  /** Sets the platform's own `scheme/protected`; lifted only by applying `protect: false` first. */
  readonly protect?: boolean;
  /** When the code no longer declares it: forget it instead of deleting it. */
  readonly retain?: boolean;
  /** Take over a live resource without an owner; with `from`, one that this other stack (its owner tag) hands over. */
  readonly adopt?: boolean | { readonly from: string };
  /** Let go of it for this other stack (its owner tag), without deleting it: the other end of `adopt: {from}`. */
  readonly handOver?: string;
  /** The name that it had before: a renaming instead of a deletion and a creation. */
  readonly previously?: string;
  /** Own only the list items and map keys declared here, of a resource that belongs to somebody else. */
  readonly part?: boolean;
  /** Allow a replacement that loses data. */
  readonly replace?: boolean;
  /** Wait until it is ready before its dependents continue. */
  readonly wait?: boolean;
  /** How long it may take to become ready where it is waited for: `30s`, `5m`, `1h`. @default `--wait-timeout` */
  readonly waitTimeout?: string;
  /** Paths whose value is used only on creation. */
  readonly ignore?: readonly string[];
  /** Paths that the schema does not know and that this manifest sets all the same. */
  readonly untyped?: readonly string[];
  /** Paths whose value is never shown. */
  readonly sensitive?: readonly string[];
  /** Resources that it waits for, beside those that it refers to. */
  readonly dependsOn?: readonly Dependency[];
}
