import { type Reference, references } from '../../kinds/shape/references.ts';
import { livePlaces } from '../../manifest/live/liveReference.ts';
import type { DesiredResource, Position, ReadValue } from '../../manifest/model/manifest.ts';
import { contextOf, formatRef, type Ref, type ResourceId } from '../../schema/record/ref.ts';

/** One thing that a declared resource refers to or waits for. */
export interface DeclaredLink {
  readonly on: ResourceId;
  /** The GVC that it lives in, a reference in its record, a value of a live record, or `lifecycle.dependsOn`. */
  readonly by: 'gvc' | Reference | ReadValue | 'dependsOn';
  readonly path: string;
  position(): Position;
}

/** All of them, without a look at what is live. */
export function declaredLinks(resource: DesiredResource, org: string): readonly DeclaredLink[] {
  const { ref, record, lifecycle, reads = [], locate } = resource;
  const home: Ref[] = ref.gvc === undefined ? [] : [{ kind: 'gvc', name: ref.gvc }];
  return [
    ...home.map((gvc) => ({
      on: formatRef(gvc),
      by: 'gvc' as const,
      path: 'gvc',
      position: () => locate(['gvc']),
    })),
    ...references(ref.kind, record, contextOf(ref, org))
      .filter((reference) => reference.org === org)
      .map((reference) => ({
        on: formatRef(reference.target),
        by: reference,
        get path() {
          return reference.path;
        },
        position: () => locate(reference.pointer),
      })),
    ...reads.map((read) => ({
      on: read.id,
      by: read,
      path: read.text,
      position: () => locate(livePlaces(record, ({ text }) => text === read.text)[0] ?? []),
    })),
    ...(lifecycle.dependsOn ?? []).map((on, index) => ({
      on,
      by: 'dependsOn' as const,
      path: 'lifecycle.dependsOn',
      position: () => locate(['lifecycle', 'dependsOn', index]),
    })),
  ];
}

/** The reference in the record, where it is one. */
export function referenceOf({ by }: DeclaredLink): Reference | undefined {
  return typeof by === 'string' || isRead(by) ? undefined : by;
}

/** Is it the value of a live record? */
export function isRead(by: DeclaredLink['by']): by is ReadValue {
  return typeof by === 'object' && 'text' in by;
}
