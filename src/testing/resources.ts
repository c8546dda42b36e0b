import { StackError } from '../../constructs/stackError.ts';
import type { JsonObject } from '../base/json/json.ts';
import { compact } from '../base/json/present.ts';
import { compareText } from '../base/text/compareText.ts';
import type { DesiredResource, Position } from '../manifest/model/manifest.ts';
import { maskSensitive } from '../patch/fieldChanges.ts';
import { sensitivityOfLive } from '../plan/record/shapeFacts.ts';
import { maskedManifest, toManifest } from '../plan/record/toManifest.ts';
import type { Kind } from '../schema/record/kinds.ts';
import type { ResourceId } from '../schema/record/ref.ts';
import { type Declaration, declared, isConstruct, type SynthOptions } from './declared.ts';
import { declarationsOf, type Rehearsed } from './rehearse.ts';

/** A resource that matchers search for. */
export interface TestedResource {
  readonly id: ResourceId;
  readonly kind: Kind;
  /** Its manifest, or its live record. */
  readonly content: JsonObject;
  /** The same without sensitive values. */
  readonly masked: JsonObject;
  /** The line of the stack that created it. */
  readonly position: Position | undefined;
}

/** The declared resources, or the live ones after a rehearsal; by id. */
export function resourcesOf(subject: Declaration | Rehearsed, options?: SynthOptions): readonly TestedResource[] {
  return [...found(subject, options)].sort((a, b) => compareText(a.id, b.id));
}

function found(subject: Declaration | Rehearsed, options?: SynthOptions): readonly TestedResource[] {
  if (isRehearsed(subject)) {
    return subject.records.map((live) => {
      const { ref, id, record } = live;
      const masked = maskSensitive(sensitivityOfLive(ref, markedBy(declarationsOf(live)), record), record);
      return { id, kind: ref.kind, content: record, masked, position: undefined };
    });
  }
  const { ofTree, resources } = declared(subject, options);
  if (ofTree.some(({ severity }) => severity === 'error')) throw new StackError(ofTree);
  return resources.map((resource) => ({
    id: resource.id,
    kind: resource.ref.kind,
    content: toManifest(resource),
    masked: maskedManifest(resource),
    position: isConstruct(subject) ? resource.locate([]) : undefined,
  }));
}

/** A declaration with the marks of all: of several stacks, each may declare a part. */
function markedBy([first, ...others]: readonly DesiredResource[]): DesiredResource | undefined {
  if (first === undefined) return undefined;
  const sensitive = compact([first, ...others], ({ lifecycle }) => lifecycle.sensitive).flat();
  return { ...first, lifecycle: { ...first.lifecycle, sensitive } };
}

export function isRehearsed(subject: unknown): subject is Rehearsed {
  return typeof subject === 'object' && subject !== null && 'records' in subject && 'plan' in subject;
}
